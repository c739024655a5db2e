// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

extension StreamShape {
  /// Reads the frame header (SOF) of a JPEG: ITU-T T.81, B.2.2. `nil` if there is none that can be read.
  init?(jpeg bytes: [UInt8]) {
    guard bytes.starts(with: [0xff, 0xd8]) else { return nil }
    var index = 2
    while index + 4 <= bytes.count, bytes[index] == 0xff {
      let marker = bytes[index + 1]
      if marker == 0xff {
        index += 1
        continue
      }
      let length = Int(bigEndianBytes: bytes[index + 2..<index + 4])
      if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
        self.init(frameHeader: bytes[(index + 4)...].prefix(max(length - 2, 0)))
        return
      }
      guard marker != 0xda, length >= 2 else { return nil }
      index += 2 + length
    }
    return nil
  }

  private init?(frameHeader slice: ArraySlice<UInt8>) {
    let bytes = Array(slice)
    guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]), bytes[5] > 0 else { return nil }
    let height = Int(bigEndianBytes: bytes[1..<3])
    let width = Int(bigEndianBytes: bytes[3..<5])
    guard width > 0, height > 0 else { return nil }
    let factors = (0..<Int(bytes[5])).map { bytes[7 + 3 * $0] }
    let chroma: Chroma =
      switch (factors.count, factors[0]) {
      case (1, _): .monochrome
      case (_, 0x22): factors.dropFirst().allSatisfy { $0 == 0x11 } ? .yuv420 : .yuv444
      case (_, 0x21): factors.dropFirst().allSatisfy { $0 == 0x11 } ? .yuv422 : .yuv444
      default: .yuv444
      }
    format = PictureFormat(
      width: width, height: height, chroma: chroma, bitDepth: Int(bytes[0]))
    // JFIF: the matrix of BT.601, full range, colours in the middle of their luma samples.
    colour = ColourDescription(primaries: 2, transfer: 2, matrix: 6, isFullRange: true)
    site = .centre
  }
}
