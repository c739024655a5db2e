// SPDX-License-Identifier: MIT

public import ApusBytes

/// The characters of a string or name in AMF 0: UTF-8 by the standard, arbitrary bytes in practice.
public struct AMFText: Hashable, Sendable, Blank {
  public var bytes: [UInt8]

  /// Creates a text from bytes, which need not be UTF-8.
  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init() { bytes = [] }
  /// Creates a text in UTF-8.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// Visits the characters, preceded by a count of this many bits.
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, countBits: Int, _ name: StaticString)
    throws(SyntaxError)
  {
    let count = try v.count(countBits, "length", bytes.count)
    try v.bytes(name, &bytes, count: count, .text)
  }
}

extension AMFText: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
