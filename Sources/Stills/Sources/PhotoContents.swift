// SPDX-License-Identifier: MIT

public import Bytes
internal import HEIF
internal import ISOBMFF
internal import Media
internal import Metadata

/// A photo that was opened: what its pictures are.
enum PhotoContents: Sendable {
  case heif(PhotoFile)
  case jpeg(JPEGPhoto)
  /// One picture and nothing beside it.
  case plain(PlainPhoto)

  init(_ source: any ByteSource, _ kind: FileKind, _ options: ConvertOptions) throws(Refusal) {
    let data = Extent(source, 0..<source.count)
    switch kind {
    case .isoBMFF: break
    case .png, .pixmap, .y4m:
      self = .plain(try PlainPhoto(data, kind, options))
      return
    default:
      self = .jpeg(try JPEGPhoto(data, limits: options.limits))
      return
    }
    self = .heif(
      try reading { () throws(SyntaxError) in
        PhotoFile(
          try BoxTree(reading: source, limits: options.boxLimits), limits: options.limits,
          salvaging: options.salvages)
      })
  }

  var source: any PictureSource {
    switch self {
    case .heif(let file): file
    case .jpeg(let photo): photo
    case .plain(let photo): photo
    }
  }

  func primaryPicture() throws(Refusal) -> PhotoPicture {
    switch self {
    case .heif(let file):
      try reading { () throws(SyntaxError) in try file.primaryPicture() }
    case .jpeg, .plain: JPEGPhoto.picture
    }
  }

  /// What a Live Photo's picture and its video have in common; `nil` where the picture says nothing.
  var liveIdentifier: String? {
    // A picture whose metadata cannot be read fails when it is made.
    guard let picture = try? primaryPicture(), let metadata = try? source.metadata(of: picture)
    else { return nil }
    return metadata.exif.flatMap(ExifFacts.init)?.contentIdentifier
  }

  /// The video of a motion photo in a HEIF file; one in a JPEG stays where it is when that is copied.
  var motionVideo: Extent? {
    guard case .heif(let file) = self else { return nil }
    return file.tree.located.lazy.compactMap { $0.box(MotionVideo.self)?.video }
      .first { MotionVideoKind.isMovie($0) }
  }

  /// Everything beside the primary picture.
  func parts() throws(Refusal) -> [PhotoPart] {
    switch self {
    case .heif(let file):
      guard !file.graph.items.isEmpty else { return [] }
      return try reading { () throws(SyntaxError) in try ItemParts.parts(of: file) }
    case .jpeg(let photo): return try JPEGParts.parts(of: photo)
    case .plain: return []
    }
  }
}

extension PhotoPart {
  /// Everything in a photo beside its primary picture. Throws where the photo cannot be read.
  public static func parts(of source: any ByteSource, options: ConvertOptions = ConvertOptions())
    throws(SyntaxError) -> [PhotoPart]
  {
    let kind = try FileKind(of: source)
    do throws(Refusal) {
      guard kind == .isoBMFF || kind == .jpeg else {
        throw Refusal(.unsupported, "is \(kind.description), neither HEIF nor JPEG")
      }
      return try PhotoContents(source, kind, options).parts()
    } catch {
      throw SyntaxError(
        .unsupported, field: "", path: error.failure.path, offset: error.failure.offset ?? 0,
        detail: error.failure.message)
    }
  }
}
