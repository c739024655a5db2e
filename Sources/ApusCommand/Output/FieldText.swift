// SPDX-License-Identifier: MIT

import ApusBytes

/// Fields as text, one per line with its name in the standard.
struct FieldText {
  /// The column of bytes next to the fields.
  var column: ByteColumn?
  var isFull = false
  var palette = Palette()

  /// The maximum width of a value; the rest of a longer one is left out.
  private static let shownWidth = 72

  func write<Output: TextOutputStream>(
    _ fields: [Field], indent: String, to output: inout Output
  ) throws {
    for (name, field) in fields.flatMap(\.leaves) {
      let meaning = "\(palette.name(name)) = \(short(field))"
      guard let column else {
        if name != "reserved" { output.write(indent + meaning + "\n") }
        continue
      }
      for (index, line) in try column.lines(of: field).enumerated() {
        output.write(indent + line + (index == 0 ? "  " + meaning : "") + "\n")
      }
    }
  }

  private func short(_ field: Field) -> String {
    let text = field.text
    guard text.count > Self.shownWidth, !isFull else { return text }
    return String(text.prefix(Self.shownWidth)) + "…"
  }
}
