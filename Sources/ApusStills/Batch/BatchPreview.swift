// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusFiles
public import ApusMedia

/// The expected result for one file of a batch.
public struct PlannedFile: Sendable {
  /// The work that the batch would do on the file.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    case convert, copy, skip
    /// A thumbnail would be written.
    case make
  }

  /// The path of the file; `-` for standard input.
  public var input: String
  /// The work on the file; `skip` if its outputs exist and are to be kept.
  public var action: Action
  /// The paths of the files that would be written, the primary picture first.
  public var outputs: [String] = []
  /// The outputs that exist already.
  public var existing: [String] = []
  /// The decision about the file itself, if its removal was requested.
  public var removal: SourceRemoval?
  /// The expected warnings, as far as they are known before decoding.
  public var warnings: [String] = []
  /// The reason why the photo would count as failed although its picture would be written.
  public var failure: MediaError?
  /// The pictures that would be written, the first one first; empty for a file that is skipped unread.
  public var pictures: [PhotoPreview.PlannedPicture] = []
  /// The video of a Live Photo.
  public var live: PhotoReport.Live?
  /// The findings on the file apart from its coded data and its pictures.
  public var findings: [Finding] = []
}

/// A preview of a batch, one file at a time; nothing is decoded or written.
public struct BatchPreview: ~Copyable {
  /// The preview of one file.
  public enum Outlook: Sendable {
    case planned(PlannedFile)
    /// The file would fail, with these warnings.
    case failed(input: String, any Error, warnings: [String])
    /// The named movie is the video of a photo, so it is not a file of the batch.
    case companion(movie: String, photo: String)
  }

  private let settings: BatchSettings
  private let outputs: BatchOutputs
  private let claims: OutputClaims
  private var names: BatchNames

  /// Creates a preview of the batch that these settings describe.
  public init(_ settings: BatchSettings) {
    self.settings = settings.safe
    outputs = BatchOutputs(self.settings)
    claims = OutputClaims(except: self.settings.inputFiles, mayWrite: false)
    names = BatchNames(self.settings, outputs)
  }

  /// Returns the preview of the next file, or `nil` after the last. After an error, the next call continues with the
  /// name that follows the unreadable one.
  public mutating func next() throws(FileError) -> Outlook? {
    switch try names.next() {
    case .file(let name, let number): outlook(for: name, settings.fields(of: name, number: number))
    case .companion(let movie, let photo): .companion(movie: movie, photo: photo)
    case nil: nil
    }
  }

  private func outlook(for name: InputName, _ fields: NameFields) -> Outlook {
    do {
      return .planned(try plan(for: name, fields))
    } catch let error as PhotoPreview.Failed {
      return .failed(input: name.path, error.failure, warnings: error.warnings)
    } catch {
      return .failed(input: name.path, error, warnings: [])
    }
  }

  private func plan(for name: InputName, _ fields: NameFields) throws -> PlannedFile {
    let path = settings.target.path(.primary, of: name, fields)
    let source = try name.opened(settings.options.boxLimits)
    if let report = outputs.refusal(of: name, path, claims.claim(path, for: name.path)) {
      if let failure = report.failure { throw failure }
      var plan = PlannedFile(input: name.path, action: .skip)
      plan.existing = report.existing
      return decided(plan, report.reasonsToKeepSource)
    }
    let preview = try PhotoPreview(source, options: settings.options)
    var plan = PlannedFile(
      input: name.path, action: settings.options.job.thumbnail == nil ? .convert : .make)
    plan.warnings = preview.warnings
    plan.pictures = preview.pictures
    plan.findings = preview.findings
    plan.outputs = preview.pictures.indices.map { index in
      settings.target.path(index == 0 ? .primary : .other(index + 1), of: name, fields)
    }
    try add(video: name, fields, preview, to: &plan)
    if preview.isCopied { plan.action = .copy }
    if settings.onExists == .rename {
      let video = plan.outputs.firstIndex { $0 == plan.live?.output }
      plan.outputs = plan.outputs.map { FileOutput.freeName(for: $0) }
      if let video { plan.live?.output = plan.outputs[video] }
    }
    plan.existing = plan.outputs.filter { FileIdentity($0)?.isRegular == true }
    var reasons: [SourceRemoval.Reason] = preview.losses.map { .holds($0) }
    if plan.failure != nil { reasons.append(.notConverted(.failed)) }
    // Whatever a copy is warned about is in the copy as well.
    if !plan.warnings.isEmpty, !preview.isCopied { reasons.append(.warned(plan.warnings.count)) }
    if settings.onExists == .skip {
      reasons = plan.existing.map { .outputExisted($0) } + (plan.existing.isEmpty ? reasons : [])
      if plan.existing.count == plan.outputs.count { plan.action = .skip }
    }
    return decided(plan, reasons)
  }

  private func decided(_ plan: PlannedFile, _ reasons: [SourceRemoval.Reason]) -> PlannedFile {
    guard let choice = settings.removal else { return plan }
    var plan = plan
    let file = SourceFile(plan.input, FileIdentity(plan.input))
    plan.removal = SourceRemoval(choice, reasons + file.reasonsToKeep)
    return plan
  }

  /// Adds the video of a Live Photo, if there is one, and the warnings about it.
  private func add(
    video name: InputName, _ fields: NameFields, _ preview: PhotoPreview,
    to plan: inout PlannedFile
  ) throws {
    guard let choice = settings.options.live, name.path != "-" else { return }
    guard let video = try preview.video(of: name.path, in: outputs.videos) else { return }
    plan.live = PhotoReport.Live(
      video: video.path, bytes: video.extent.count, basis: video.basis, outcome: choice.outcome,
      output: nil)
    if let failure = video.failure(settings.options) {
      guard choice == .keep else {
        throw PhotoPreview.Failed(failure: failure, warnings: preview.warnings)
      }
      plan.failure = failure
      plan.live?.outcome = .dropped
      return
    }
    plan.warnings += video.warnings
    guard choice == .keep else { return }
    let path = settings.target.path(.video(extension: video.pathExtension), of: name, fields)
    let isInPlace =
      video.file.flatMap { file in FileIdentity(path).map { $0.isSameFile(as: file) } } ?? false
    plan.live?.output = path
    if !isInPlace { plan.outputs.append(path) }
  }
}

extension LiveChoice {
  fileprivate var outcome: PhotoReport.Live.Outcome {
    switch self {
    case .keep: .kept
    case .motionPhoto: .appended
    case .drop: .dropped
    }
  }
}
