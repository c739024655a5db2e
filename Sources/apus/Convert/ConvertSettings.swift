// SPDX-License-Identifier: MIT

import Files
import Stills

/// What a command line of `convert` asks for, once it is known to make sense.
struct ConvertSettings: Sendable {
  var options: ConvertOptions
  var target: ConvertTarget
  var onExists: OnExists
  var removesSources: Bool
  var workers: Int
  var isolation: IsolationLimits

  init(_ verb: Convert) throws(UsageError) {
    options = ConvertOptions()
    verb.picture.apply(to: &options)
    verb.decoding.apply(to: &options)
    verb.batch.apply(to: &options)
    options.limits = verb.limits.plan
    options.boxLimits = verb.limits.boxes
    isolation = verb.limits.isolation
    onExists = verb.output.onExists
    removesSources = verb.batch.removeSource
    workers = verb.batch.workers
    let place = try Self.place(verb)
    options.format = try Self.format(verb, place)
    guard let name = OutputName(verb.name) else {
      let fields = OutputName.fields.map { "{\($0)}" }.joined(separator: ", ")
      throw UsageError(
        "--name \(verb.name) must hold {stem}, and no other fields than \(fields)")
    }
    target = ConvertTarget(
      place: place, name: name, pathExtension: options.format.pathExtension)
    try check(verb)
  }

  /// What tells this run from one whose outputs are others.
  var purpose: String {
    let folder =
      switch target.place {
      case .beside: "beside the photos"
      case .folder(let path), .file(let path), .pipe(let path): "to \(path)"
      }
    return "\(options.format.rawValue) \(folder)"
  }

  private static func place(_ verb: Convert) throws(UsageError) -> ConvertTarget.Place {
    guard let path = verb.output.path else {
      guard verb.writesNothing || !verb.inputs.operands.contains("-") else {
        throw UsageError("standard input has no name to write under: -o FILE, or -o - for a pipe")
      }
      return .beside
    }
    if path == "-" || FileIdentity(path).map({ !$0.isRegular && !FileWalk.isFolder(path) }) == true
    {
      guard !verb.inputs.several else {
        throw UsageError("\(path) takes one picture; several need a folder: -o FOLDER/")
      }
      guard !verb.batch.removeSource else {
        throw UsageError("--remove-source needs an output that stays, which \(path) is not")
      }
      guard verb.decoding.images == .primary else {
        throw UsageError("\(path) takes one picture; --images all needs a file or a folder")
      }
      guard path != "-" || !verb.batch.json else {
        throw UsageError("--json and -o - both write to standard output")
      }
      return .pipe(path)
    }
    if path.hasSuffix("/") || FileWalk.isFolder(path) {
      guard verb.writesNothing || !verb.inputs.operands.contains("-") else {
        throw UsageError("standard input has no name to write under in \(path): -o FILE")
      }
      return .folder(path)
    }
    guard !verb.inputs.several else {
      throw UsageError("several inputs need a folder to write to, \(path) is none: -o \(path)/")
    }
    return .file(path)
  }

  private static func format(_ verb: Convert, _ place: ConvertTarget.Place) throws(UsageError)
    -> OutputFormat
  {
    if let format = verb.picture.format { return format }
    guard case .file(let path) = place else { return .jpeg }
    guard let format = OutputFormat(extensionOf: path) else {
      let formats = OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("the name \(path) does not say what to write: --format \(formats)")
    }
    return format
  }

  private func check(_ verb: Convert) throws(UsageError) {
    guard !options.verifies || options.format == .jpeg else {
      let option = removesSources ? "--remove-source" : "--verify"
      throw UsageError("\(option) reads a JPEG again, and the output is \(options.format.rawValue)")
    }
    guard options.frame == nil || options.images == .primary else {
      throw UsageError("--frame is one picture, --images all are several; only one can be")
    }
  }
}
