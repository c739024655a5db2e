// SPDX-License-Identifier: MIT

internal import Glibc

/// A file operation that the system refused, in its own words.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public var operation: String
  public var path: String
  public var code: Int32

  public init(_ operation: String, _ path: String, code: Int32? = nil) {
    self.operation = operation
    self.path = path
    self.code = code ?? errno
  }

  public var description: String {
    "cannot \(operation) \(path): \(unsafe String(cString: strerror(code)))"
  }
}
