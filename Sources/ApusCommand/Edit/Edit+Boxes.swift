// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF

/// Changes of boxes.
extension Edit {
  var fields: [FieldChange] {
    sets.compactMap { if case .field(let change) = $0 { change } else { nil } }
  }

  var boxes: [BoxPath] {
    removals.compactMap { if case .box(let path) = $0 { path } else { nil } }
  }

  var changes: [FileChange] {
    replacements + bodies + insertions + insertionsBefore + insertionsAfter
  }

  func change(_ editor: inout BoxEditor) throws {
    for set in fields { try editor.set(set.field, of: set.path, to: set.value) }
    for change in replacements {
      try editor.replace(try change.box(), with: try change.bytes(limits.boxes))
    }
    for change in bodies {
      try editor.replaceBody(try change.box(), with: try change.bytes(limits.boxes))
    }
    for change in insertions {
      try editor.insert(
        try change.bytes(limits.boxes), at: change.path.map { .into($0) } ?? .file())
    }
    for change in insertionsBefore {
      try editor.insert(try change.bytes(limits.boxes), at: .before(try change.box()))
    }
    for change in insertionsAfter {
      try editor.insert(try change.bytes(limits.boxes), at: .after(try change.box()))
    }
    for path in boxes { try editor.remove(path) }
  }

  func extract(_ path: BoxPath, _ edits: EditRun) throws -> ExitStatus {
    guard changes.isEmpty, sets.isEmpty, removals.isEmpty, !output.inPlace else {
      throw UsageError("--extract cannot be combined with changes")
    }
    var options = output.output
    options.path = options.path ?? "-"
    guard !inputs.several || options.path != "-" else {
      throw UsageError("the boxes of several files need an output folder: -o OUT/")
    }
    return try edits.extract(path, options)
  }
}
