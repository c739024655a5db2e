// SPDX-License-Identifier: MIT

public import Bytes
public import HEIF
internal import ISOBMFF
public import Media

/// What a conversion would go by, read without decoding anything.
public struct PhotoPreview: Sendable {
  /// One picture of a photo.
  public struct Picture: Sendable {
    public var plan: PicturePlan
    public var metadata: PictureMetadata
    /// As the map is stored, where options keep or apply it and it can be planned.
    public var gainMap: PicturePlan?
  }

  /// Those that the options ask for, the primary one first.
  public private(set) var pictures: [Picture] = []
  /// Whether the file is not decoded at all, but copied as it is.
  public private(set) var isCopied = false
  private let contents: PhotoContents

  /// Throws where the conversion would not begin either.
  public init(_ source: any ByteSource, options: ConvertOptions) throws(PhotoReport.Failure) {
    do throws(Refusal) {
      try self.init(reading: source, options)
    } catch {
      throw error.failure
    }
  }

  private init(reading source: any ByteSource, _ options: ConvertOptions) throws(Refusal) {
    let kind = try reading { () throws(SyntaxError) in try FileKind(of: source) }
    isCopied = options.copies(kind)
    guard isCopied || options.decodes(kind) else { throw Refusal(.unsupported, kind: kind) }
    contents = try PhotoContents(source, kind, options)
    let holder = contents.source
    for picture in try contents.pictures(options) {
      var found = try reading { () throws(SyntaxError) in
        Picture(plan: try holder.plan(picture), metadata: try holder.metadata(of: picture))
      }
      if options.hdr == .keep || options.hdr == .apply {
        // One that cannot be planned is left out of the conversion, too.
        if let map = try? holder.foundGainMap(of: picture) {
          found.gainMap = try? map.source.plan(map.picture)
        }
      }
      pictures.append(found)
    }
  }

  /// The video of a Live Photo: the one in the file, or the one beside it.
  ///
  /// - Parameter path: of the photo.
  public func video(of path: String, in videos: LiveVideos) throws(PictureError) -> LiveVideo? {
    if let video = contents.motionVideo { return LiveVideo(embedded: video, in: path) }
    return try videos.video(of: path, identifier: contents.liveIdentifier)
  }
}

extension PhotoReport.Failure: Error {}

extension PhotoContents {
  fileprivate func pictures(_ options: ConvertOptions) throws(Refusal) -> [PhotoPicture] {
    guard case .heif(let file) = self else { return [JPEGPhoto.picture] }
    return try reading { () throws(SyntaxError) in
      if let frame = options.frame { return [try file.frame(frame)] }
      return options.images == .all ? file.pictures : [try file.primaryPicture()]
    }
  }
}

extension ConvertOptions {
  /// Whether what is such a file already stays as it is.
  func copies(_ kind: FileKind) -> Bool {
    kind == .jpeg && format == .jpeg && takesJPEGAsItIs
  }

  func decodes(_ kind: FileKind) -> Bool {
    switch kind {
    case .isoBMFF: true
    case .jpeg: format == .heic || !takesJPEGAsItIs
    case .png, .pixmap, .y4m: format == .heic
    default: false
    }
  }
}

extension Refusal {
  init(_ code: PictureError.Kind, kind: FileKind) {
    self.init(code, "is \(kind.description), not a HEIF photo")
  }
}
