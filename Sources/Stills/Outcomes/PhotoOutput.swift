// SPDX-License-Identifier: MIT

public import Bytes
internal import Media

/// A destination for an encoded picture, which comes piece by piece and in order.
public protocol PhotoOutput: AnyObject, Sendable {
  func write(_ bytes: Span<UInt8>) throws
  /// Writes over bytes that were written before.
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws
  /// What was written so far, to be read again.
  func written() throws -> any ByteSource
  /// The picture is whole: gives it its name and returns that, or `nil` where another process took the name meanwhile
  /// and its file stays. An output that is freed without a commit leaves nothing behind.
  func commit() throws -> String?
  /// The warnings about an output that has been committed, such as times that could not be set.
  var warnings: [String] { get }
}

extension PhotoOutput {
  public var warnings: [String] { [] }
}
