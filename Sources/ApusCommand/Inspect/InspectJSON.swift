// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusJSON
import ISOBMFF

/// The tree of one file as JSON; `inspect.schema.json` describes it.
struct InspectJSON {
  /// Whether tables and long bytes are written too.
  var isFull = false
  /// The number of levels shown.
  var depth = Int.max

  /// The size in bytes above which contents are counted instead of shown.
  static let shownBytes = 64

  func write<Output: TextOutputStream>(
    _ tree: InspectedFile, _ boxes: [InspectedNode], name: String, size: Int,
    to json: inout JSONWriter<Output>
  ) throws {
    try json.object { json throws in
      json.field("file", name)
      json.field("size", size)
      try write(boxes, level: 1, to: &json)
      json.key("findings")
      json.array { json in
        for finding in tree.findings { json.facts(finding) }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ boxes: [InspectedNode], level: Int, to json: inout JSONWriter<Output>
  ) throws {
    json.key("boxes")
    try json.array { json throws in
      for box in boxes { try write(box, level: level, to: &json) }
    }
  }

  private func write<Output: TextOutputStream>(
    _ node: InspectedNode, level: Int, to json: inout JSONWriter<Output>
  ) throws {
    let (full, fields) = try node.presentedFields()
    try json.object { json throws in
      json.field("type", node.name)
      json.field("path", node.path)
      json.field("offset", node.start)
      json.field("size", try node.size())
      json.field("header", node.headerCount)
      if let full {
        json.field("version", full.version)
        json.field("flags", full.flags)
      }
      if let type = node.header?.userType, !type.isEmpty { json.field("uuid", Field.uuid(type)) }
      if let title = node.title { json.field("name", title) }
      if let reason = node.reason { json.field(node.isJunk ? "junk" : "opaque", reason) }
      if let declared = node.header?.declaredSize { json.field("declared_size", declared) }
      json.key("fields")
      try json.array { json throws in
        let form = node.isMedia ? InspectJSON() : self
        for field in fields { try form.write(field, to: &json) }
      }
      let children = try node.children()
      if !children.isEmpty, level < depth { try write(children, level: level + 1, to: &json) }
    }
  }

  func write<Output: TextOutputStream>(_ field: Field, to json: inout JSONWriter<Output>) throws {
    try json.object { json throws in
      json.field("name", field.name)
      json.key("value")
      try writeValue(of: field, to: &json)
      json.field("offset", field.offset)
      json.field("bits", field.bits)
      if field.position % 8 > 0 { json.field("bit", field.position % 8) }
      switch field.value {
      case .table(let table): json.field("count", table.count)
      case .extent(let extent): json.field("count", extent.count)
      default: break
      }
    }
  }

  private func writeValue<Output: TextOutputStream>(
    of field: Field, to json: inout JSONWriter<Output>
  ) throws {
    switch field.value {
    case .number(let number):
      switch field.kind {
      case .fourCC, .language: json.value(Field.text(of: number, as: field.kind))
      case .leb128: json.value(LEB128.value(of: number))
      default: json.value(number)
      }
    case .signed(let number): json.value(number)
    case .text(let text): json.value(text.description)
    case .bytes(let bytes):
      switch field.kind {
      case .text: json.value(String(decoding: bytes, as: UTF8.self))
      case .countedText: json.value(Field.counted(bytes))
      case .uuid where bytes.count == 16: json.value(Field.uuid(bytes))
      default: json.value(bytes.hexadecimal())
      }
    case .extent(let extent):
      if extent.count <= Self.shownBytes || isFull {
        json.value(try extent.bytes().hexadecimal())
      } else {
        json.null()
      }
    case .table(let table):
      if isFull { try write(table, to: &json) } else { json.null() }
    case .group(let fields): try writeObject(of: fields, to: &json)
    case .list(let items):
      try json.array { json throws in
        for item in items { try writeValue(of: item, to: &json) }
      }
    }
  }

  /// A structure as an object; a name that appears more than once (`reserved`) has an array of its values.
  func writeObject<Output: TextOutputStream>(
    of fields: [Field], to json: inout JSONWriter<Output>
  ) throws {
    let byName = Dictionary(grouping: fields, by: \.name)
    var written: Set<String> = []
    try json.object { json throws in
      for field in fields where written.insert(field.name).inserted {
        json.key(field.name)
        guard let same = byName[field.name], same.count > 1 else {
          try writeValue(of: field, to: &json)
          continue
        }
        try json.array { json throws in
          for field in same { try writeValue(of: field, to: &json) }
        }
      }
    }
  }

  private func write<Output: TextOutputStream>(
    _ table: Table, to json: inout JSONWriter<Output>
  ) throws {
    try json.array { json throws in
      var inner = json
      try table.scan { row in
        if row.count == 1 {
          inner.value(table.columns[0].number(row[0]))
        } else {
          inner.object { json in
            for (index, column) in table.columns.enumerated() {
              json.field(column.name, column.number(row[index]))
            }
          }
        }
      }
      json = inner
    }
  }
}

extension Table.Column {
  /// The number of a value in a row.
  func number(_ bits: Int64) -> Int128 {
    kind == .signed ? Int128(bits) : Int128(UInt64(bitPattern: bits))
  }
}
