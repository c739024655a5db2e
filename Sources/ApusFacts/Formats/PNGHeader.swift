// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata
internal import ApusRaster

/// The facts of the chunks of a PNG: PNG (Third Edition), 11.
struct PNGHeader {
  private(set) var size: (width: Int, height: Int)?
  private(set) var format = CodedFormat()
  private(set) var colour = ColourFacts()
  private(set) var metadata = SourceMetadata()
  /// The manifest store of Content Credentials.
  private(set) var manifestStore: [UInt8]?

  /// The maximum number of chunks, and the maximum size of those that are read.
  private static let mostChunks = 1 << 16
  private static let longest = 1 << 24

  init(_ source: any ByteSource) throws(SyntaxError) {
    let data = Extent(source, 0..<source.count)
    var position = PNGSignature.size
    for _ in 0..<Self.mostChunks {
      guard let chunk = try PNGChunk(in: data, at: position), chunk.hasBody, chunk.type != "IEND"
      else { return }
      if Self.known.contains(chunk.type), chunk.body.count <= Self.longest {
        add(chunk.type, try chunk.body.bytes())
      }
      position = chunk.range.upperBound
    }
  }

  private static let known: Set<FourCC> = [
    "IHDR", "cICP", "iCCP", "sRGB", "mDCV", "cLLI", "eXIf", "iTXt", "caBX",
  ]

  private mutating func add(_ type: FourCC, _ body: [UInt8]) {
    switch type {
    case "IHDR":
      guard let header = PNGImageHeader(reading: body) else { return }
      size = (Int(header.width), Int(header.height))
      format.bitDepth = Int(header.bitDepth)
      // Grey, with or without alpha.
      if [0, 4].contains(header.colourType) { format.chroma = "4:0:0" }
    case "cICP":
      guard let points = CodePoints(reading: body) else { return }
      setCode(
        UInt16(points.primaries), UInt16(points.transfer), UInt16(points.matrix),
        isFull: points.fullRange != 0)
    case "sRGB" where colour.codePoints == nil: setCode(1, 13, 0, isFull: true)
    case "iCCP": colour.hasICCProfile = true
    case "mDCV":
      guard let display = PNGMasteringDisplay(reading: body) else { return }
      colour.setMastering(min: display.minLuminance, max: display.maxLuminance)
    case "cLLI":
      guard let light = PNGContentLight(reading: body) else { return }
      colour.maxContentLight = Int(light.maxContentLight) / 10_000
      colour.maxAverageLight = Int(light.maxAverageLight) / 10_000
    case "eXIf": metadata.exif = body
    case "caBX": manifestStore = manifestStore ?? body
    case "iTXt" where metadata.xmp == nil: metadata.xmp = PNGInternationalText(reading: body)?.xmp
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
}
