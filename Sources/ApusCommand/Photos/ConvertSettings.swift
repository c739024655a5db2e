// SPDX-License-Identifier: MIT

import Files
import Stills

/// What a command line of `convert`, `thumbnail`, `extract` or `export` asks for, once it is known to make sense.
struct ConvertSettings: Sendable {
  /// What the library is asked to do.
  var batch: BatchSettings
  /// Whether each photo is converted in a confined process.
  var isIsolated = false
  var isolation = IsolationLimits()
  var isJSON: Bool
  var words = RunWords()

  /// - Parameter place: as `BatchTarget.Place` finds it.
  init(
    _ options: ConvertOptions, inputs: InputOptions, output: OutputOptions, run: BatchOptions,
    place: BatchTarget.Place, name: OutputName
  ) {
    batch = BatchSettings(options, inputs: inputs.list, to: place, name: name)
    batch.onExists = output.onExists
    batch.workers = run.workers
    batch.journal = run.journal
    batch.depthDocument = { DepthJSON().bytes($0) }
    isJSON = run.json
  }

  /// A template that was typed.
  static func name(_ template: String) throws(UsageError) -> OutputName {
    if let name = OutputName(template) { return name }
    let fields = OutputName.fields.map { "{\($0)}" }.joined(separator: ", ")
    throw UsageError(
      "--name \(template) must hold {stem} or {n}, and no other fields than \(fields)")
  }

  /// What a picture is written as: what was typed, or what its file is called like.
  static func format(_ typed: OutputFormat?, _ place: BatchTarget.Place) throws(UsageError)
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

extension OutputTime: ArgumentValue {}
