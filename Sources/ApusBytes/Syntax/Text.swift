// SPDX-License-Identifier: MIT

/// A string as stored in the file: its bytes, and whether a zero terminates it.
public struct Text: Hashable, Sendable, Blank {
  /// The bytes without the terminating zero; usually UTF-8, which is not checked.
  public var bytes: [UInt8]
  /// Whether a zero terminates the string; `false` if it ends with its structure.
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
