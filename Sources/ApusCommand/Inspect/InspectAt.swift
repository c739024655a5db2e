// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import ApusRecords
import ApusSamples
import HEIF
import ISOBMFF

/// The answer to "what is this byte": the innermost box, the sample or item and the NAL unit, and the fields whose bits it
/// holds.
struct InspectAt {
  var offset: Int
  /// The innermost box or other structure; `nil` in a bare stream.
  var node: InspectedNode?
  /// The sample or item whose data contains the byte, and the range of that data.
  var user: (user: DataUser, range: Range<Int>)?
  /// The NAL unit that contains the byte.
  var unit: UnitSyntax?
  /// A remark on the byte.
  var note: String?
  /// Each with its full name; a row of a table as one field for each column.
  var fields: [(name: String, field: Field)]

  init?(_ offset: Int, in file: InspectedFile) throws(SyntaxError) {
    guard let node = try file.node(at: offset) else { return nil }
    self.offset = offset
    self.node = node
    fields = []
    try addFields(of: node.fields())
    if case .box(let located) = node, let tree = file.tree { try look(into: located, of: tree) }
  }

  /// Looks for a byte of a bare stream.
  init?(_ offset: Int, inStream source: any ByteSource, limits: Limits) throws {
    guard offset < source.count else { return nil }
    self.offset = offset
    fields = []
    let isAVC = try BareStreamKind.isAVC(source)
    let found = try ByteUser(of: offset, inStream: source, isAVC: isAVC, limits: limits)
    if let found { try show(found, in: source) }
    if unit == nil { note = "is part of a start code or of zeros between NAL units" }
  }

  private mutating func addFields(of all: [Field]) throws(SyntaxError) {
    let bits = offset * 8..<offset * 8 + 8
    for (name, field) in all.flatMap(\.leaves) where field.range.overlaps(bits) {
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

// MARK: - Media data

extension InspectAt {
  private mutating func look(into box: LocatedNode, of tree: BoxTree) throws(SyntaxError) {
    if let view = try RecordView(in: box) {
      let units = view.arrays.flatMap(\.units).map { UnitSyntax($0) }
      guard let found = units.first(where: { $0.range.contains(offset) }) else { return }
      return try show(found, in: tree.source)
    }
    let data = box.box(ItemData.self)?.data.range
    guard box.node.type == "mdat" || data?.contains(offset) == true,
      !fields.contains(where: { $0.name == "size" || $0.name == "type" || $0.name == "largesize" })
    else { return }
    do throws(SyntaxError) {
      if let found = try ByteUser(of: offset, in: tree) {
        try show(found, in: tree.source)
      } else {
        let isKnown = tree.boxes.contains { $0.type == "moov" || $0.type == "meta" }
        note =
          isKnown
          ? "no sample and no item uses this byte"
          : "its sample is unknown, because the file has no moov and no meta"
      }
    } catch {
      note = "its sample is unknown: \(error.message)"
    }
  }

  private mutating func show(_ found: ByteUser, in source: any ByteSource) throws(SyntaxError) {
    guard let range = found.ranges.first(where: { $0.contains(offset) }) else { return }
    user = (found.user, range)
    note = found.failure?.message ?? (found.isProtected ? "the sample is encrypted" : nil)
    if let unit = found.unit {
      try show(unit, in: source, lengthSize: found.lengthSize ?? 0)
    } else {
      let end = min(range.upperBound, source.count)
      let data = Extent(source, range.lowerBound..<end)
      fields = [
        (
          "data",
          Field(
            name: "data", value: .extent(data), kind: .bytes, position: range.lowerBound * 8,
            bits: data.count * 8)
        )
      ]
    }
  }

  private mutating func show(
    _ unit: UnitSyntax, in source: any ByteSource, lengthSize: Int = 0
  ) throws(SyntaxError) {
    self.unit = unit
    fields = []
    let start = unit.range.lowerBound
    guard offset >= start else {
      return fields.append(
        Self.number("NALUnitLength", unit.range.count, at: start - lengthSize, lengthSize))
    }
    let shown = unit.fields + [unit.rest].compactMap(\.self)
    let head = unit.rest.map { min($0.offset, unit.range.upperBound) } ?? unit.range.upperBound
    let escapes = NALUnitBytes.escapes(in: try source.bytes(in: start..<max(head, offset + 1)))
    guard !escapes.contains(offset - start) else {
      return fields.append(Self.number("emulation_prevention_three_byte", 3, at: offset, 1))
    }
    try addFields(of: shown)
    // A field before which there is an emulation prevention byte begins after it.
    for index in fields.indices where fields[index].field.position % 8 == 0 {
      guard escapes.contains(fields[index].field.offset - start) else { continue }
      fields[index].field.position += 8
      fields[index].field.bits -= 8
    }
  }

  private static func number(_ name: String, _ value: Int, at start: Int, _ size: Int) -> (
    String, Field
  ) {
    (
      name,
      Field(
        name: name, value: .number(UInt64(value)), kind: .unsigned, position: start * 8,
        bits: size * 8)
    )
  }
}

// MARK: - Output

extension InspectAt {
  func text(palette: Palette) -> String {
    var text = "byte \(offset) (0x\(offset.hexadecimal()))\n"
    if let node {
      text +=
        "\(palette.type(node.path))\(palette.place(" @\(node.start) +\(node.range?.count ?? 0)"))"
      text += (node.reason.map { "  (\($0))" } ?? "") + "\n"
    }
    if let (user, range) = user {
      text += palette.type(user.name)
      text += palette.place(" @\(range.lowerBound) +\(range.count)") + user.remarks + "\n"
    }
    if let unit { text += unit.headline(palette) + "\n" }
    if let note { text += "  \(note)\n" }
    if fields.isEmpty, note == nil { text += "  is not part of a known field\n" }
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
    guard field.offset != end else { return "the whole byte" }
    guard field.position % 8 == 0, field.bits % 8 == 0 else {
      return "of the \(field.bits) bits from bit \(field.position % 8) of byte \(field.offset), "
        + "bit 0 is the highest"
    }
    return "byte \(offset - field.offset) of the \(field.bits / 8) bytes at \(field.offset)"
  }

  func write<Output: TextOutputStream>(file: String, to json: inout JSONWriter<Output>) throws {
    try json.object { json throws in
      json.field("file", file)
      json.field("offset", offset)
      if let node {
        json.field("path", node.path)
        json.field("type", node.name)
      }
      if let (user, range) = user {
        json.key("data")
        json.object { json in
          user.write(to: &json)
          json.field("offset", range.lowerBound)
          json.field("size", range.count)
        }
      }
      if let unit {
        json.key("nal_unit")
        json.object { json in unit.write(to: &json) }
      }
      if let note { json.field("note", note) }
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
