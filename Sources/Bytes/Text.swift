// SPDX-License-Identifier: MIT

/// A string as the file holds it: its bytes, and whether the zero that ends it was there.
public struct Text: Hashable, Sendable, Blank {
  public var bytes: [UInt8]
  /// False for a string that runs to the end of its structure without a zero.
  public var isTerminated: Bool

  public init(bytes: [UInt8], isTerminated: Bool = true) {
    self.bytes = bytes
    self.isTerminated = isTerminated
  }

  public init() { self.init(bytes: []) }
}

extension Text: ExpressibleByStringLiteral, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(bytes: Array(text.utf8)) }

  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
