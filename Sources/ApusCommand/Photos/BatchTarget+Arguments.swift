// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

extension BatchTarget.Place {
  /// Reads and checks the destination that `-o` names.
  init(
    _ output: OutputOptions, _ inputs: InputOptions, isJSON: Bool, writesNothing: Bool
  ) throws(UsageError) {
    let isPiped = !writesNothing && inputs.operands.contains("-")
    guard let path = output.path else {
      guard !isPiped else {
        throw UsageError("standard input has no file name; use -o FILE, or -o - for a pipe")
      }
      self = .beside
      return
    }
    let isSpecial = FileIdentity(path).map { !$0.isRegular && !FileWalk.isFolder(path) } == true
    if path == "-" || isSpecial {
      guard !inputs.several else {
        throw UsageError("\(path) holds one picture; for several, use a folder: -o FOLDER/")
      }
      guard path != "-" || !isJSON || Console.hasOwnResults else {
        throw UsageError("--json and -o - both write to standard output")
      }
      self = .pipe(path)
    } else if path.endsWithSlash || FileWalk.isFolder(path) {
      guard !isPiped else {
        throw UsageError("standard input has no file name to use in \(path); use -o FILE")
      }
      self = .folder(path)
    } else {
      guard !inputs.several else {
        throw UsageError(
          "several inputs need an output folder, and \(path) is not one: -o \(path)/")
      }
      self = .file(path)
    }
  }
}
