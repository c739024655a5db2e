// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// The contents of an opened photo, by kind of file.
enum PhotoContents: Sendable {
  case heif(PhotoFile)
  case jpeg(JPEGPhoto)
  /// A file with one picture and nothing else.
  case plain(PlainPhoto)

  init(_ source: any ByteSource, _ kind: FileKind, _ options: ConvertOptions) throws {
    let data = Extent(source, 0..<source.count)
    switch kind {
    case .isoBMFF:
      // JPEG XL has a container of boxes.
      guard try !data.prefix(8).bytes().dropFirst(4).elementsEqual("JXL ".utf8) else {
        throw MediaError(.jpegXL)
      }
    case .png, .pixmap, .y4m:
      self = .plain(try PlainPhoto(data, kind, options))
      return
    default:
      self = .jpeg(try JPEGPhoto(data, limits: options.limits))
      return
    }
    self = .heif(
      PhotoFile(
        try BoxTree(reading: source, limits: options.boxLimits), limits: options.limits,
        salvaging: options.salvages))
  }

  /// The maximum number of findings about a file that are shown as warnings.
  private static let mostWarnings = 12

  /// All findings about the file, other than about its coded data.
  var findings: [Finding] {
    if case .heif(let file) = self { file.findings } else { [] }
  }

  /// Warnings for the findings that do not prevent conversion.
  var warnings: [String] {
    let findings = findings.map { finding in
      (finding.path.isEmpty ? "" : finding.path + " ")
        + "at byte \(finding.offset): \(finding.message)"
    }
    let hidden = findings.count - Self.mostWarnings
    return findings.prefix(Self.mostWarnings)
      + (hidden > 0 ? ["\(hidden) more findings are not shown; apus info lists them"] : [])
  }

  var source: any PictureSource {
    switch self {
    case .heif(let file): file
    case .jpeg(let photo): photo
    case .plain(let photo): photo
    }
  }

  func primaryPicture() throws -> PhotoPicture {
    switch self {
    case .heif(let file):
      try file.primaryPicture()
    case .jpeg, .plain: JPEGPhoto.picture
    }
  }

  /// Whether the file has Content Credentials (C2PA), which an output with other bytes makes invalid.
  var hasContentCredentials: Bool {
    switch self {
    case .heif(let file): !file.tree.contentCredentials.isEmpty
    case .jpeg(let photo): !photo.segments.contentCredentials.isEmpty
    case .plain(let photo):
      photo.holdings.contains { $0.kind == .segments && $0.names.contains("caBX") }
    }
  }

  /// The identifier that the picture of a Live Photo shares with its video; `nil` if the picture has none.
  var liveIdentifier: String? {
    // A picture with unreadable metadata fails during conversion.
    guard let picture = try? primaryPicture(), let metadata = try? source.metadata(of: picture)
    else { return nil }
    return metadata.exif.flatMap(ExifFacts.init)?.contentIdentifier
  }

  /// The video of a motion photo.
  ///
  /// - Parameter path: the path of the file.
  func embeddedVideo(in path: String = "") -> LiveVideo? {
    guard case .heif(let file) = self else {
      guard let part = try? parts().first(where: { $0.role == .motionVideo }),
        case .bytes(let extents, _) = part.content, let video = extents.first
      else { return nil }
      var found = LiveVideo(embedded: video, in: path)
      found.gap = part.gap
      return found
    }
    for located in file.tree.located {
      guard let video = located.box(MotionVideo.self)?.video, MotionVideoKind.isMovie(video) else {
        continue
      }
      var found = LiveVideo(embedded: video, in: path)
      found.gap = MotionVideoKind.gap(in: video, of: located)
      return found
    }
    return nil
  }

  /// Returns all parts other than the primary picture.
  func parts() throws -> [PhotoPart] {
    switch self {
    case .heif(let file):
      guard !file.graph.items.isEmpty else { return [] }
      return try ItemParts.parts(of: file)
    case .jpeg(let photo): return try JPEGParts.parts(of: photo)
    case .plain: return []
    }
  }

  var tracks: [ListedTrack] {
    guard case .heif(let file) = self else { return [] }
    return file.movie.tracks.map(ListedTrack.init)
  }
}
