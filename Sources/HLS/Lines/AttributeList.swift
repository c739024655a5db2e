// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The attributes after a tag, `NAME=VALUE,NAME="VALUE"`: RFC 8216, 4.2.
struct AttributeList: Hashable, Sendable {
  /// The attributes in order; quoted strings are stored without their quotes.
  private(set) var values: [(name: String, value: String, isQuoted: Bool)] = []

  init() {}

  /// Reads attributes, and tolerates blanks around names and values, which several packagers write.
  init(_ text: Substring, _ line: PlaylistLine) throws(SyntaxError) {
    var rest = text.utf8
    while true {
      rest = Self.trimmed(rest)
      guard !rest.isEmpty else { return }
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
        throw line.refusal("attributes", "have \(Substring(rest)), which has no value")
      }
      let name = String(Substring(Self.trimmed(rest[..<equals])))
      rest = Self.trimmed(rest[rest.index(after: equals)...])
      let isQuoted = rest.first == UInt8(ascii: "\"")
      if isQuoted { rest = rest.dropFirst() }
      let mark = UInt8(ascii: isQuoted ? "\"" : ",")
      let end = rest.firstIndex(of: mark)
      guard !isQuoted || end != nil else {
        throw line.refusal(name, "has no quotation mark at its end")
      }
      var value = rest[..<(end ?? rest.endIndex)]
      rest = end.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
      if isQuoted {
        rest = Self.trimmed(rest)
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else {
          throw line.refusal(name, "is not followed by a comma")
        }
        rest = rest.dropFirst()
      } else {
        value = Self.trimmed(value)
        guard !value.contains(UInt8(ascii: "\"")) else {
          throw line.refusal(name, "has a quotation mark in its middle")
        }
      }
      guard !name.isEmpty, self[name] == nil else {
        throw line.refusal(name.isEmpty ? "attributes" : name, "appears twice or has no name")
      }
      values.append((name, String(Substring(value)), isQuoted))
    }
  }

  private static func trimmed(_ text: Substring.UTF8View) -> Substring.UTF8View {
    var text = text
    while let first = text.first, first == 0x20 || first == 0x09 { text = text.dropFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text = text.dropLast() }
    return text
  }

  subscript(_ name: String) -> String? { values.first { $0.name == name }?.value }

  /// Returns a decimal number, as used for bandwidths, sizes and counts.
  func integer(_ name: String, _ line: PlaylistLine) throws(SyntaxError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(digits: text) else {
      throw line.refusal(name, "is \(text), allowed are decimal numbers below 2^63")
    }
    return number
  }

  /// Returns whether an attribute is `YES`; other values count as no.
  func flag(_ name: String) -> Bool { self[name] == "YES" }

  // MARK: - Writing

  mutating func add(_ name: String, _ value: String?) {
    if let value { values.append((name, value, false)) }
  }

  /// Adds a quoted string, removing characters that cannot be between quotation marks.
  mutating func add(_ name: String, quoted value: String?) {
    guard let value else { return }
    let kept = String(
      decoding: value.utf8.filter { ![0x22, 0x0a, 0x0d].contains($0) }, as: UTF8.self)
    values.append((name, kept, true))
  }

  var text: String {
    values.map { $0.isQuoted ? "\($0.name)=\"\($0.value)\"" : "\($0.name)=\($0.value)" }
      .joined(separator: ",")
  }

  static func == (left: AttributeList, right: AttributeList) -> Bool { left.text == right.text }
  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Int {
  /// Creates a number from decimal digits only; `nil` for anything else.
  init?(digits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text, radix: 10)
  }
}
