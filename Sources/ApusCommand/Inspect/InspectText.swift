// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF

/// The tree of one file as text, one box per line, or one field per line with its bytes.
struct InspectText {
  var isFull = false
  var depth = Int.max
  /// The column of bytes next to the fields; `nil` for one box per line.
  var bytes: ByteColumn?
  var palette = Palette()

  /// The maximum width of a list or text; longer ones are counted instead.
  private static let shownWidth = 72

  func write<Output: TextOutputStream>(_ boxes: [InspectedNode], to output: inout Output) throws {
    for box in boxes { try write(box, level: 1, to: &output) }
  }

  func write<Output: TextOutputStream>(_ findings: [Finding], to output: inout Output) {
    for finding in findings {
      let place = (finding.path.isEmpty ? "" : finding.path + " ") + "at byte \(finding.offset)"
      output.write(
        "\(palette.severity(finding.severity)) \(place): \(finding.message) [\(finding.rule)]\n")
    }
  }

  private func write<Output: TextOutputStream>(
    _ node: InspectedNode, level: Int, to output: inout Output
  ) throws {
    let indent = String(repeating: "  ", count: level - 1)
    let (full, fields) = try node.presentedFields()
    output.write(indent + (try headline(of: node, full)))
    if let bytes {
      output.write("\n")
      try writeBytes(try node.fields(), indent: indent + "  ", column: bytes, to: &output)
    } else {
      for field in fields where matters(field) {
        output.write("  " + palette.name(field.name) + "=" + short(field))
      }
      output.write("\n")
      if isFull { try writeTables(fields, indent: indent + "    ", to: &output) }
    }
    guard level < depth else { return }
    for child in try node.children() { try write(child, level: level + 1, to: &output) }
  }

  private func headline(of node: InspectedNode, _ full: FullBoxHeader?) throws -> String {
    var line = palette.type(node.isJunk ? "(\(node.reason ?? "junk"))" : node.name)
    line += palette.place(" @\(node.start) +\(try node.size())")
    if node.header?.form == .large { line += palette.place(" 64-bit size") }
    if node.header?.form == .toEnd { line += palette.place(" to the end") }
    if let declared = node.header?.declaredSize { line += palette.place(" (declares \(declared))") }
    if let full {
      line += " v\(full.version)"
      if full.flags != 0 { line += " flags=0x" + full.flags.hexadecimal() }
    }
    if let type = node.header?.userType, !type.isEmpty { line += " " + Field.uuid(type) }
    if let title = node.title { line += " " + Field.quoted(title) }
    if !node.isJunk, let reason = node.reason { line += "  (" + reason + ")" }
    return line
  }

  /// Whether the field is shown; reserved bits and undeclared bodies are not.
  private func matters(_ field: Field) -> Bool {
    switch field.name {
    case "reserved", "pre_defined", "data", "media": false
    default: true
    }
  }

  private func short(_ field: Field) -> String {
    let text = field.text
    guard text.count > Self.shownWidth, !isFull else { return text }
    switch field.value {
    case .list(let items): return "(\(items.count) items)"
    case .group(let fields): return "(\(fields.count) fields)"
    case .text, .bytes: return String(text.prefix(Self.shownWidth)) + "…"
    default: return text
    }
  }

  private func writeTables<Output: TextOutputStream>(
    _ fields: ArraySlice<Field>, indent: String, to output: inout Output
  ) throws {
    for field in fields {
      guard case .table(let table) = field.value else { continue }
      var text = output
      var index = 0
      try table.scan { row in
        let values = table.columns.enumerated().map { "\($1.name)=\($1.number(row[$0]))" }
        text.write("\(indent)\(field.name)[\(index)] \(values.joined(separator: " "))\n")
        index += 1
      }
      output = text
    }
  }
}

// MARK: - Bytes beside the fields

extension InspectText {
  private func writeBytes<Output: TextOutputStream>(
    _ fields: [Field], indent: String, column: ByteColumn, to output: inout Output
  ) throws {
    for (name, field) in fields.flatMap(\.leaves) {
      let meaning = "\(palette.name(name)) = \(short(field))"
      for (index, line) in try column.lines(of: field).enumerated() {
        output.write(indent + line + (index == 0 ? "  " + meaning : "") + "\n")
      }
    }
  }
}
