// SPDX-License-Identifier: MIT

import Files
import Stills

/// The destination of the outputs of a run.
struct ConvertTarget: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    /// The folder of each photo.
    case beside
    case folder(String)
    case file(String)
    /// Standard output, or something else that cannot be taken back.
    case pipe(String)
  }

  let place: Place
  let name: OutputName
  let pathExtension: String

  /// Whether outputs are called by the template.
  var isTemplate: Bool {
    switch place {
    case .beside, .folder: true
    case .file, .pipe: false
    }
  }

  /// The folder that outputs go to; `nil` where they go somewhere else.
  var folder: String? { if case .folder(let folder) = place { folder } else { nil } }

  /// Returns the path of the picture of an input.
  ///
  /// - Parameter own: what the output ends with; `nil` for what those of the run do.
  func path(_ role: PictureRole, of input: InputName, extension own: String? = nil) -> String {
    let pathExtension = own ?? self.pathExtension
    let fileName = lastName(of: input.path)
    switch place {
    case .pipe(let path): return path
    case .file(let path):
      if role == .primary { return path }
      let last = lastName(of: path)
      let ending = last.lastIndex(of: ".").map { String(last[$0...].dropFirst()) }
      if case .part(_, let own) = role {
        // What only says more of a part is beside it.
        guard own == "json" || own == "hvcc" else { return path }
        return OutputName()?.path(
          of: .part("", extension: own), for: last, in: folder(of: path), extension: own) ?? path
      }
      if case .video(let own) = role {
        return OutputName()?.path(of: role, for: last, in: folder(of: path), extension: own) ?? path
      }
      guard let template = OutputName(ending == nil ? "{dir}/{stem}" : OutputName.standard) else {
        return path
      }
      return template.path(of: role, for: last, in: folder(of: path), extension: ending ?? "")
    case .folder(let folder):
      let inner = self.folder(of: input.relative)
      let whole = inner.isEmpty ? folder : folder + (folder.endsWithSlash ? "" : "/") + inner
      return name.path(
        of: role, for: fileName, in: whole, extension: pathExtension, parent: parent(of: input),
        fields: input.fields)
    case .beside:
      return name.path(
        of: role, for: fileName, in: folder(of: input.path), extension: pathExtension,
        parent: parent(of: input), fields: input.fields)
    }
  }

  /// The name of the folder that an input lies in, whatever it was reached by.
  private func parent(of input: InputName) -> String {
    lastName(of: folder(of: FileSystem.absolutePath(input.path)))
  }

  /// Empty for the working folder.
  private func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func lastName(of path: String) -> String { String(path.lastName) }
}

extension ConvertTarget.Place {
  /// Reads the place that `-o` names, once it is known to make sense.
  init(
    _ output: OutputOptions, _ inputs: InputOptions, isJSON: Bool, writesNothing: Bool
  ) throws(UsageError) {
    let isPiped = !writesNothing && inputs.operands.contains("-")
    guard let path = output.path else {
      guard !isPiped else {
        throw UsageError("standard input has no name to write under: -o FILE, or -o - for a pipe")
      }
      self = .beside
      return
    }
    let isSpecial = FileIdentity(path).map { !$0.isRegular && !FileWalk.isFolder(path) } == true
    if path == "-" || isSpecial {
      guard !inputs.several else {
        throw UsageError("\(path) takes one picture; several need a folder: -o FOLDER/")
      }
      guard path != "-" || !isJSON || Console.hasOwnResults else {
        throw UsageError("--json and -o - both write to standard output")
      }
      self = .pipe(path)
    } else if path.endsWithSlash || FileWalk.isFolder(path) {
      guard !isPiped else {
        throw UsageError("standard input has no name to write under in \(path): -o FILE")
      }
      self = .folder(path)
    } else {
      guard !inputs.several else {
        throw UsageError("several inputs need a folder to write to, \(path) is none: -o \(path)/")
      }
      self = .file(path)
    }
  }
}
