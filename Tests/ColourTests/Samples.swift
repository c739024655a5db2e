// SPDX-License-Identifier: MIT

import ApusMedia

/// Pictures of samples that are known, and their samples as numbers.
enum Samples {
  /// Samples of every value, by the generator that `Scripts/making/colour.py` has too.
  static func picture(_ format: PictureFormat) -> Picture {
    var state: UInt32 = 1
    return picture(format) { _, _, _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> UInt32(32 - format.bitDepth))
    }
  }

  /// - Parameter value: of a plane, a column and a row.
  static func picture(_ format: PictureFormat, _ value: (Int, Int, Int) -> Int) -> Picture {
    let picture = Picture(format)
    for plane in 0..<format.planeCount {
      for y in 0..<format.height(ofPlane: plane) {
        let line = unsafe picture.plane(plane) + y * picture.strides[plane]
        for x in 0..<format.width(ofPlane: plane) {
          let sample = UInt16(truncatingIfNeeded: value(plane, x, y))
          if format.bytesPerSample == 1 {
            unsafe line.storeBytes(
              of: UInt8(truncatingIfNeeded: sample), toByteOffset: x, as: UInt8.self)
          } else {
            unsafe line.storeBytes(of: sample, toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }

  static func values(_ picture: Picture) -> [Int] {
    (0..<picture.format.planeCount).flatMap { plane in values(picture, plane: plane) }
  }

  static func values(_ picture: Picture, plane: Int) -> [Int] {
    let format = picture.format
    return (0..<format.height(ofPlane: plane)).flatMap { y in
      let line = unsafe picture.plane(plane) + y * picture.strides[plane]
      return (0..<format.width(ofPlane: plane)).map { x in
        format.bytesPerSample == 1
          ? unsafe Int(line.load(fromByteOffset: x, as: UInt8.self))
          : unsafe Int(line.load(fromByteOffset: 2 * x, as: UInt16.self))
      }
    }
  }
}
