// SPDX-License-Identifier: MIT

/// Writes JSON piece by piece into a text stream, so that a large answer is never held in memory.
struct JSONWriter<Output: TextOutputStream> {
  private(set) var output: Output
  /// Whether the next element at each level is the first.
  private var isFirst: [Bool] = [true]
  private var isAfterKey = false

  init(_ output: Output) { self.output = output }

  mutating func object(_ body: (inout Self) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  mutating func array(_ body: (inout Self) throws -> Void) rethrows {
    try nested("[", "]", body)
  }

  mutating func key(_ name: String) {
    separate()
    output.write(Self.quoted(name))
    output.write(":")
    isAfterKey = true
  }

  mutating func field(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  mutating func field(_ name: String, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  mutating func field(_ name: String, _ truth: Bool) {
    key(name)
    self.truth(truth)
  }

  mutating func value(_ text: String) { raw(Self.quoted(text)) }
  mutating func value(_ number: some BinaryInteger) { raw(String(number)) }
  /// A finite number.
  mutating func number(_ number: Double) { raw(number.isFinite ? "\(number)" : "null") }
  mutating func truth(_ truth: Bool) { raw(truth ? "true" : "false") }
  mutating func null() { raw("null") }

  /// A line break between two documents.
  mutating func endDocument() {
    output.write("\n")
    isFirst = [true]
  }

  private mutating func raw(_ text: String) {
    separate()
    output.write(text)
  }

  private mutating func nested(
    _ open: String, _ close: String, _ body: (inout Self) throws -> Void
  ) rethrows {
    separate()
    output.write(open)
    isFirst.append(true)
    try body(&self)
    isFirst.removeLast()
    output.write(close)
  }

  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
    } else if isFirst[isFirst.count - 1] {
      isFirst[isFirst.count - 1] = false
    } else {
      output.write(",")
    }
  }

  /// A JSON string; every character that could end a line or drive a terminal is escaped.
  static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
    if isPlain { return "\"" + text + "\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5c: result += "\\" + String(scalar)
      case 0x0a: result += "\\n"
      case 0x0d: result += "\\r"
      case 0x09: result += "\\t"
      case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
