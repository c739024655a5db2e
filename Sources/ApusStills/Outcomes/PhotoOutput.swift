// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia

/// A destination for an encoded picture, which arrives piece by piece and in order.
public protocol PhotoOutput: AnyObject, Sendable {
  /// Appends the next bytes of the picture.
  func write(_ bytes: Span<UInt8>) throws
  /// Overwrites bytes that were written before.
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws
  /// Returns the bytes written so far, for reading.
  func written() throws -> any ByteSource
  /// Completes the picture: gives the file its name and returns it, or returns `nil` if another process took the name
  /// in the meantime and its file is kept. An output that is freed without a commit leaves nothing behind.
  func commit() throws -> String?
  /// The file that exists already and is kept, so that nothing is written; known from the beginning, or after a commit
  /// that returned `nil`.
  var existing: String? { get }
  /// The warnings about a committed output, such as times that could not be set.
  var warnings: [String] { get }
}

extension PhotoOutput {
  /// The default for outputs that never keep an existing file: `nil`.
  public var existing: String? { nil }
  /// The default for outputs without warnings: an empty list.
  public var warnings: [String] { [] }
}
