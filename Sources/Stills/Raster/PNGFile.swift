// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media
internal import PNG

/// What the chunks of a PNG say beside its samples: ISO/IEC 15948, 5.
struct PNGFile {
  private(set) var format: PictureFormat
  private(set) var hasAlpha: Bool
  /// By `cICP`, or as sRGB.
  private(set) var colour = ColourDescription(
    primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
  /// What says what the colours are; `JFIF` stands for nothing but custom.
  private(set) var origin = "JFIF"
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  /// Everything before the samples, with the head of their first chunk.
  private var head: Extent
  private var hasProfile = false

  private static let xmpKeyword = Array("XML:com.adobe.xmp\0".utf8)
  private static let longest = 64 << 20

  init(_ data: Extent) throws(SyntaxError) {
    var place = 8
    head = data
    format = PictureFormat(width: 0, height: 0, chroma: .yuv444, bitDepth: 8)
    hasAlpha = false
    var hasHead = false
    while place + 12 <= data.count {
      let chunk = Extent(data.source, data.range.lowerBound + place..<data.range.upperBound)
      let header = try chunk.prefix(8).bytes()
      let length = header.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let type = String(decoding: header[4...], as: UTF8.self)
      guard length <= data.count - place - 12 else { break }
      let body = Extent(
        data.source, chunk.range.lowerBound + 8..<chunk.range.lowerBound + 8 + length)
      if place == 8 { try readHeader(type, body) }
      if type == "IDAT", !hasHead {
        head = data.prefix(place + 8)
        hasHead = true
      }
      if type == "IEND" { break }
      if length <= Self.longest { try read(type, body) }
      place += length + 12
    }
    guard hasHead else {
      throw SyntaxError(.truncated, field: "IDAT", offset: place, detail: "is not in the PNG")
    }
  }

  private mutating func readHeader(_ type: String, _ body: Extent) throws(SyntaxError) {
    let bytes = try body.prefix(13).bytes()
    guard type == "IHDR", bytes.count == 13 else {
      throw SyntaxError(.invalid, field: "IHDR", offset: 8, detail: "is not the first chunk")
    }
    let sides = [0, 4].map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
    try RasterHeader.check(sides[0], sides[1])
    let isGrey = bytes[9] & 2 == 0
    format = PictureFormat(
      width: sides[0], height: sides[1], chroma: isGrey ? .monochrome : .yuv444,
      bitDepth: bytes[8] == 16 ? 16 : 8)
    format.isRGB = !isGrey
    if isGrey { colour.matrix = 6 }
    hasAlpha = bytes[9] & 4 != 0
  }

  private mutating func read(_ type: String, _ body: Extent) throws(SyntaxError) {
    switch type {
    case "tRNS": hasAlpha = true
    case "iCCP": hasProfile = true
    case "sRGB": origin = "sRGB"
    case "cICP":
      let bytes = try body.bytes()
      guard bytes.count == 4 else { return }
      (colour.primaries, colour.transfer) = (Int(bytes[0]), Int(bytes[1]))
      origin = "cICP"
    case "eXIf": exif = try body.bytes()
    case "iTXt":
      let bytes = try body.bytes()
      guard bytes.starts(with: Self.xmpKeyword) else { return }
      // Compressed or not and how, then two texts that end with a zero.
      let rest = bytes.dropFirst(Self.xmpKeyword.count)
      let texts = rest.dropFirst(2).split(
        separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      if rest.first == 0, texts.count == 3 { xmp = Array(texts[2]) }
    default: break
    }
  }

  /// The profile of `iCCP`.
  func profile() throws(PictureError) -> [UInt8]? {
    guard hasProfile else { return nil }
    let bytes: [UInt8]
    do throws(SyntaxError) {
      bytes = try head.bytes()
    } catch {
      throw PictureError(.io, "the PNG cannot be read: \(error)")
    }
    return try PNGDecoder.profile(of: bytes)
  }
}
