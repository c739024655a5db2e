// SPDX-License-Identifier: MIT

import Bytes
import Files
import ISOBMFF

/// `apus edit`: a file written back from its boxes.
struct Edit: Verb {
  static let name = "edit"
  static let summary = "write a file back from its boxes, byte for byte"
  static let discussion = """
    Reads all boxes of a file and writes them again from the tree. Nothing changes: sizes, reserved bits, \
    unknown boxes and what is broken come back as they were, so the copy is identical byte for byte.
    """
  static let examples = [
    Example("apus edit movie.mp4 -o copy.mp4", "Writes the same bytes from the tree.")
  ]

  var file = ""
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("FILE", &file, completion: .files, "the file to read; - is standard input")
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    var options = InputOptions()
    options.operands = [file]
    for input in try options.opened(console) {
      let path = try output.target(for: input, several: false)
      let tree = try input.boxTree(limits.limits)
      if output.dryRun {
        console.note("\(path): \(input.source.count) bytes would be written")
        return .done
      }
      guard let target = try FileOutput(path, onExists: output.onExists) else {
        console.note("\(path): is there already, skipped; --on-exists replace|rename writes it")
        return .nothingToDo
      }
      var writer = SyntaxWriter(target.writer)
      try tree.write(to: &writer)
      let written = try target.commit()
      console.detail("\(written): \(target.writer.count) bytes written")
    }
    return .done
  }
}
