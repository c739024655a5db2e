// SPDX-License-Identifier: MIT

import Bytes
import Files
import ISOBMFF

/// Where a verb that changes boxes writes: another file, or the same one.
struct EditOutput: ArgumentGroup {
  static let heading = "Output"

  var output = OutputOptions()
  var inPlace = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try output.arguments(&v)
    try v.flag(
      "in-place", &inPlace,
      "change the file itself: only the bytes that differ, or all of it when sizes change")
  }

  /// Finishes a change in place of the file that an earlier run was interrupted in, before it is read.
  func finishEarlierChange(of file: String, _ console: Console) throws {
    guard inPlace, !output.dryRun, file != "-", try FilePatch.finish(file) else { return }
    console.note("\(file): finished a change in place that was interrupted")
  }

  /// Writes a changed file, or says what would be written.
  func write(_ edited: EditedFile, of input: Input, _ console: Console) throws -> ExitStatus {
    guard !inPlace || output.path == nil else {
      throw UsageError("--in-place writes the file itself, -o another one; only one can be")
    }
    if output.dryRun {
      try EditPreview(edited: edited, source: input.source).print(on: console)
      return edited.splices?.isEmpty == true ? .nothingToDo : .done
    }
    guard inPlace else {
      let path = try output.target(for: input, several: false)
      try output.refuseInputs(path, for: input)
      return try write(edited.tree, to: path, console)
    }
    guard let file = input.source as? FileSource, input.name != "-" else {
      throw UsageError("\(input.name) is no file that could be changed in place: -o OUT")
    }
    guard let splices = edited.splices else {
      return try write(edited.tree, to: input.name, console, .replace)
    }
    try FilePatch.apply(splices.map { ($0.range.lowerBound, $0.bytes) }, to: file)
    console.detail("\(input.name): \(splices.count) places changed")
    return splices.isEmpty ? .nothingToDo : .done
  }

  private func write(
    _ tree: BoxTree, to path: String, _ console: Console, _ onExists: OnExists? = nil
  ) throws -> ExitStatus {
    guard let target = try FileOutput(path, onExists: onExists ?? output.onExists) else {
      console.note("\(path): is there already, skipped; --on-exists replace|rename writes it")
      return .nothingToDo
    }
    var writer = SyntaxWriter(target.writer)
    try tree.write(to: &writer)
    let written = try target.commit()
    console.detail("\(written): \(target.writer.count) bytes written")
    return .done
  }
}

/// What a change would do, in lines for a person and for tools that patch bytes.
struct EditPreview {
  var edited: EditedFile
  var source: any ByteSource

  func print(on console: Console) throws {
    guard let splices = edited.splices else {
      try console.print("\(source.count) bytes become \(edited.count)")
      for move in edited.moves {
        try console.print(
          "bytes \(move.old.lowerBound) to \(move.old.upperBound - 1) move to \(move.new)")
      }
      return
    }
    if splices.isEmpty { return try console.print("nothing changes") }
    for splice in splices {
      let old = try source.bytes(in: splice.range)
      try console.print(
        "byte \(splice.range.lowerBound): \(hex(old)) becomes \(hex(splice.bytes))"
          + "  \(splice.reason)")
    }
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.count <= 32
      ? Field.hex(bytes) : "\(Field.hex(Array(bytes.prefix(32))))… (\(bytes.count) bytes)"
  }
}

extension EditError {
  /// The message with what may have been meant.
  var suggestion: String {
    let typed: String
    switch self {
    case .unknownPath(let path, _): typed = path
    case .unknownField(_, let name, _): typed = name
    default: return description
    }
    if let meant = known.nearest(to: typed) { return "\(self); did you mean \(meant)?" }
    guard !known.isEmpty, known.count <= 24 else { return description }
    return "\(self); there are \(known.joined(separator: ", "))"
  }
}
