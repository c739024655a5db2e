// SPDX-License-Identifier: MIT

import Files
import Stills

/// What a command line of `convert`, `thumbnail` or `extract` asks for, once it is known to make sense.
struct ConvertSettings: Sendable {
  var options: ConvertOptions
  var target: ConvertTarget
  var onExists: OnExists
  /// Which time the files of outputs get.
  var time = OutputTime.keep
  /// Whether a small PNG says of which file it is.
  var describesSource = false
  /// Which photos are removed once they are converted; `nil` for none.
  var removal: RemovalChoice?
  var workers: Int
  /// Whether each photo is converted in a confined process.
  var isIsolated = false
  var isolation = IsolationLimits()
  /// Which files of a folder are taken.
  var kinds = PhotoKinds.heif
  var words = RunWords()
  /// What an export does with each file; `nil` where all are converted.
  var export: (any FilePlanner)?
  var inputs: InputOptions
  /// Files that say what to do, and are as little an output as the photos are.
  var documents: [String] = []
  var batch: BatchOptions

  /// - Parameter place: as `ConvertTarget.Place` finds it.
  init(
    _ options: ConvertOptions, inputs: InputOptions, output: OutputOptions, batch: BatchOptions,
    place: ConvertTarget.Place, name: OutputName
  ) {
    self.options = options
    self.inputs = inputs
    documents = inputs.lists
    self.batch = batch
    onExists = output.onExists
    workers = batch.workers
    target = ConvertTarget(
      place: place, name: name, pathExtension: options.format.pathExtension)
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
    throw UsageError(
      "--name \(template) must hold {stem} or {n}, and no other fields than \(fields)")
  }

  /// A photo with what the name of its output says beside its own.
  ///
  /// - Parameter number: the place of the photo in the run, from 1.
  func named(_ name: InputName, number: Int) -> InputName {
    guard target.name.needsFields, target.isTemplate else { return name }
    var name = name
    name.fields.number = number
    guard target.name.needsOrigin, let file = FileIdentity(name.path), file.isRegular else {
      return name
    }
    let origin = origin(of: name)
    name.fields.date = origin?.taken ?? CalendarTime(file.times)
    name.fields.camera = origin?.camera
    return name
  }

  /// The time at which a photo was taken and its camera; `nil` where it cannot be opened, or only once.
  func origin(of name: InputName) -> PhotoOrigin? {
    guard FileIdentity(name.path)?.isRegular == true,
      let source = try? name.opened(options.boxLimits)
    else { return nil }
    return PhotoOrigin(source, options: options)
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
}
