// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusColour
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
public import HEIF
internal import ISOBMFF

extension PhotoEdits {
  /// Makes the thumbnail to add to a photo, if one is to be added and the photo has none that stays.
  ///
  /// - Parameter engine: decodes the picture, and encodes the thumbnail.
  public mutating func makeThumbnail(
    of source: any ByteSource, by engine: PhotoEngine, limits: PlanLimits = PlanLimits(),
    boxes: Limits = Limits()
  ) throws {
    guard case .side(let side)? = thumbnail else { return }
    var options = ConvertOptions()
    (options.limits, options.boxLimits) = (limits, boxes)
    options.job = .thumbnail(.always)
    options.hdr = .drop
    let hasThumbnail: Bool
    let size: (width: Int, height: Int)
    switch try PhotoContents(source, FileKind(of: source), options) {
    case .heif(let file):
      guard let item = file.graph.primaryItem else { return }
      let editor = try ItemEditor(file)
      guard editor.isHEVC else {
        throw MediaError(.unsupported, of: .input, "is not coded as HEVC, as a thumbnail would be")
      }
      hasThumbnail = editor.hasThumbnail && !allMetadata.strip.contains(.thumbnail)
      options.longestSide = side ?? 320
      size = try Self.prepare(&options, for: file, item)
    case .jpeg(let photo):
      let isGone = !allMetadata.strip.isDisjoint(with: [.thumbnail, .exif, .all])
      hasThumbnail = !isGone && photo.metadata.exif.map(ExifReader.hasThumbnail) == true
      // As in cameras: Exif 2.32, 4.5.8 recommends 160 × 120.
      options.longestSide = side ?? 160
      options.quality = 80
      options.chroma = photo.header.chroma == .monochrome ? .auto : .yuv444
      options.keepsOrientationTag = !bakesOrientation
      if bakesOrientation { options.turn = turn }
      size = (photo.header.width, photo.header.height)
    case .plain: return
    }
    guard !hasThumbnail else {
      thumbnail = .omitted(because: "already has a thumbnail, which stays")
      return
    }
    guard options.bounds?.fitted(size) != nil else {
      thumbnail = .omitted(
        because: "is \(size.width) × \(size.height), too small to need a thumbnail")
      return
    }
    let made = try engine.bytes(of: source, options)
    thumbnail = .file(options.format == .jpeg ? try JPEGPhoto.bare(made, limits) : made)
  }

  /// Sets the options for a thumbnail as `convert` makes it, which lies as the picture is stored; returns the size of the
  /// whole picture.
  private static func prepare(
    _ options: inout ConvertOptions, for file: PhotoFile, _ item: Item
  ) throws -> (width: Int, height: Int) {
    let plan = try file.plan(try file.primaryPicture())
    options.format = .heic
    options.quality = HEICChoices.usualQuality
    options.heic.isSingle = true
    options.heic.dropsAlpha = true
    options.orientation = .container
    options.turn = item.orientation.inverse
    // Samples in PQ and HLG stay such.
    if plan.colour.description.isHDR { options.hdr = .keep }
    return (plan.width, plan.height)
  }
}

extension PhotoEngine {
  /// Returns the picture that is made of a file.
  fileprivate func bytes(of source: any ByteSource, _ options: ConvertOptions) throws -> [UInt8] {
    let destination = MemoryDestination()
    var request = PhotoRequest(
      name: "photo", open: { source },
      output: { role in role == .primary ? destination : nil })
    request.options = options
    let report = reportAndWait(of: request)
    if let failure = report.failure { throw failure }
    return destination.bytes
  }
}

extension JPEGPhoto {
  /// Returns a JPEG without its application segments, which a thumbnail in Exif must not have: Exif 2.32, 4.5.5.
  fileprivate static func bare(_ bytes: [UInt8], _ limits: PlanLimits) throws -> [UInt8] {
    let photo = try JPEGPhoto(Extent(bytes), limits: limits)
    let rest = photo.segments.segments.filter { (0xE0...0xEF).contains($0.marker) }
    let source = SplicedSource(photo.data, replacing: rest.map { .init($0.range, []) })
    return try source.bytes(in: 0..<source.count)
  }
}
