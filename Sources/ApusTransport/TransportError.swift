// SPDX-License-Identifier: MIT

internal import Glibc

/// A failure of the system in a loop or a listener, with advice for the user.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String
  /// The system's error number, or 0.
  public var code: Int32

  /// Creates an error.
  ///
  /// - Parameter code: the system's error number; 0 if the failure has none.
  public init(_ description: String, code: Int32 = 0) {
    self.description = description
    self.code = code
  }

  /// Returns the error for `what`, with the reason given by `errno`.
  static func system(_ what: String, code: Int32 = errno, advice: String = "") -> TransportError {
    TransportError("cannot \(what): \(reason(code))\(advice)", code: code)
  }

  /// Returns the system's error text, for use in the middle of a sentence.
  static func reason(_ code: Int32) -> String {
    unsafe String(cString: strerror(code)).lowercased()
  }
}
