// SPDX-License-Identifier: MIT

/// A language as three 5-bit letters (ISO/IEC 14496-12, 8.4.2.3), or a QuickTime language number.
public struct Language: Hashable, Sendable, CustomStringConvertible {
  public var code: UInt16
  public init(code: UInt16) { self.code = code }

  /// Creates a language from three letters such as `deu`; `nil` for anything else.
  public init?(letters: String) {
    let bytes = Array(letters.utf8)
    guard bytes.count == 3, bytes.allSatisfy({ (0x61...0x7a).contains($0) }) else { return nil }
    code = bytes.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }

  public var description: String {
    guard code >= 0x400, code != 0x7fff else { return String(code) }
    return String(decoding: [10, 5, 0].map { UInt8(code >> $0 & 31) + 0x60 }, as: UTF8.self)
  }
}
