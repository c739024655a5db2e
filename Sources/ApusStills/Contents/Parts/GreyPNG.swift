// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The header of a grey PNG whose samples are numbers of 8 or 16 bits: PNG, 11.2.2.
struct GreyPNG {
  let width: Int
  let height: Int
  let bitDepth: Int

  /// Reads the header; `nil` if the bytes are not such a picture.
  init?(_ bytes: [UInt8]) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes.count >= 33, bytes.starts(with: signature),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    func number(_ place: Int) -> Int { Int(bigEndianBytes: bytes[place..<place + 4]) }
    (width, height, bitDepth) = (number(16), number(20), Int(bytes[24]))
    // Grey samples, or pixels with equal red, green and blue as some writers have them.
    guard width > 0, height > 0, bitDepth == 8 || bitDepth == 16, [0, 2, 6].contains(bytes[25])
    else { return nil }
  }
}
