// SPDX-License-Identifier: MIT

extension Field {
  /// The value as short text for a listing: long bytes and tables are summarized.
  public var text: String {
    switch value {
    case .number(let number): Self.text(of: number, as: kind)
    case .signed(let number): Self.text(of: number, as: kind)
    case .bytes(let bytes): Self.text(of: bytes, as: kind)
    case .text(let text): Self.quoted(text.description)
    case .extent(let extent): "(\(extent.count) bytes)"
    case .table(let table): "(\(table.count) rows)"
    case .group(let fields):
      "{" + fields.map { "\($0.name)=\($0.text)" }.joined(separator: " ") + "}"
    case .list(let items): "[" + items.map(\.text).joined(separator: " ") + "]"
    }
  }

  /// All leaves, with names that include the enclosing fields: `items[0].extents[1].extent_offset`.
  public var leaves: [(name: String, field: Field)] {
    switch value {
    case .group(let fields):
      fields.flatMap(\.leaves).map { ("\(name).\($0.name)", $0.field) }
    case .list(let items):
      items.enumerated().flatMap { index, item in
        guard case .group(let fields) = item.value else { return [("\(name)[\(index)]", item)] }
        return fields.flatMap(\.leaves).map { ("\(name)[\(index)].\($0.name)", $0.field) }
      }
    default: [(name, self)]
    }
  }

  /// Returns an unsigned number in the display form of its field.
  public static func text(of number: UInt64, as kind: FieldKind) -> String {
    switch kind {
    case .fourCC: FourCC(UInt32(truncatingIfNeeded: number)).description
    case .hex: "0x" + number.hexadecimal()
    case .fixed(let bits): (Double(number) / Double(UInt64(1) << UInt64(bits))).shortest
    case .language: Language(code: UInt16(truncatingIfNeeded: number)).description
    case .date: Date1904(seconds: number).description
    case .float(32): Double(Float(bitPattern: UInt32(truncatingIfNeeded: number))).shortest
    case .float: Double(bitPattern: number).shortest
    case .leb128: String(LEB128.value(of: number))
    default: String(number)
    }
  }

  /// Returns a signed number in the display form of its field.
  public static func text(of number: Int64, as kind: FieldKind) -> String {
    guard case .signedFixed(let bits) = kind else { return String(number) }
    return (Double(number) / Double(UInt64(1) << UInt64(bits))).shortest
  }

  private static func text(of bytes: [UInt8], as kind: FieldKind) -> String {
    if kind == .uuid, bytes.count == 16 { return uuid(bytes) }
    if kind == .text { return quoted(String(decoding: bytes, as: UTF8.self)) }
    if kind == .countedText { return quoted(counted(bytes)) }
    return bytes.count <= 32 ? "0x" + bytes.hexadecimal() : "(\(bytes.count) bytes)"
  }

  /// Returns the characters of a string with a length byte, without padding.
  public static func counted(_ bytes: [UInt8]) -> String {
    let text = bytes.dropFirst().prefix(Int(bytes.first ?? 0))
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Returns 16 bytes as a UUID with hyphens.
  public static func uuid(_ bytes: [UInt8]) -> String {
    var rest = bytes[...]
    return [4, 2, 2, 2, 6].map { count in
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).hexadecimal()
    }.joined(separator: "-")
  }

  /// Returns a quoted text with control characters escaped, so that a name in a file cannot control a terminal.
  public static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5c: result += "\\" + String(scalar)
      case 0x0a: result += "\\n"
      case 0x0d: result += "\\r"
      case 0x09: result += "\\t"
      case _ where scalar.isControlling:
        result += "\\u{" + scalar.value.hexadecimal() + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
