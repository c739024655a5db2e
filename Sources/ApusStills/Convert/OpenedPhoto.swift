// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusJPEG
internal import ApusMedia
internal import ISOBMFF

/// An opened file with the outputs to be made from it.
struct OpenedPhoto {
  /// The remaining outputs, in reverse order.
  var pending: [PendingOutput] = []
  /// The error of the first part that could not be extracted, or of the video; the other outputs are written all the
  /// same.
  var failure: MediaError?
  /// Whether the available part of a truncated video is written.
  private(set) var isSalvaged = false
  /// The contents of the file and, if the caller needs to know, the part of them that the outputs will keep.
  private(set) var holdings: [SourceHolding] = []
  private(set) var held: OutputContents?

  /// Lists the contents of a written picture, if the caller needs to know.
  mutating func note(_ output: any PhotoOutput, isOpaque: Bool) throws {
    if held != nil { held?.add(try output.written(), isOpaque: isOpaque) }
  }

  /// Creates a photo that was not opened, because its output exists already.
  init() {}

  /// Opens a file, and reports the warnings known so far.
  ///
  /// - Parameter isThere: whether the output for the primary picture exists already, so that only additional files are
  ///   written.
  init(
    _ request: PhotoRequest, _ options: ConvertOptions, isThere: Bool,
    _ report: inout PhotoReport
  ) throws {
    let source = try request.open()
    report.bytesIn = source.count
    report.warnings += request.warnings
    if request.isCopied {
      report.warnings += try Self.checkWhole(source, request.name, options)
      report.isCopied = true
      pending.append(PendingOutput(.primary, .bytes([Extent(source, 0..<source.count)])))
      return
    }
    let kind = try FileKind(of: source)
    if request.longestSides.isEmpty, try options.copies(source, kind) {
      try copy(jpeg: source, request, options, isThere: isThere, &report)
      return
    }
    guard options.decodes(kind) || kind == .jpeg && !request.longestSides.isEmpty else {
      throw MediaError(kind)
    }
    let contents = try PhotoContents(source, kind, options)
    report.warnings += contents.warnings
    if options.weighsRemoval {
      holdings = contents.holdings
      held = OutputContents(options, of: contents)
    }
    if request.longestSides.isEmpty, let edits = options.edits(of: contents),
      case .heif(let file) = contents
    {
      let copy = try CopiedHEIC(file, edits)
      report.isCopied = true
      report.warnings += copy.warnings
      pending = isThere ? [] : [PendingOutput(.primary, .bytes(copy.content))]
      return
    }
    if options.job.makesOnePicture, options.job.thumbnail == nil, contents.hasContentCredentials {
      report.warnings.append(
        "the Content Credentials (C2PA) are left out, because they are only valid for the original")
    }
    let selection = OutputSelection(contents: contents, options: options, request: request)
    pending = try selection.outputs().reversed()
    report.isEmbedded = pending.last?.isEmbedded ?? false
    if pending.isEmpty { report.warnings.append(selection.emptiness) }
    if isThere { pending.removeAll { $0.role == .primary } }
    guard let video = try liveVideo(contents, request, options, &report) else { return }
    for index in pending.indices where pending[index].role == .primary {
      guard case .picture(var picture) = pending[index].content else { continue }
      if options.live == .motionPhoto { picture.video = video }
      picture.hasVideoBeside = options.live == .keep && video.basis == .embedded
      pending[index].content = .picture(picture)
    }
  }

  /// Throws if a picture that is passed on unchanged has damage that shows without decoding; returns its other
  /// findings.
  private static func checkWhole(
    _ source: any ByteSource, _ name: String, _ options: ConvertOptions
  ) throws -> [String] {
    let kind = try FileKind(of: source)
    let isNamedHEIF = PhotoKinds.heif.contains(name)
    guard kind == .jpeg || isNamedHEIF else { return [] }
    if kind == .unknown || kind == .empty { throw MediaError(kind) }
    guard kind == .jpeg || kind == .isoBMFF else { return [] }
    do {
      let contents = try PhotoContents(source, kind, options)
      if case .jpeg(let photo) = contents {
        try photo.checkCodes()
      } else {
        _ = try contents.source.plan(try contents.primaryPicture())
      }
      return contents.warnings
    } catch {
      // A kind that cannot be decoded here may be intact.
      let error = MediaError(error)
      guard error.kind == .unsupported || error.kind == .limit else { throw error }
      return []
    }
  }

  /// Prepares the copy of a JPEG, whatever its name: its bytes stay unchanged, except for the announcement of a video
  /// after it.
  private mutating func copy(
    jpeg source: any ByteSource, _ request: PhotoRequest, _ options: ConvertOptions,
    isThere: Bool, _ report: inout PhotoReport
  ) throws {
    let photo = try JPEGPhoto(Extent(source, 0..<source.count), limits: options.limits)
    let video = try liveVideo(.jpeg(photo), request, options, isCopied: true, &report)
    let copy = try CopiedJPEG(photo, video: options.live == .motionPhoto ? video : nil)
    if copy.leavesVideo { report.live = video.map { PhotoReport.Live($0, .dropped) } }
    guard !isThere else { return }
    do {
      try photo.checkCodes()
    } catch {
      guard options.salvages else { throw error }
      isSalvaged = true
      report.warnings.append("\(MediaError(error))")
    }
    report.isCopied = true
    report.warnings += copy.warnings
    var output = PendingOutput(.primary, .bytes(copy.content))
    output.size = (photo.header.width, photo.header.height)
    pending.append(output)
  }

  /// Finds and reports the video of a Live Photo; a video that is stored next to the output is queued to be written
  /// last.
  private mutating func liveVideo(
    _ contents: PhotoContents, _ request: PhotoRequest, _ options: ConvertOptions,
    isCopied: Bool = false, _ report: inout PhotoReport
  ) throws -> LiveVideo? {
    guard let choice = options.live, let find = request.video else { return nil }
    let identifier = contents.liveIdentifier
    let found =
      // A video in a JPEG stays in place when the JPEG is copied.
      if !isCopied, let video = contents.embeddedVideo(in: request.name) {
        video
      } else {
        try find(identifier)
      }
    guard var found else { return nil }
    if choice == .motionPhoto { try found.addFileType() }
    if let failure = found.failure(options) {
      // The picture next to it is intact.
      guard choice == .keep else { throw failure }
      report.live = PhotoReport.Live(found, .dropped)
      self.failure = failure
      return nil
    }
    report.warnings += found.warnings
    if choice != .drop, found.gap != nil { isSalvaged = true }
    switch choice {
    case .drop: report.live = PhotoReport.Live(found, .dropped)
    case .motionPhoto: report.live = PhotoReport.Live(found, .appended)
    case .keep:
      report.live = PhotoReport.Live(found, .kept)
      if found.isInPlace {
        report.live?.output = found.path
      } else {
        let ending = found.pathExtension
        pending.insert(
          PendingOutput(.video(extension: ending), .bytes([found.extent])), at: 0)
      }
    }
    return found
  }
}
