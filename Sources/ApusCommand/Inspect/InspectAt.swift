// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON

/// The answer to "what is this byte": the innermost box and the fields whose bits it holds.
struct InspectAt {
  var offset: Int
  var node: InspectedNode
  /// Each with its full name; a row of a table as one field for each column.
  var fields: [(name: String, field: Field)]

  init?(_ offset: Int, in file: InspectedFile) throws(SyntaxError) {
    guard let node = try file.node(at: offset) else { return nil }
    self.offset = offset
    self.node = node
    let bits = offset * 8..<offset * 8 + 8
    fields = []
    for (name, field) in try node.fields().flatMap(\.leaves) where field.range.overlaps(bits) {
      if case .table(let table) = field.value {
        fields += try Self.cells(of: table, name, field, bits)
      } else {
        fields.append((name, field))
      }
    }
  }

  private static func cells(of table: Table, _ name: String, _ field: Field, _ bits: Range<Int>)
    throws(SyntaxError) -> [(String, Field)]
  {
    let width = table.rowBits
    guard width > 0 else { return [] }
    var cells: [(String, Field)] = []
    for index in (bits.lowerBound - field.position) / width...(bits.upperBound - 1 - field.position)
      / width
    where index >= 0 && index < table.count {
      var position = field.position + index * width
      for (column, value) in zip(table.columns, try table.row(index)) {
        let cell = Field(
          name: column.name,
          value: column.kind == .signed ? .signed(value) : .number(UInt64(bitPattern: value)),
          kind: column.kind, position: position, bits: column.bits)
        position += column.bits
        if cell.range.overlaps(bits) { cells.append(("\(name)[\(index)].\(column.name)", cell)) }
      }
    }
    return cells
  }
}

extension InspectAt {
  func text(palette: Palette) -> String {
    var text = "byte \(offset) (0x\(offset.hexadecimal()))\n"
    text +=
      "\(palette.type(node.path))\(palette.place(" @\(node.start) +\(node.range?.count ?? 0)"))"
    text += (node.reason.map { "  (\($0))" } ?? "") + "\n"
    if fields.isEmpty { text += "  is not part of a known field\n" }
    for (name, field) in fields {
      text += "  \(palette.name(name)) = \(field.text)  (\(place(of: field)))\n"
    }
    return text
  }

  /// `bits 3 to 7 of byte 42`, `bytes 40 to 43, this is the third`.
  private func place(of field: Field) -> String {
    if field.bits < 8, field.position / 8 == (field.position + field.bits - 1) / 8 {
      let first = field.position % 8
      let last = first + field.bits - 1
      return (first == last ? "bit \(first)" : "bits \(first) to \(last)")
        + " of the byte, bit 0 is the highest"
    }
    let end = (field.position + field.bits - 1) / 8
    let aligned = field.position % 8 == 0 && field.bits % 8 == 0
    let size = aligned ? "\(field.bits / 8) bytes" : "\(field.bits) bits"
    return field.offset == end
      ? "the whole byte" : "byte \(offset - field.offset) of the \(size) at \(field.offset)"
  }

  func write<Output: TextOutputStream>(file: String, to json: inout JSONWriter<Output>) throws {
    try json.object { json throws in
      json.field("file", file)
      json.field("offset", offset)
      json.field("path", node.path)
      json.field("type", node.name)
      json.key("fields")
      try json.array { json throws in
        for (name, field) in fields {
          var named = field
          named.name = name
          try InspectJSON().write(named, to: &json)
        }
      }
    }
  }
}
