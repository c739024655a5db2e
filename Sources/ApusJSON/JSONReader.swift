// SPDX-License-Identifier: MIT

/// Reads JSON strictly according to RFC 8259: no comments, no trailing commas, no duplicate names, no invalid UTF-8.
public struct JSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0
  private static let deepest = 128

  /// Returns the value of a document, which may be nested up to 128 levels; throws if more than blanks follow it.
  public static func value(of bytes: [UInt8]) throws(JSONError) -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value()
    reader.skipBlanks()
    guard reader.index == bytes.count else { throw reader.failure("more follows the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func failure(_ message: String) -> JSONError {
    JSONError(message: message, offset: index)
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let next, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 { index += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try nested { reader throws(JSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(JSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .text(try text())
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"):
      return .number(try number())
    case nil: throw failure("the document ends where a value is expected")
    default:
      for (word, value) in [
        ("true", JSONValue.truth(true)), ("false", .truth(false)), ("null", .null),
      ]
      where bytes[index...].starts(with: word.utf8) {
        index += word.utf8.count
        return value
      }
      throw failure("a value is expected")
    }
  }

  private mutating func nested(
    _ body: (inout JSONReader) throws(JSONError) -> JSONValue
  ) throws(JSONError) -> JSONValue {
    guard depth < Self.deepest else {
      throw failure("values are nested deeper than \(Self.deepest) levels")
    }
    depth += 1
    index += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipBlanks()
    if skip("}") { return .object([]) }
    while true {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("a name is expected") }
      let start = index
      let name = try text()
      guard names.insert(name).inserted else {
        throw JSONError(message: "the name \"\(name)\" appears twice", offset: start)
      }
      skipBlanks()
      guard skip(":") else { throw failure("a colon is expected after \"\(name)\"") }
      members.append(JSONValue.Member(name, try value()))
      skipBlanks()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw failure("a comma or the end of the object is expected") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    var values: [JSONValue] = []
    skipBlanks()
    if skip("]") { return .array([]) }
    while true {
      values.append(try value())
      skipBlanks()
      if skip("]") { return .array(values) }
      guard skip(",") else { throw failure("a comma or the end of the array is expected") }
    }
  }

  private mutating func number() throws(JSONError) -> String {
    let start = index
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while let next, (0x30...0x39).contains(next) { index += 1 }
    guard index > start else { throw failure("a digit is expected") }
  }
}

extension JSONReader {
  private mutating func text() throws(JSONError) -> String {
    index += 1
    var text: [UInt8] = []
    let start = index
    while true {
      guard let byte = next else { throw failure("the document ends within text") }
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONError(message: "text is no UTF-8", offset: start)
        }
        index += 1
        return string
      case UInt8(ascii: "\\"):
        index += 1
        try escape(into: &text)
      case 0..<0x20: throw failure("text holds a control character")
      default:
        text.append(byte)
        index += 1
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5c, UInt8(ascii: "/"): 0x2f,
      UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
      UInt8(ascii: "t"): 9,
    ]
    guard let letter = next else { throw failure("the document ends within text") }
    if let byte = plain[letter] {
      index += 1
      text.append(byte)
      return
    }
    guard skip("u") else { throw failure("there is no such escape") }
    let first = try unit()
    guard 0xd800...0xdfff ~= first else {
      append(UInt32(first), to: &text)
      return
    }
    guard first < 0xdc00, skip("\\"), skip("u") else {
      throw failure("half of a character is missing")
    }
    let second = try unit()
    guard 0xdc00...0xdfff ~= second else { throw failure("half of a character is missing") }
    append(0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00), to: &text)
  }

  private mutating func unit() throws(JSONError) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
    guard digits.count == 4, isHex,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are expected") }
    index += 4
    return unit
  }

  private func append(_ code: UInt32, to text: inout [UInt8]) {
    if let scalar = Unicode.Scalar(code) { text += Array(String(Character(scalar)).utf8) }
  }
}
