// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ApusMetadata
public import HEIF
internal import ISOBMFF

/// A picture that becomes half of a Live Photo: it gets a content identifier, and is otherwise unchanged.
public struct LivePicture: Sendable {
  private let contents: PhotoContents
  private let data: Extent
  private let boxLimits: Limits

  /// The picture's present content identifier.
  public let identifier: String?
  /// The video in the file of a motion photo.
  public let video: Extent?
  /// The time of the picture in that video, in microseconds; `nil` if it is not recorded.
  public let stillTime: Int?

  /// Opens a picture; throws if it is neither HEIF nor JPEG.
  public init(_ source: any ByteSource, limits: PlanLimits, boxes: Limits) throws {
    let kind = try FileKind(of: source)
    guard kind == .jpeg || kind == .isoBMFF else {
      throw MediaError(
        .unsupported, of: .input,
        "is \(kind.description); the picture of a Live Photo is a HEIC or a JPEG")
    }
    var options = ConvertOptions()
    (options.limits, options.boxLimits) = (limits, boxes)
    contents = try PhotoContents(source, kind, options)
    data = Extent(source, 0..<source.count)
    boxLimits = boxes
    // Unreadable metadata must not be mistaken for absent metadata.
    let picture = try contents.primaryPicture()
    let metadata = try contents.source.metadata(of: picture)
    identifier = metadata.exif.flatMap(ExifFacts.init)?.contentIdentifier
    let parts = try contents.parts()
    let motion = parts.first { $0.role == .motionVideo }
    if let gap = motion?.gap {
      throw MediaError(.incomplete, of: .input, "contains a truncated video: \(gap)")
    }
    if case .bytes(let extents, _)? = motion?.content { video = extents.first } else { video = nil }
    let time = metadata.xmp.flatMap(XMPReader.init)?.motionTime
    stillTime = video == nil ? nil : time
  }

  /// Writes the picture with an identifier.
  ///
  /// - Parameter replacesNote: whether Apple's maker note takes the place of another maker's.
  public func write<Sink: ByteSink>(
    identifier: String, replacesNote: Bool, to sink: inout Sink
  ) throws {
    var writer = SyntaxWriter(sink)
    defer { sink = writer.sink }
    guard self.identifier != identifier else { return try writer.append(data) }
    switch contents {
    case .jpeg(let photo):
      var metadata = photo.segments.metadata
      metadata.xmp = metadata.joinedXMP
      metadata.exif = try ExifWithIdentifier.exif(
        metadata.exif, contentIdentifier: identifier, replacesNote: replacesNote)
      let changed = try EditedJPEG(data, photo.segments, metadata)
      try writer.append(Extent(changed.head))
      try writer.append(Extent(data.source, changed.replacedCount..<data.range.upperBound))
    case .heif(let file):
      var editor = try ItemEditor(file)
      let item = try editor.metadataItems().first { $0.isPrimary && $0.kind == .exif }
      let exif = try ExifWithIdentifier.exif(
        item?.data, contentIdentifier: identifier, replacesNote: replacesNote)
      if let item { editor.set(item, to: exif) } else { try editor.add(.exif, exif) }
      try editor.finished().tree.write(to: &writer)
    case .plain: break
    }
  }
}
