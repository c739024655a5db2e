// SPDX-License-Identifier: MIT

internal import Glibc

/// What the system refused to a loop or a listener, and what a person can do about it.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
  /// The system's error number, or 0.
  public var code: Int32

  public init(_ description: String, code: Int32 = 0) {
    self.description = description
    self.code = code
  }

  /// `what` could not be done, for the reason that `errno` names.
  static func system(_ what: String, code: Int32 = errno, advice: String = "") -> TransportError {
    TransportError("cannot \(what): \(reason(code))\(advice)", code: code)
  }

  /// The system's words, as they read in the middle of a sentence.
  static func reason(_ code: Int32) -> String {
    unsafe String(cString: strerror(code)).lowercased()
  }
}
