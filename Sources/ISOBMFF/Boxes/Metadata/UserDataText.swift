// SPDX-License-Identifier: MIT

public import ApusBytes

/// Text in several languages (`©nam`, `©day` and others in `udta`): QuickTime File Format.
public struct UserDataText: Box {
  public static let types: [FourCC] = []
  public var strings: [Entry] = []
  /// The whole body, if it is not such a list; some writers omit the lengths and languages.
  public var plain: [UInt8]?

  /// A text in one language.
  public struct Entry: SyntaxStructure, Hashable {
    public var language: UInt16 = 0
    public var text: [UInt8] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      let length = try v.count(16, "text_size", text.count)
      try v.u(16, "language", &language, as: .language)
      try v.bytes("text", &text, count: length, .text)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading {
      let bytes = try v.peek(Self.longest + 1)
      plain = bytes.count <= Self.longest && Self.isList(bytes) ? nil : []
    }
    if var plain {
      try v.bytes("text", &plain, count: nil, .text)
      self.plain = plain
    } else {
      try v.list("strings", &strings, count: nil)
    }
  }

  /// The maximum size of a body that is examined to determine its form.
  private static let longest = 1 << 20

  private static func isList(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while rest.count >= 4 {
      let length = Int(bigEndianBytes: rest.prefix(2))
      guard rest.count >= 4 + length else { return false }
      rest = rest.dropFirst(4 + length)
    }
    return rest.isEmpty
  }
}
