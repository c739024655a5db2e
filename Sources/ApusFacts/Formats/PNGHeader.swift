// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata

/// The facts of the chunks of a PNG: PNG (Third Edition), 11.
struct PNGHeader {
  private(set) var size: (width: Int, height: Int)?
  private(set) var format = CodedFormat()
  private(set) var colour = ColourFacts()
  private(set) var metadata = SourceMetadata()

  /// The maximum number of chunks, and the maximum size of those that are read.
  private static let mostChunks = 1 << 16
  private static let longest = 1 << 24

  init(_ source: any ByteSource) throws(SyntaxError) {
    var position = 8
    for _ in 0..<Self.mostChunks where position + 8 <= source.count {
      let head = try source.bytes(in: position..<position + 8)
      let length = Int(bigEndianBytes: head[0..<4])
      let start = position + 8
      guard length <= source.count - start else { return }
      let type = String(decoding: head[4..<8], as: UTF8.self)
      guard type != "IEND" else { return }
      if Self.known.contains(type), length <= Self.longest {
        add(type, try source.bytes(in: start..<start + length))
      }
      position = start + length + 4
    }
  }

  private static let known: Set<String> = [
    "IHDR", "cICP", "iCCP", "sRGB", "mDCV", "cLLI", "eXIf", "iTXt",
  ]

  private mutating func add(_ type: String, _ body: [UInt8]) {
    switch type {
    case "IHDR" where body.count >= 13:
      size = (Int(bigEndianBytes: body[0..<4]), Int(bigEndianBytes: body[4..<8]))
      format.bitDepth = Int(body[8])
      // Grey, with or without alpha.
      if body[9] == 0 || body[9] == 4 { format.chroma = "4:0:0" }
    case "cICP" where body.count >= 4:
      setCode(UInt16(body[0]), UInt16(body[1]), UInt16(body[2]), isFull: body[3] != 0)
    case "sRGB" where colour.codePoints == nil: setCode(1, 13, 0, isFull: true)
    case "iCCP": colour.hasICCProfile = true
    case "mDCV" where body.count >= 24:
      colour.setMastering(
        min: UInt32(bigEndianBytes: body[20..<24]), max: UInt32(bigEndianBytes: body[16..<20]))
    case "cLLI" where body.count >= 8:
      colour.maxContentLight = Int(bigEndianBytes: body[0..<4]) / 10_000
      colour.maxAverageLight = Int(bigEndianBytes: body[4..<8]) / 10_000
    case "eXIf": metadata.exif = body
    case "iTXt" where metadata.xmp == nil: metadata.xmp = Self.packet(body)
    default: break
    }
  }

  /// Returns the packet of XMP in a text chunk; `nil` if it is another text, or compressed.
  private static func packet(_ body: [UInt8]) -> [UInt8]? {
    let keyword = Array("XML:com.adobe.xmp".utf8) + [0]
    guard body.starts(with: keyword), body.dropFirst(keyword.count).first == 0 else { return nil }
    // The method of compression is followed by a language and the keyword in it.
    let parts = body.dropFirst(keyword.count + 2)
      .split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 ? Array(parts[2]) : nil
  }

  private mutating func setCode(
    _ primaries: UInt16, _ transfer: UInt16, _ matrix: UInt16, isFull: Bool
  ) {
    colour.codePoints = ColourFacts.CodePoints(
      primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFull)
    colour.source = .container
  }
}
