// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ApusPNG
internal import ApusRaster
internal import HEIF

/// The chunks of a PNG other than its samples: ISO/IEC 15948, 5.
struct PNGFile {
  private(set) var format: PictureFormat
  private(set) var hasAlpha: Bool
  /// Whether the samples are interlaced, so that each pass covers all rows.
  private(set) var isInterlaced = false
  /// The colour description in `cICP`, otherwise sRGB.
  private(set) var colour = ColourDescription(
    primaries: 1, transfer: 13, matrix: 0, isFullRange: true)
  /// The kind of metadata that describes the colours; `JFIF` means that nothing does.
  private(set) var origin = "JFIF"
  private(set) var exif: [UInt8]?
  private(set) var density: DotDensity?
  private(set) var xmp: [UInt8]?
  /// Other contents: other texts, an animation, bytes after the end.
  private(set) var holdings: [SourceHolding] = []
  /// The parts that were omitted, with the reasons.
  private(set) var findings: [Finding] = []
  /// The chunks that the samples depend on, from the signature to `IEND`; no others, so that their contents are not
  /// inflated to read the samples.
  private(set) var picture: [Extent] = []
  /// The chunks up to the header of the first with samples, as a reader of the profile needs them.
  private var profileChunks: [Extent] = []
  private var hasProfile = false
  /// The types seen so far of chunks that may occur only once.
  private var known: Set<FourCC> = []
  private var stated = PNGColour()
  private let limits: PlanLimits

  /// The size of a chunk without content.
  private static let leastChunk = PNGChunkHeader.size + PNGChecksum.size
  private static let pictureChunks: Set<FourCC> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]
  /// Chunks that describe the samples, their meaning, and the size of a dot; `hIST`, `sPLT` and `bKGD` are advice for
  /// displays with few colours.
  private static let takenChunks: Set<FourCC> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "eXIf",
    "pHYs", "hIST", "sPLT", "bKGD",
  ]

  /// The chunks that may occur at most once in a PNG: 5.6.
  private static let singleChunks: Set<FourCC> = [
    "tRNS", "cHRM", "gAMA", "iCCP", "sRGB", "cICP", "eXIf", "pHYs",
  ]
  private static let profileTypes: Set<FourCC> = ["IHDR", "PLTE", "iCCP"]

  init(_ data: Extent, limits: PlanLimits) throws(SyntaxError) {
    self.limits = limits
    format = PictureFormat(width: 0, height: 0, chroma: .yuv444, bitDepth: 8)
    hasAlpha = false
    add(data.prefix(PNGSignature.size))
    profileChunks = picture
    var place = data.range.lowerBound + PNGSignature.size
    var hasSamples = false
    while data.range.upperBound - place >= Self.leastChunk,
      let chunk = try PNGChunk(in: data, at: place)
    {
      let type = chunk.type
      guard chunk.isComplete else {
        // A truncated chunk is left for the decoder to report.
        if Self.pictureChunks.contains(type) { add(chunk.whole) }
        hasSamples = hasSamples || type == "IDAT"
        break
      }
      if place == data.range.lowerBound + PNGSignature.size { try readHeader(type, chunk.body) }
      if type == "IDAT", !hasSamples {
        hasSamples = true
        profileChunks.append(chunk.header)
      }
      if type == "IEND" {
        add(chunk.whole)
        let rest = Extent(data.source, chunk.range.upperBound..<data.range.upperBound)
        if !rest.isZero { holdings.add(.trailingBytes, count: rest.count) }
        break
      }
      let wasKnown = xmp != nil
      if try isRead(chunk, hasSamples: hasSamples) {
        if Self.pictureChunks.contains(type) { add(chunk.whole) }
        if !hasSamples, Self.profileTypes.contains(type) { profileChunks.append(chunk.whole) }
        try read(type, chunk.body)
      }
      let isXMP = type == "iTXt" && !wasKnown && xmp != nil
      if !isXMP, !Self.takenChunks.contains(type) { holdings.add(.segments, name: chunk.name) }
      place = chunk.range.upperBound
    }
    // Less than a chunk follows one that was not the last.
    if (1..<Self.leastChunk).contains(data.range.upperBound - place) {
      add(Extent(data.source, place..<data.range.upperBound))
    }
    guard hasSamples else {
      throw SyntaxError(
        .truncated, field: "IDAT", offset: place, detail: "is not in the PNG")
    }
  }

  /// Appends a chunk, joined to the previous one if there is no gap: the samples of a PNG often consist of thousands of
  /// chunks.
  private mutating func add(_ chunk: Extent) {
    if let last = picture.last, last.range.upperBound == chunk.range.lowerBound {
      picture[picture.count - 1] = Extent(
        chunk.source, last.range.lowerBound..<chunk.range.upperBound)
    } else {
      picture.append(chunk)
    }
  }

  private mutating func readHeader(_ type: FourCC, _ body: Extent) throws(SyntaxError) {
    guard type == "IHDR",
      let header = PNGImageHeader(reading: try body.prefix(PNGImageHeader.size).bytes())
    else {
      throw SyntaxError(.invalid, field: "IHDR", offset: 8, detail: "is not the first chunk")
    }
    let (width, height) = (Int(header.width), Int(header.height))
    try RasterHeader.check(width, height)
    format = PictureFormat(
      width: width, height: height, chroma: header.isGrey ? .monochrome : .yuv444,
      bitDepth: header.bitDepth == 16 ? 16 : 8)
    format.isRGB = !header.isGrey
    if header.isGrey { colour.matrix = 6 }
    hasAlpha = header.hasAlpha
    isInterlaced = header.interlaceMethod != 0
  }

  /// Returns whether a chunk is read. Of a chunk that may occur once, only the first counts, if it is in its place and
  /// intact. The decoder checks the chunks that every picture has.
  private mutating func isRead(_ chunk: PNGChunk, hasSamples: Bool) throws(SyntaxError) -> Bool {
    let type = chunk.type
    guard Self.singleChunks.contains(type) || type == "iTXt" else { return true }
    if ["eXIf", "iTXt"].contains(type), chunk.body.count > limits.metadataBytes {
      leaveOut(
        chunk, "limit",
        "\(type) of \(chunk.body.count) bytes is left out; the limit metadata-bytes is \(limits.metadataBytes)"
      )
      return false
    }
    guard try chunk.isIntact() else {
      guard type != "tRNS" else {
        throw SyntaxError(
          .invalid, field: chunk.name, offset: chunk.range.lowerBound,
          detail: "has a wrong checksum")
      }
      leaveOut(chunk, "checksum", "\(type) is left out because its checksum is wrong")
      return false
    }
    guard type != "iTXt" else { return true }
    guard known.insert(type).inserted else {
      // Some writers include the same one twice.
      if type == "eXIf", try chunk.body.bytes() == exif { return false }
      leaveOut(chunk, "repeated", "a second \(type) is left out")
      return false
    }
    guard !hasSamples || ["eXIf", "pHYs"].contains(type) else {
      leaveOut(chunk, "order", "\(type) is left out because it follows the samples")
      return false
    }
    return true
  }

  private mutating func leaveOut(_ chunk: PNGChunk, _ rule: String, _ message: String) {
    findings.append(
      Finding(
        .warning, rule: rule, path: chunk.name, offset: chunk.range.lowerBound,
        message: message))
  }

  private mutating func read(_ type: FourCC, _ body: Extent) throws(SyntaxError) {
    switch type {
    case "tRNS": hasAlpha = true
    case "iCCP": hasProfile = true
    case "gAMA", "cHRM": stated.read(type, try body.prefix(32).bytes())
    case "sRGB": origin = "sRGB"
    case "cICP":
      guard body.count == CodePoints.size, let points = CodePoints(reading: try body.bytes())
      else { return }
      (colour.primaries, colour.transfer) = (Int(points.primaries), Int(points.transfer))
      origin = "cICP"
      if points.fullRange == 0 {
        warn(
          "range", type, body, "cICP declares limited range; the samples are read as full range")
      }
    case "eXIf": exif = try body.bytes()
    case "pHYs": density = DotDensity(pHYs: try body.prefix(9).bytes())
    case "iTXt":
      guard let text = PNGInternationalText(reading: try body.bytes()), text.isXMP else { return }
      if let packet = text.xmp { xmp = packet }
      if text.compressionFlag == 1 {
        warn(
          "metadata-encoded", type, body,
          "the XMP is left out because it is compressed (iTXt)")
      }
    default: break
    }
  }

  private mutating func warn(_ rule: String, _ type: FourCC, _ body: Extent, _ message: String) {
    findings.append(
      Finding(
        .warning, rule: rule, path: type.description,
        offset: body.range.lowerBound - PNGChunkHeader.size, message: message))
  }

  /// Returns the profile in `iCCP`, or one that is equivalent to `gAMA` and `cHRM`. Throws `limit` for a profile that
  /// is too large once inflated, and `invalid` for one that cannot be inflated.
  func profile() throws -> [UInt8]? {
    guard hasProfile else {
      return origin == "JFIF" ? stated.profile(isGrey: format.chroma == .monochrome) : nil
    }
    var bytes: [UInt8] = []
    do throws(SyntaxError) {
      for chunk in profileChunks { bytes += try chunk.bytes() }
    } catch {
      throw MediaError(.io, "the PNG cannot be read: \(error)")
    }
    guard let profile = try PNGDecoder.profile(of: bytes, limit: limits.profileBytes) else {
      throw MediaError(.invalid, "the ICC profile cannot be decompressed")
    }
    return profile
  }
}
