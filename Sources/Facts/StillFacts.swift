// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import Media
internal import Metadata

extension PictureItemFacts {
  /// What a file of one picture says, in the words of files of items.
  init(still picture: ItemFacts, hasGainMap: Bool = false) {
    itemCount = 1
    types = [(type: picture.type, count: 1)]
    primary = picture
    self.hasGainMap = hasGainMap
  }
}

extension ItemFacts {
  /// What the segments of a JPEG say; `nil` where they do not tell its size.
  init?(_ segments: JPEGSegments) {
    guard let size = segments.frameSize else { return nil }
    let metadata = segments.metadata
    self.init(still: "jpeg", "jpeg", size, exif: metadata.exif)
    format = CodedFormat(segments)
    colour.hasICCProfile = metadata.icc != nil
  }

  /// What the header of a PNG and the chunks before its pixels say: PNG (Third Edition), 11. `nil` where it has none.
  init?(pngIn source: any ByteSource) throws(SyntaxError) {
    let chunks = try PNGHeader(source)
    guard let size = chunks.size else { return nil }
    self.init(still: "png ", "png", size, exif: chunks.exif)
    format = chunks.format
    colour = chunks.colour
  }

  private init(
    still type: FourCC, _ codec: String, _ size: (width: Int, height: Int), exif: [UInt8]?
  ) {
    id = 1
    self.type = type
    self.codec = codec
    let coded = PixelSize(width: size.width, height: size.height)
    let placed = exif.flatMap(ExifReader.orientation).flatMap { Orientation(exif: $0) } ?? .upright
    codedSize = coded
    displaySize =
      placed.swapsSides ? PixelSize(width: coded.height, height: coded.width) : coded
    rotation = placed.quarterTurns * 90
    isMirrored = placed.isMirrored
    format = CodedFormat()
    colour = ColourFacts()
  }
}

extension CodedFormat {
  /// What the frame header of a JPEG says: ITU-T T.81, B.2.2.
  fileprivate init(_ segments: JPEGSegments) {
    self.init()
    guard let frame = segments.segments.first(where: { (0xC0...0xC2).contains($0.marker) }),
      frame.body.count >= 6
    else { return }
    profile = ["Baseline", "Extended", "Progressive"][Int(frame.marker - 0xC0)]
    let body = Array(frame.body)
    bitDepth = Int(body[0])
    let count = Int(body[5])
    guard body.count >= 6 + 3 * count else { return }
    if count == 1 { chroma = "4:0:0" }
    // Factors of each component, across and down.
    guard count == 3, body[10] == body[13], body[10] & 15 > 0, body[10] >> 4 > 0 else { return }
    let across = Double(body[7] >> 4) / Double(body[10] >> 4)
    let down = Double(body[7] & 15) / Double(body[10] & 15)
    switch (across, down) {
    case (1, 1): chroma = "4:4:4"
    case (1, 2): chroma = "4:4:0"
    case (2, 1): chroma = "4:2:2"
    case (2, 2): chroma = "4:2:0"
    case (4, 1): chroma = "4:1:1"
    default: break
    }
  }
}

/// The chunks of a PNG before its pixels.
private struct PNGHeader {
  private(set) var size: (width: Int, height: Int)?
  private(set) var format = CodedFormat()
  private(set) var colour = ColourFacts()
  private(set) var exif: [UInt8]?

  /// How many chunks are looked at, and how long one may be whose contents are read.
  private static let mostChunks = 1024
  private static let longest = 1 << 24

  init(_ source: any ByteSource) throws(SyntaxError) {
    var position = 8
    for _ in 0..<Self.mostChunks where position + 8 <= source.count {
      let head = try source.bytes(in: position..<position + 8)
      let length = Self.number(head[0..<4])
      let start = position + 8
      guard length <= source.count - start else { return }
      let type = String(decoding: head[4..<8], as: UTF8.self)
      guard type != "IDAT", type != "IEND" else { return }
      if Self.known.contains(type), length <= Self.longest {
        add(type, try source.bytes(in: start..<start + length))
      }
      position = start + length + 4
    }
  }

  private static let known: Set<String> = ["IHDR", "cICP", "iCCP", "sRGB", "mDCV", "cLLI", "eXIf"]

  private mutating func add(_ type: String, _ body: [UInt8]) {
    switch type {
    case "IHDR" where body.count >= 13:
      size = (Self.number(body[0..<4]), Self.number(body[4..<8]))
      format.bitDepth = Int(body[8])
      // Grey, with alpha or without.
      if body[9] == 0 || body[9] == 4 { format.chroma = "4:0:0" }
    case "cICP" where body.count >= 4:
      setCode(UInt16(body[0]), UInt16(body[1]), UInt16(body[2]), isFull: body[3] != 0)
    case "sRGB" where colour.codePoints == nil: setCode(1, 13, 0, isFull: true)
    case "iCCP": colour.hasICCProfile = true
    case "mDCV" where body.count >= 24:
      colour.setMastering(
        min: UInt32(Self.number(body[20..<24])), max: UInt32(Self.number(body[16..<20])))
    case "cLLI" where body.count >= 8:
      colour.maxContentLight = Self.number(body[0..<4]) / 10_000
      colour.maxAverageLight = Self.number(body[4..<8]) / 10_000
    case "eXIf": exif = body
    default: break
    }
  }

  private mutating func setCode(
    _ primaries: UInt16, _ transfer: UInt16, _ matrix: UInt16, isFull: Bool
  ) {
    colour.codePoints = ColourFacts.CodePoints(
      primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFull)
    colour.source = .container
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
