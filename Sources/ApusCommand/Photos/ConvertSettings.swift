// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// The settings of a valid command line of `convert`, `thumbnail`, `extract` or `export`.
struct ConvertSettings: Sendable {
  /// The job for the library.
  var batch: BatchSettings
  /// Whether each photo is converted in a confined process.
  var isIsolated = false
  var isolation: IsolationLimits
  var isJSON: Bool
  var words = RunWords()

  /// - Parameters:
  ///   - place: as `BatchTarget.Place` finds it.
  ///   - template: the template for output names, as it was typed.
  init(
    _ options: ConvertOptions, inputs: InputOptions, output: OutputOptions, run: BatchOptions,
    limits: PhotoLimitOptions, place: BatchTarget.Place, name template: String
  ) throws(UsageError) {
    guard let name = OutputName(template) else {
      let fields = OutputName.fields.map { "{\($0)}" }.joined(separator: ", ")
      throw UsageError(
        "--name \(template) must contain {stem} or {n}, and only the fields \(fields)")
    }
    batch = BatchSettings(options, inputs: inputs.list, to: place, name: name)
    batch.options.limits = limits.plan
    batch.options.boxLimits = limits.boxes
    isolation = limits.isolation
    batch.onExists = output.onExists
    batch.workers = run.workers
    batch.journal = run.journal
    batch.depthDocument = { $0.document }
    isJSON = run.json
  }

  /// The output format: the one typed, or that of the file's extension.
  static func format(_ typed: OutputFormat?, _ place: BatchTarget.Place) throws(UsageError)
    -> OutputFormat
  {
    if let typed { return typed }
    guard case .file(let path) = place else { return .jpeg }
    guard let format = OutputFormat(extensionOf: path) else {
      let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("the extension of \(path) names no output format; use --format \(formats)")
    }
    return format
  }
}

extension OutputTime: ArgumentValue {}
