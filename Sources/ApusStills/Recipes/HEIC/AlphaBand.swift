// SPDX-License-Identifier: MIT

internal import ApusMedia

extension Picture {
  /// Returns the luma samples in another bit depth, with each code at the same fraction of the maximum.
  func withBitDepth(_ depth: Int) -> Picture {
    guard depth != format.bitDepth || format.chroma != .monochrome else { return self }
    var target = format
    (target.bitDepth, target.chroma) = (depth, .monochrome)
    let picture = Picture(target)
    let (largest, whole) = (1 << depth - 1, 1 << format.bitDepth - 1)
    for row in 0..<format.height {
      let input = unsafe plane(0) + row * strides[0]
      let output = unsafe picture.plane(0) + row * picture.strides[0]
      for column in 0..<format.width {
        let code =
          format.bytesPerSample == 1
          ? Int(unsafe input.load(fromByteOffset: column, as: UInt8.self))
          : Int(unsafe input.load(fromByteOffset: 2 * column, as: UInt16.self))
        let value = (min(code, whole) * largest + whole / 2) / whole
        if target.bytesPerSample == 1 {
          unsafe output.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
        } else {
          unsafe output.storeBytes(
            of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * column, as: UInt16.self)
        }
      }
    }
    return picture
  }

  /// Returns whether every luma sample is at least this large.
  func isAtLeast(_ value: Int) -> Bool {
    (0..<format.height).allSatisfy { row in
      let line = unsafe plane(0) + row * strides[0]
      return (0..<format.width).allSatisfy { column in
        let code =
          format.bytesPerSample == 1
          ? Int(unsafe line.load(fromByteOffset: column, as: UInt8.self))
          : Int(unsafe line.load(fromByteOffset: 2 * column, as: UInt16.self))
        return code >= value
      }
    }
  }
}
