// SPDX-License-Identifier: MIT

import Files
import Stills

/// What a command line of `convert`, `thumbnail` or `extract` asks for, once it is known to make sense.
struct ConvertSettings: Sendable {
  var options: ConvertOptions
  var target: ConvertTarget
  var onExists: OnExists
  var removesSources: Bool
  var workers: Int
  var isolation = IsolationLimits()
  /// Which files of a folder are taken.
  var kinds = PhotoKinds.heif
  var words = RunWords()
  /// What an export does with each file; `nil` where all are converted.
  var export: ExportPlanner?
  var inputs: InputOptions
  var batch: BatchOptions

  /// - Parameter place: as `ConvertTarget.Place` finds it.
  init(
    _ options: ConvertOptions, inputs: InputOptions, output: OutputOptions, batch: BatchOptions,
    place: ConvertTarget.Place, name: OutputName
  ) {
    self.options = options
    self.inputs = inputs
    self.batch = batch
    onExists = output.onExists
    removesSources = false
    workers = batch.workers
    target = ConvertTarget(
      place: place, name: name, pathExtension: options.format.pathExtension)
  }

  init(_ verb: Convert) throws(UsageError) {
    options = ConvertOptions()
    verb.picture.apply(to: &options)
    verb.heic.apply(to: &options)
    verb.decoding.apply(to: &options)
    verb.batch.apply(to: &options)
    options.limits = verb.limits.plan
    options.boxLimits = verb.limits.boxes
    isolation = verb.limits.isolation
    onExists = verb.output.onExists
    removesSources = verb.batch.removeSource
    inputs = verb.inputs
    batch = verb.batch.run
    workers = batch.workers
    let place = try Self.place(verb)
    options.format = try Self.format(verb.picture.format, place)
    if options.format == .heic {
      kinds = .ordinary
      if verb.picture.quality == nil { options.quality = HEICChoices.usualQuality }
    }
    target = ConvertTarget(
      place: place, name: try Self.name(verb.name), pathExtension: options.format.pathExtension)
    try check(verb)
  }

  /// What tells this run from one whose outputs are others.
  var purpose: String {
    let folder =
      switch target.place {
      case .beside: "beside the photos"
      case .folder(let path), .file(let path), .pipe(let path): "to \(path)"
      }
    let videos = options.live.map { $0 == .drop ? "" : " live \($0.rawValue)" } ?? ""
    if let export { return "\(export.purpose) \(folder)" }
    return "\(options.format.rawValue)\(videos) \(folder)"
  }

  /// A template that was typed.
  static func name(_ template: String) throws(UsageError) -> OutputName {
    if let name = OutputName(template) { return name }
    let fields = OutputName.fields.map { "{\($0)}" }.joined(separator: ", ")
    throw UsageError("--name \(template) must hold {stem}, and no other fields than \(fields)")
  }

  /// A group goes into one file.
  private static func place(_ verb: Convert) throws(UsageError) -> ConvertTarget.Place {
    guard verb.heic.frameRate == nil || verb.heic.group == .sequence else {
      throw UsageError("--fps goes with --group sequence")
    }
    guard verb.heic.group != nil else {
      return try ConvertTarget.Place(
        verb.output, verb.inputs, isJSON: verb.batch.json, writesNothing: verb.writesNothing)
    }
    guard let path = verb.output.path, path != "-", !path.hasSuffix("/") else {
      throw UsageError("--group writes one file, which -o has to name: -o FILE.heic")
    }
    guard OutputFormat(extensionOf: path) ?? .heic == .heic, verb.picture.format ?? .heic == .heic
    else { throw UsageError("--group writes a HEIC, and \(path) would be none") }
    guard !verb.writesNothing, !verb.batch.verify, !verb.batch.removeSource,
      verb.batch.run.journal == nil
    else {
      throw UsageError(
        "--group has no plan, no journal, and verifies and removes nothing: --dry-run, --journal, "
          + "--verify and --remove-source do not go with it")
    }
    return .file(path)
  }

  /// What a picture is written as: what was typed, or what its file is called like.
  static func format(_ typed: OutputFormat?, _ place: ConvertTarget.Place) throws(UsageError)
    -> OutputFormat
  {
    if let typed { return typed }
    guard case .file(let path) = place else { return .jpeg }
    guard let format = OutputFormat(extensionOf: path) else {
      let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("the name \(path) does not say what to write: --format \(formats)")
    }
    return format
  }

  private func check(_ verb: Convert) throws(UsageError) {
    if case .pipe(let path) = target.place {
      guard !removesSources else {
        throw UsageError("--remove-source needs an output that stays, which \(path) is not")
      }
      guard verb.decoding.images == .primary else {
        throw UsageError("\(path) takes one picture; --images all needs a file or a folder")
      }
    }
    guard !options.verifies || [.jpeg, .heic].contains(options.format) else {
      let option = removesSources ? "--remove-source" : "--verify"
      throw UsageError(
        "\(option) reads a JPEG or HEIC again, and the output is \(options.format.rawValue)")
    }
    guard options.hdr != .apply || options.format == .png else {
      throw UsageError(
        "--hdr apply needs samples of 16 bits: --format png, not \(options.format.rawValue)")
    }
    guard options.headroom == nil || options.hdr == .apply else {
      throw UsageError("--headroom says for which display --hdr apply renders, and goes with it")
    }
    try checkLive()
    guard options.frame == nil || options.images == .primary else {
      throw UsageError("--frame is one picture, --images all are several; only one can be")
    }
  }

  private func checkLive() throws(UsageError) {
    guard let live = options.live, live != .drop else { return }
    guard options.strip == .nothing else {
      throw UsageError(
        "--live \(live.rawValue) takes videos as they are, coordinates included, which --strip leaves out; "
          + "--live drop leaves them where they are")
    }
    guard options.frame == nil, options.images == .primary else {
      throw UsageError("--live \(live.rawValue) goes with the primary picture alone")
    }
    switch live {
    case .motionPhoto:
      guard options.format == .jpeg else {
        throw UsageError(
          "a motion photo is a JPEG, and the output is \(options.format.rawValue);"
            + " --live keep or drop")
      }
    case .keep:
      if case .pipe(let path) = target.place {
        throw UsageError(
          "\(path) takes one picture and no video beside it; --live motion-photo or drop")
      }
    case .drop: break
    }
  }
}
