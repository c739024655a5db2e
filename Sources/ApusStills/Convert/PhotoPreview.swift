// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import HEIF
internal import ISOBMFF

/// A preview of a conversion, made without decoding.
public struct PhotoPreview: Sendable {
  /// The preview of one picture.
  public struct PlannedPicture: Sendable {
    /// The composition of the picture from coded data, with its size and colour.
    public var plan: PicturePlan
    /// The metadata of the picture as stored.
    public var metadata: PictureMetadata
    /// The plan of the gain map as stored, if the options keep or apply it and it can be planned.
    public var gainMap: PicturePlan?
    /// The sample layout of a picture that becomes a PNG, with its profile.
    public var samples: SampleLayout?
    /// The ICC profile of a picture that becomes a PNG; `nil` if the PNG gets none.
    public var profile: [UInt8]?
    /// The encoder of a picture that becomes a HEIC.
    public var encoder: CodecUse?

    /// The findings on the picture and its metadata.
    public var findings: [Finding] { plan.findings + metadata.findings }
  }

  /// The error that would prevent the conversion, with the other warnings.
  public struct Failed: Error {
    /// The error that would end the conversion.
    public var failure: MediaError
    /// The other warnings, as far as they are known before decoding.
    public var warnings: [String]

    public init(failure: MediaError, warnings: [String]) {
      self.failure = failure
      self.warnings = warnings
    }
  }

  /// The pictures that the options select, the primary one first.
  public private(set) var pictures: [PlannedPicture] = []
  /// Whether the file is copied unchanged instead of decoded.
  public private(set) var isCopied = false
  /// The contents of the file that the outputs would lack, if the options ask for them, except those found only by
  /// decoding.
  public private(set) var losses: [SourceHolding] = []
  /// The expected warnings, as far as they are known before decoding.
  public private(set) var warnings: [String] = []
  private let contents: PhotoContents

  /// Creates a preview; throws if the conversion would fail to start.
  public init(_ source: any ByteSource, options: ConvertOptions) throws(Failed) {
    let kind: FileKind
    do {
      kind = try FileKind(of: source)
      isCopied = try options.copies(source, kind)
      guard isCopied || options.decodes(kind) else { throw MediaError(kind) }
      contents = try PhotoContents(source, kind, options)
      isCopied = isCopied || options.edits(of: contents) != nil
    } catch {
      throw Failed(failure: MediaError(error), warnings: [])
    }
    do {
      try read(source, options)
    } catch {
      let failure = MediaError(error)
      // A text that appears as the error is not repeated as a warning.
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
      if case .heif(let file) = contents, let edits = options.edits(of: contents) {
        warnings = contents.warnings + (try CopiedHEIC(file, edits).warnings)
        pictures = [try picture(try file.primaryPicture(), of: file, options)]
      }
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
      pending.hasVideoBeside = options.live == .keep && contents.embeddedVideo() != nil
      var decision = try PictureDecision(pending, workers: 1)
      warnings += try decision.warningsBefore()
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
      let pending = PendingPicture(picture: picture, source: source, options: options)
      var decision = try PictureDecision(pending, workers: 1)
      let form = decision.pngForm()
      (found.samples, found.profile) = (form.layout, form.profile)
    }
    if options.hdr == .keep || options.hdr == .apply {
      // A gain map that cannot be planned is left out of the conversion as well.
      if let map = try? source.foundGainMap(of: picture) {
        found.gainMap = try? map.source.plan(map.picture)
      }
    }
    return found
  }

  /// All findings about the file, other than about its coded data and these pictures.
  public var findings: [Finding] { contents.findings }

  /// Returns the video of a Live Photo, either from the file or from its folder.
  ///
  /// - Parameter path: the path of the photo.
  public func video(of path: String, in videos: LiveVideos) throws(Failed) -> LiveVideo? {
    if !isCopied, let video = contents.embeddedVideo(in: path) { return video }
    do {
      return try videos.video(of: path, identifier: contents.liveIdentifier)
    } catch {
      throw Failed(failure: MediaError(error), warnings: warnings)
    }
  }
}

extension ConvertOptions {
  /// Returns whether a file is copied because it has the requested format already.
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
  /// Creates the error for an input that is not a photo.
  init(_ kind: FileKind) {
    self.init(
      .unsupported, of: .input,
      "is \(kind.description), not a HEIF, JPEG, PNG, PPM or Y4M photo")
  }
}
