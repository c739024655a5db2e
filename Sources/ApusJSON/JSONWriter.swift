// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Writes JSON piece by piece to a text stream, so that large results are never held in memory.
package struct JSONWriter<Output: TextOutputStream> {
  package private(set) var output: Output
  /// The bytes that were not passed on yet, in UTF-8.
  private var pending: [UInt8] = []
  private static var mostPending: Int { 1 << 12 }
  /// Whether the next element at each level is the first.
  private var isFirst: [Bool] = [true]
  private var isAfterKey = false

  package init(_ output: Output) { self.output = output }

  package mutating func object(_ body: (inout Self) throws -> Void) rethrows {
    try nested("{", "}", body)
  }

  package mutating func array(_ body: (inout Self) throws -> Void) rethrows {
    try nested("[", "]", body)
  }

  package mutating func key(_ name: String) {
    separate()
    Self.quote(name, into: &pending)
    pending.append(UInt8(ascii: ":"))
    isAfterKey = true
  }

  package mutating func field(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  package mutating func field(_ name: String, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  package mutating func field(_ name: String, _ truth: Bool) {
    key(name)
    self.truth(truth)
  }

  package mutating func value(_ text: String) {
    separate()
    Self.quote(text, into: &pending)
    handOn()
  }

  package mutating func value(_ number: some BinaryInteger) { raw(String(number)) }
  /// Writes a number, or null if it is not finite.
  package mutating func number(_ number: Double) { raw(number.isFinite ? "\(number)" : "null") }
  package mutating func truth(_ truth: Bool) { raw(truth ? "true" : "false") }
  package mutating func null() { raw("null") }

  /// Writes a line break between two documents.
  package mutating func endDocument() {
    pending.append(UInt8(ascii: "\n"))
    flush()
    isFirst = [true]
  }

  /// Writes a value that is JSON already.
  package mutating func raw(_ text: String) {
    separate()
    pending.append(contentsOf: text.utf8)
    handOn()
  }

  /// Passes on complete documents at once, and long ones in pieces.
  private mutating func handOn() {
    if isFirst.count == 1 || pending.count > Self.mostPending { flush() }
  }

  private mutating func flush() {
    output.write(String(decoding: pending, as: UTF8.self))
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func nested(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout Self) throws -> Void
  ) rethrows {
    separate()
    pending.append(UInt8(ascii: open))
    isFirst.append(true)
    try body(&self)
    isFirst.removeLast()
    pending.append(UInt8(ascii: close))
    handOn()
  }

  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
    } else if isFirst[isFirst.count - 1] {
      isFirst[isFirst.count - 1] = false
    } else {
      pending.append(UInt8(ascii: ","))
    }
  }

  package static func quoted(_ text: String) -> String {
    var result: [UInt8] = []
    quote(text, into: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// Appends a JSON string. Bytes of file names that are not UTF-8 become lone surrogates (`\udce9`), and every character
  /// that could end a line or control a terminal is escaped.
  private static func quote(_ text: String, into result: inout [UInt8]) {
    result.append(UInt8(ascii: "\""))
    defer { result.append(UInt8(ascii: "\"")) }
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x5c }
    guard !isPlain else {
      result.append(contentsOf: text.utf8)
      return
    }
    for scalar in text.unicodeScalars { result.append(contentsOf: escaped(scalar).utf8) }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    // As Python's surrogateescape has it (PEP 383).
    if let byte = FileName.byte(of: scalar) { return "\\udc" + byte.hexadecimal() }
    switch scalar.value {
    case 0x22, 0x5c: return "\\" + String(scalar)
    case 0x0a: return "\\n"
    case 0x0d: return "\\r"
    case 0x09: return "\\t"
    case _ where scalar.isControlling:
      return "\\u" + scalar.value.hexadecimal(width: 4)
    default: return String(scalar)
    }
  }
}
