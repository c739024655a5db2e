// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ApusPNG
internal import HEIF

/// A file with one picture: a PNG, a pixmap, or a frame of YUV4MPEG2.
struct PlainPhoto: PictureSource {
  let limits: PlanLimits
  private var plan: PicturePlan
  private var found = PictureMetadata()
  /// The content of the file in addition to the picture and its metadata.
  private(set) var holdings: [SourceHolding] = []

  init(_ data: Extent, _ kind: FileKind, _ options: ConvertOptions) throws {
    limits = options.limits
    switch kind {
    case .png:
      let file = try PNGFile(data, limits: options.limits)
      plan = Self.plan(file.format, .png, "the PNG", file.picture, file.colour)
      plan.comesInRows(isInterlaced: file.isInterlaced)
      plan.findings = file.findings
      do {
        plan.colour.profile = try file.profile().map { Extent($0) }
      } catch let error as MediaError where error.kind == .limit || error.kind == .invalid {
        let reason =
          error.kind == .limit
          ? "has more bytes than the limit profile-bytes, \(limits.profileBytes)"
          : "cannot be decompressed"
        plan.findings.append(
          Finding(
            .warning, rule: error.kind == .limit ? "limit" : "icc", path: "iCCP",
            offset: data.range.lowerBound,
            message: "the ICC profile is left out because it \(reason)"))
      }
      plan.colour.origin = file.origin
      if file.hasAlpha {
        var format = file.format
        (format.chroma, format.isRGB) = (.monochrome, false)
        plan.alpha = [
          Self.plan(
            format, .pngAlpha, "the alpha of the PNG", file.picture,
            ColourDescription(isFullRange: true))
        ]
        plan.alpha[0].comesInRows(isInterlaced: file.isInterlaced)
      }
      (found.exif, found.xmp) = (file.density?.added(to: file.exif) ?? file.exif, file.xmp)
      holdings = file.holdings
    case .y4m:
      let header = try RasterHeader(y4m: data, frame: options.job.frame ?? 0)
      plan = Self.plan(header, "the frame")
      plan.findings = header.findings
      // Each frame has at least a line with "FRAME" and a line feed.
      let rest = data.range.upperBound - header.data.range.upperBound
      let others = max(options.job.frame ?? 0, 0) + rest / (header.raster.byteCount + 6)
      if others > 0 { holdings.add(.pictures, count: others) }
      // A truncated frame.
      if others == 0, rest > 0 { holdings.add(.trailingBytes, count: rest) }
    default:
      let header = try RasterHeader(pixmap: data)
      plan = Self.plan(header, "the pixmap")
      let rest = Extent(data.source, header.data.range.upperBound..<data.range.upperBound)
      if !rest.isZero { holdings.add(.trailingBytes, count: rest.count) }
    }
  }

  func plan(_ picture: PhotoPicture) -> PicturePlan { plan }
  func metadata(of picture: PhotoPicture) -> PictureMetadata { found }

  private static func plan(_ header: RasterHeader, _ name: String) -> PicturePlan {
    var planned = plan(
      header.raster.format, .raster(header.raster), name, [header.data], header.colour)
    planned.sources[0].site = header.site
    return planned
  }

  private static func plan(
    _ format: PictureFormat, _ codec: PictureCodec, _ name: String, _ data: [Extent],
    _ colour: ColourDescription
  ) -> PicturePlan {
    var plan = PicturePlan(width: format.width, height: format.height)
    plan.sources = [
      PlannedSource(name: name, codec: codec, configuration: [], samples: [data], format: format)
    ]
    let whole = PixelRect(width: format.width, height: format.height)
    plan.pieces = [PlannedPiece(source: 0, crop: whole, orientation: .upright, place: whole)]
    plan.colour.description = colour
    plan.colour.origin = name
    return plan
  }
}

extension PicturePlan {
  /// Marks the sources, which are those of a PNG, as decoded in rows.
  fileprivate mutating func comesInRows(isInterlaced: Bool) {
    for index in sources.indices {
      sources[index].comesInRows = true
      guard isInterlaced else { continue }
      sources[index].heldBytes = PNGRowReader.bytes(
        ofInterlaced: sources[index].format, alpha: sources[index].codec == .pngAlpha)
    }
  }
}
