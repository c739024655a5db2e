// SPDX-License-Identifier: MIT

public import ApusBytes

/// Copyright (`cprt`): ISO/IEC 14496-12, 8.10.2; title, description, performer, author and genre (`titl`,
/// `dscp`, `perf`, `auth`, `gnre`): 3GPP TS 26.244, 8.
public struct Copyright: FullBox {
  public static let types: [FourCC] = ["cprt", "titl", "dscp", "perf", "auth", "gnre"]
  public var header = FullBoxHeader()
  public var language = PaddedLanguage()
  public var notice: Text = ""

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try language.syntax(&v)
    try v.string("notice", &notice)
  }
}

extension SyntaxVisitor {
  /// Visits a string, in UTF-8 with a terminating zero, or in UTF-16 with a byte order mark up to the end.
  mutating func string(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    guard isReading, try peek(2) == [0xfe, 0xff] else { return try text(name, &value) }
    value.isTerminated = false
    try bytes(name, &value.bytes, count: nil, .bytes)
  }
}
