// SPDX-License-Identifier: MIT

import ApusBytes
public import ApusFacts
import ApusFiles
import ApusStills
public import ISOBMFF

/// The changes to one file, for people and for tools that patch bytes themselves.
struct EditReport {
  enum Status: String, CaseIterable {
    case changed, unchanged, skipped, failed
    case finishedBefore = "finished-before"
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
  /// The changes of a photo, as texts for people.
  private(set) var edits: [String] = []

  fileprivate struct Change {
    var offset: Int
    var old: [UInt8]
    var new: [UInt8]
    var field: String
  }

  init(file: String, bytes: Int) {
    self.file = file
    self.bytes = bytes
  }

  mutating func add(_ edited: EditedInput, of source: any ByteSource) throws {
    newBytes = edited.count
    if case .photo(let photo) = edited {
      edits = photo.changes
      warnings += photo.warnings
    }
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
    for edit in edits { try console.print(edit) }
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
      ? bytes.hexadecimal() : "\(bytes.prefix(32).hexadecimal())… (\(bytes.count) bytes)"
  }

  /// Prints the report as one line of JSON.
  func print(on console: Console) throws {
    ResultStream(console: console).write(json: self)
    if let failure = console.output.failure { throw failure }
  }
}

extension EditReport: Described {
  static let title = "edit"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == EditReport {
    v.required("file", "The path of the input as given or found.") { $0.file }
    v.required(
      "status",
      "With --dry-run, the expected status. A file is skipped if its output exists, and finished-before if --journal says so."
    ) { $0.status }
    v.optional("output", "The path of the output; absent if nothing was written.") { $0.output }
    v.optional("error", "The reason why the file failed; it is unchanged.") { $0.failure }
    v.required("bytes", "The size of the file before the change.") { $0.bytes }
    v.optional("new_bytes", "The size of the file after the change.") { $0.newBytes }
    v.optional(
      "changes", "The bytes that differ, in order; absent if the size of the file changes."
    ) { $0.changes }
    v.optional("moves", "The ranges of bytes that move.") { $0.moves.nonEmpty }
    v.optional("edits", "The changes of a photo, as texts.") { $0.edits.nonEmpty }
    v.required("warnings", "The data that is not changed, and the reasons.") { $0.warnings }
  }
}

extension EditReport.Status: FactValue {}

extension EditReport.Change: Described {
  static let title = "change"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == EditReport.Change {
    v.required("offset", "The offset of the first byte.") { $0.offset }
    v.required("old", "The old bytes in hexadecimal.") { $0.old.hexadecimal() }
    v.required("new", "The new bytes, as many as the old ones.") { $0.new.hexadecimal() }
    v.required("field", "The box and field that the first differing bit belongs to.") { $0.field }
  }
}

extension EditedFile.Move: Described {
  public static let title = "move"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == EditedFile.Move {
    v.required("offset", "The offset of the first byte.") { $0.old.lowerBound }
    v.required("length", "The number of bytes.") { $0.old.count }
    v.required("new_offset", "The offset after the change.") { $0.new }
  }
}
