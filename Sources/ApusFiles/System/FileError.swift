// SPDX-License-Identifier: MIT

internal import Glibc

/// A failed file operation, with the system's message or, if there is none, one from this program.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The verb of the failed operation for the message, such as `open`.
  public var operation: String
  /// The path of the file, or another name for messages.
  public var path: String
  /// The system's error number, or 0.
  public var code: Int32
  /// The reason in words, as in `No such file or directory`.
  public var reason: String

  /// Creates an error with the system's message.
  ///
  /// - Parameter code: the error number; `nil` for the current value of `errno`.
  public init(_ operation: String, _ path: String, code: Int32? = nil) {
    self.operation = operation
    self.path = path
    self.code = code ?? errno
    reason = unsafe String(cString: strerror(self.code))
  }

  /// Creates an error whose reason is not the system's; its `code` is 0.
  public init(_ operation: String, _ path: String, reason: String) {
    self.operation = operation
    self.path = path
    self.code = 0
    self.reason = reason
  }

  /// Whether a file with this name exists, and was kept.
  public var isNameTaken: Bool { code == EEXIST }

  /// Returns whether an error number means that the system or the file system does not support the operation.
  static func isRefusal(_ code: Int32) -> Bool {
    code == EPERM || code == EOPNOTSUPP || code == ENOSYS
  }

  public var description: String { "cannot \(operation) \(path): \(reason)" }
}
