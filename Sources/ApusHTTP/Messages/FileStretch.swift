// SPDX-License-Identifier: MIT

public import ApusFiles

/// A range of bytes in a file, which must not change while they are sent.
public struct FileStretch: Sendable {
  /// The file that contains the bytes.
  public var file: FileSource
  /// The range of the bytes, as offsets in the file.
  public var range: Range<Int>

  public init(_ file: FileSource, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }
}
