// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

extension RasterHeader {
  /// Reads the header of a portable pixmap or graymap with binary samples: netpbm's `P6` and `P5`.
  init(pixmap data: Extent) throws(SyntaxError) {
    let bytes = try data.prefix(4096).bytes()
    var place = 2
    var numbers: [Int] = []
    for name in ["width", "height", "maxval"] {
      numbers.append(try Self.number(in: bytes, &place, name))
    }
    // Exactly one blank precedes the samples.
    place += 1
    let (width, height, largest) = (numbers[0], numbers[1], numbers[2])
    try Self.check(width, height)
    guard (1...65535).contains(largest) else {
      throw SyntaxError(
        .invalid, field: "maxval", offset: place, detail: "is \(largest) instead of 1 to 65535")
    }
    var format = PictureFormat(
      width: width, height: height, chroma: bytes[1] == 0x35 ? .monochrome : .yuv444,
      bitDepth: largest > 255 ? 16 : 8)
    format.isRGB = format.chroma != .monochrome
    raster = Raster(format, .pixels, largest: largest)
    colour = ColourDescription(
      primaries: 1, transfer: 13, matrix: format.isRGB ? 0 : 6, isFullRange: true)
    self.data = try Self.samples(of: raster, in: data, at: place)
  }

  /// Reads a decimal number that may follow blanks and comments.
  private static func number(in bytes: [UInt8], _ place: inout Int, _ name: String)
    throws(SyntaxError) -> Int
  {
    while place < bytes.count {
      if bytes[place] == 0x23 {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
      } else if ![0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(bytes[place]) {
        break
      }
      place += 1
    }
    let digits = bytes[min(place, bytes.count)...].prefix { (0x30...0x39).contains($0) }
    place += digits.count
    guard let number = Int(String(decoding: digits, as: UTF8.self)), place < bytes.count else {
      throw SyntaxError(
        .invalid, field: "header", offset: place, detail: "of the pixmap has no \(name)")
    }
    return number
  }
}
