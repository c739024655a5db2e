// SPDX-License-Identifier: MIT

import Bytes
import Files
import ISOBMFF

/// The changes to one file, for people and for tools that patch bytes themselves.
struct EditReport {
  enum Status: String, CaseIterable {
    case changed, unchanged, skipped, failed
  }

  let file: String
  /// The size of the file before and after the change.
  let bytes: Int
  private var newBytes: Int?
  var status = Status.unchanged
  /// The path of the output; `nil` if nothing was written.
  var output: String?
  var warnings: [String] = []
  private var failure: String?
  /// The number of errors that are left after the change.
  private(set) var remaining = 0
  /// The bytes to overwrite; `nil` if the size of the file changes.
  private var changes: [Change]?
  private var moves: [EditedFile.Move] = []

  private struct Change {
    var offset: Int
    var old: [UInt8]
    var new: [UInt8]
    var field: String
  }

  init(file: String, bytes: Int) {
    self.file = file
    self.bytes = bytes
  }

  mutating func add(_ edited: EditedFile, of source: any ByteSource) throws {
    newBytes = edited.count
    moves = edited.moves
    changes = try edited.splices?.map { splice in
      Change(
        offset: splice.range.lowerBound, old: try source.bytes(in: splice.range),
        new: splice.bytes, field: splice.reason)
    }
    status = changes?.isEmpty == true ? .unchanged : .changed
  }

  /// Warns of damaged data, which are written unchanged.
  mutating func warn(of findings: [Finding]) {
    let errors = findings.filter { $0.severity == .error }
    for finding in errors.prefix(Self.mostFindings) {
      let place = finding.path.isEmpty ? "" : "\(finding.path) at "
      warnings.append("is damaged: \(place)byte \(finding.offset): \(finding.message)")
    }
    let rest = errors.count - Self.mostFindings
    if rest > 0 { warnings.append("has \(rest) more errors; inspect lists them") }
  }

  /// Warns of hard links, which keep the unchanged file.
  mutating func warn(ofNames count: Int) {
    guard count > 1 else { return }
    let others = count == 2 ? "another name" : "\(count - 1) other names"
    warnings.append("had \(others) (hard links), which keep the old contents")
  }

  private static var mostFindings: Int { 8 }

  mutating func add(remaining count: Int) {
    remaining = count
    guard count > 0 else { return }
    let text = count == 1 ? "1 error remains" : "\(count) errors remain"
    warnings.append("\(text), which cannot be repaired; hvcc check lists them")
  }

  mutating func fail(_ message: String) {
    status = .failed
    failure = message
  }

  /// Prints the changes, one line each.
  func preview(on console: Console) throws {
    guard let changes else {
      try console.print("\(bytes) bytes become \(newBytes ?? bytes)")
      for move in moves {
        try console.print(
          "bytes \(move.old.lowerBound) to \(move.old.upperBound - 1) move to \(move.new)")
      }
      return
    }
    if changes.isEmpty { return try console.print("nothing changes") }
    for change in changes {
      try console.print(
        "byte \(change.offset): \(short(change.old)) becomes \(short(change.new))"
          + "  \(change.field)")
    }
  }

  private func short(_ bytes: [UInt8]) -> String {
    bytes.count <= 32
      ? Field.hex(bytes) : "\(Field.hex(Array(bytes.prefix(32))))… (\(bytes.count) bytes)"
  }

  /// Prints the report as one line of JSON.
  func print(on console: Console) throws {
    var json = JSONWriter(ResultStream(console: console))
    json.object { json in
      json.field("file", file)
      json.field("status", status.rawValue)
      if let output { json.field("output", output) }
      if let failure { json.field("error", failure) }
      json.field("bytes", bytes)
      if let newBytes { json.field("new_bytes", newBytes) }
      if let changes { write(changes, to: &json) }
      if !moves.isEmpty { write(moves, to: &json) }
      json.key("warnings")
      json.array { json in for warning in warnings { json.value(warning) } }
    }
    json.endDocument()
    if let failure = console.output.failure { throw failure }
  }

  private func write<Output: TextOutputStream>(
    _ changes: [Change], to json: inout JSONWriter<Output>
  ) {
    json.key("changes")
    json.array { json in
      for change in changes {
        json.object { json in
          json.field("offset", change.offset)
          json.field("old", Field.hex(change.old))
          json.field("new", Field.hex(change.new))
          json.field("field", change.field)
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ moves: [EditedFile.Move], to json: inout JSONWriter<Output>
  ) {
    json.key("moves")
    json.array { json in
      for move in moves {
        json.object { json in
          json.field("offset", move.old.lowerBound)
          json.field("length", move.old.count)
          json.field("new_offset", move.new)
        }
      }
    }
  }
}
