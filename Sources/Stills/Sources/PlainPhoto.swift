// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata
internal import PNG

/// A file that holds one picture: a PNG, a pixmap, a frame of YUV4MPEG2.
struct PlainPhoto: PictureSource {
  let limits: PlanLimits
  private var plan: PicturePlan
  private var found = PictureMetadata()

  init(_ data: Extent, _ kind: FileKind, _ options: ConvertOptions) throws(Refusal) {
    limits = options.limits
    switch kind {
    case .png:
      let file = try reading { () throws(SyntaxError) in try PNGFile(data) }
      plan = Self.plan(file.format, .png, "the PNG", [data], file.colour)
      let profile = try working { () throws(PictureError) in try file.profile() }
      plan.colour.profile = profile.map { Extent($0) }
      plan.colour.origin = file.origin
      if file.hasAlpha {
        var format = file.format
        (format.chroma, format.isRGB) = (.monochrome, false)
        plan.alpha = [
          Self.plan(
            format, .pngAlpha, "the alpha of the PNG", [data], ColourDescription(isFullRange: true))
        ]
      }
      (found.exif, found.xmp) = (file.exif, file.xmp)
    case .y4m:
      let header = try reading { () throws(SyntaxError) in
        try RasterHeader(y4m: data, frame: options.frame ?? 0)
      }
      plan = Self.plan(header, "the frame")
    default:
      let header = try reading { () throws(SyntaxError) in try RasterHeader(pixmap: data) }
      plan = Self.plan(header, "the pixmap")
    }
  }

  func plan(_ picture: PhotoPicture) -> PicturePlan { plan }
  func metadata(of picture: PhotoPicture) -> PictureMetadata { found }

  private static func plan(_ header: RasterHeader, _ name: String) -> PicturePlan {
    plan(header.raster.format, .raster(header.raster), name, [header.data], header.colour)
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
