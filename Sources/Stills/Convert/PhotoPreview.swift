// SPDX-License-Identifier: MIT

public import Bytes
public import HEIF
internal import ISOBMFF
public import Media

/// What a conversion would go by, read without decoding anything.
public struct PhotoPreview: Sendable {
  /// One picture of a photo.
  public struct PlannedPicture: Sendable {
    public var plan: PicturePlan
    public var metadata: PictureMetadata
    /// The plan of the gain map as it is stored, where options keep or apply it and it can be planned.
    public var gainMap: PicturePlan?
    /// How the samples of the picture lie, where it becomes a PNG, and the profile that it gets.
    public var samples: SampleLayout?
    public var profile: [UInt8]?
    /// The encoder of the picture, where it becomes a HEIC.
    public var encoder: CodecUse?
  }

  /// Why a photo would not be converted, and what would be warned of beside that.
  public struct Failed: Error {
    public var failure: MediaError
    public var warnings: [String]

    public init(failure: MediaError, warnings: [String]) {
      self.failure = failure
      self.warnings = warnings
    }
  }

  /// The pictures that the options ask for, the primary one first.
  public private(set) var pictures: [PlannedPicture] = []
  /// Whether the file is not decoded at all, but copied as it is.
  public private(set) var isCopied = false
  /// What of the file would not be in the outputs, where the options ask for that, except for what is found out only
  /// while pictures are decoded.
  public private(set) var losses: [SourceHolding] = []
  /// What would be warned of, as far as it is known before anything is decoded.
  public private(set) var warnings: [String] = []
  private let contents: PhotoContents

  /// Throws where the conversion would not begin either.
  public init(_ source: any ByteSource, options: ConvertOptions) throws(Failed) {
    let kind: FileKind
    do {
      kind = try FileKind(of: source)
      isCopied = try options.copies(source, kind)
      guard isCopied || options.decodes(kind) else { throw MediaError(kind) }
      contents = try PhotoContents(source, kind, options)
    } catch {
      throw Failed(failure: MediaError(error), warnings: [])
    }
    do {
      try read(source, options)
    } catch {
      let failure = MediaError(error)
      // What is said as the reason need not be said as a warning, too.
      throw Failed(failure: failure, warnings: warnings.filter { $0 != failure.description })
    }
  }

  private mutating func read(_ source: any ByteSource, _ options: ConvertOptions) throws {
    if options.weighsRemoval {
      var outputs = OutputContents(options, of: contents)
      outputs.isCopy = isCopied
      losses = outputs.losses(of: contents.holdings)
    }
    guard !isCopied else {
      guard case .jpeg(let photo) = contents else { return }
      warnings = try CopiedJPEG(photo, video: nil).warnings
      pictures = [try picture(JPEGPhoto.picture, of: photo, options)]
      return
    }
    warnings = contents.warnings
    let request = PhotoRequest(name: "", open: { source }, output: { _ in nil })
    let selection = OutputSelection(contents: contents, options: options, request: request)
    for output in try selection.outputs() {
      guard case .picture(var pending) = output.content else { continue }
      pending.options.hasVideoBeside = options.live == .keep && contents.embeddedVideo() != nil
      warnings += try pending.warningsBefore()
      var found = try picture(pending.picture, of: pending.source, options)
      if options.format == .heic {
        found.encoder = try CodecUse(encoding: found.plan, pending.options)
      }
      pictures.append(found)
    }
  }

  private func picture(
    _ picture: PhotoPicture, of source: any PictureSource, _ options: ConvertOptions
  ) throws -> PlannedPicture {
    var found = PlannedPicture(
      plan: try source.plan(picture), metadata: try source.metadata(of: picture))
    if options.format == .png {
      let form = try PicturePreparation(picture, in: source, options: options, workers: 1).pngForm
      (found.samples, found.profile) = (form.layout, form.profile)
    }
    if options.hdr == .keep || options.hdr == .apply {
      // One that cannot be planned is left out of the conversion, too.
      if let map = try? source.foundGainMap(of: picture) {
        found.gainMap = try? map.source.plan(map.picture)
      }
    }
    return found
  }

  /// Everything that is wrong with the file apart from its coded data and these pictures.
  public var findings: [Finding] { contents.findings }

  /// The video of a Live Photo: the one in the file, or the one beside it.
  ///
  /// - Parameter path: of the photo.
  public func video(of path: String, in videos: LiveVideos) throws(Failed) -> LiveVideo? {
    if !isCopied, let video = contents.embeddedVideo(in: path) { return video }
    do {
      return try videos.video(of: path, identifier: contents.liveIdentifier)
    } catch {
      throw Failed(failure: MediaError(error), warnings: warnings)
    }
  }
}

extension PendingPicture {
  /// What is warned of before the first tile is decoded. Throws where nothing would be decoded.
  func warningsBefore() throws -> [String] {
    guard options.format == .heic, options.longestSide == nil else {
      let preparation = try PicturePreparation(picture, in: source, options: options, workers: 1)
      _ = try preparation.firstPass()
      return preparation.warnings
    }
    var preparation = try HEICPreparation(
      picture, in: source, options: options, workers: 1, results: PassResults())
    return try preparation.warningsBefore()
  }
}

extension ConvertOptions {
  /// Whether a file that is what it would become stays as it is.
  func copies(_ source: any ByteSource, _ kind: FileKind) throws -> Bool {
    guard kind == .jpeg, format == .jpeg, takesJPEGAsItIs else { return false }
    guard let bounds else { return true }
    return try JPEGPhoto(Extent(source, 0..<source.count), limits: limits).fits(bounds)
  }

  func decodes(_ kind: FileKind) -> Bool {
    switch kind {
    case .isoBMFF, .jpeg, .png, .pixmap, .y4m: true
    default: false
    }
  }
}

extension MediaError {
  /// The input is of another kind than photos.
  init(_ kind: FileKind) {
    self.init(
      .unsupported, of: .input,
      "is \(kind.description), not a HEIF, JPEG, PNG, PPM or Y4M photo")
  }
}
