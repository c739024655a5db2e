// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// A JPEG as a source: one coded picture, and the metadata in its segments.
struct JPEGPhoto: PictureSource {
  let limits: PlanLimits
  let data: Extent
  let header: JPEGHeader
  let metadata: SourceMetadata
  /// The segments before its first scan.
  let segments: JPEGSegments
  /// Pictures after this one, as the index of the file lists them.
  let others: [MultiPictureList.Entry]
  /// The factor by which the sides of the decoded picture are smaller: 1, 2, 4 or 8.
  var reduction = 1

  /// The only picture of this source.
  static let picture = PhotoPicture(.item(1), isPrimary: true)
  /// The maximum size of the segments before the picture, more than any camera writes.
  private static let headBytes = 64 << 20

  /// The length of the longer side in samples, as coded.
  var longerSide: Int { max(header.width, header.height) }

  /// Returns whether the picture is within bounds in either orientation.
  func fits(_ bounds: PictureBounds) -> Bool {
    bounds.fitted((header.width, header.height)) == nil
      && bounds.fitted((header.height, header.width)) == nil
  }

  init(_ data: Extent, limits: PlanLimits) throws {
    self.limits = limits
    self.data = data
    header = try Self.header(of: data)
    segments = try JPEGSegments(data)
    metadata = segments.metadata
    others = segments.others(fileSize: data.source.count)
  }

  /// Reads the header, from as many bytes as are needed to reach the first scan.
  private static func header(of data: Extent) throws -> JPEGHeader {
    var count = 1 << 17
    while true {
      let bytes = try data.prefix(count).bytes()
      do throws(MediaError) {
        return try JPEGHeader(bytes)
      } catch {
        guard error.kind == .incomplete, bytes.count < data.count, count < headBytes else {
          throw error
        }
        count *= 4
      }
    }
  }

  func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan {
    let width = (header.width + reduction - 1) / reduction
    let height = (header.height + reduction - 1) / reduction
    guard width > 0, height > 0 else {
      throw SyntaxError(
        .unsupported, field: "the JPEG", offset: data.range.lowerBound,
        detail: "has its size only after its samples (DNL)")
    }
    // A reduced picture is 4:4:4, because the transform reduces colour less than luma.
    let chroma = header.components.count < 3 ? .monochrome : header.chroma ?? .yuv444
    let isCMYK = header.components.count == 4
    var format = PictureFormat(
      width: width, height: height,
      chroma: reduction > 1 && chroma != .monochrome ? .yuv444 : chroma, bitDepth: 8)
    if header.isRGB { format.chroma = .yuv444 }
    format.isRGB = isCMYK || header.isRGB
    var source = PlannedSource(
      name: "the JPEG", codec: .jpeg, configuration: [], samples: [[data]], format: format,
      site: .centre)
    source.reduction = reduction
    let whole = PixelRect(width: width, height: height)
    var plan = PicturePlan(width: width, height: height)
    plan.sources = [source]
    plan.pieces = [
      PlannedPiece(source: 0, crop: whole, orientation: .upright, place: whole)
    ]
    plan.colour.description = ColourDescription(
      primaries: 1, transfer: 13, matrix: 5, isFullRange: true)
    plan.colour.origin = "JFIF"
    if format.isRGB { plan.colour.description.matrix = 0 }
    guard isCMYK else {
      plan.colour.profile = metadata.icc.map { Extent($0) }
      if metadata.icc == nil, chroma != .monochrome,
        metadata.exif.map(ExifReader.isAdobeRGB) ?? false
      {
        plan.colour.profile = Extent(Self.adobeRGB)
        plan.colour.origin = "Exif"
      }
      return plan
    }
    plan.findings.append(
      Finding(
        .warning, rule: "cmyk", path: "", offset: data.range.lowerBound,
        message: metadata.icc == nil
          ? "was CMYK and is converted to RGB without a profile, because it has none"
          : "was CMYK and is converted to RGB without its profile, which is for CMYK and left out"
      ))
    return plan
  }

  /// A profile for colours that only Exif declares as Adobe RGB: Adobe RGB (1998) Color Image Encoding, 4.3.
  private static let adobeRGB = ICCProfile.generated(
    Primaries([0.64, 0.33], [0.21, 0.71], [0.15, 0.06]), .gamma(563.0 / 256), isGrey: false,
    name: "Compatible with Adobe RGB (1998)")

  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata {
    var found = PictureMetadata()
    found.exif = metadata.density?.added(to: metadata.exif) ?? metadata.exif
    found.xmp = metadata.joinedXMP
    found.iptc = metadata.iptc
    found.findings = metadata.omissions.map { message in
      Finding(
        .warning, rule: "metadata-left-out", path: "", offset: data.range.lowerBound,
        message: message)
    }
    return found
  }
}
