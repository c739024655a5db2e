// SPDX-License-Identifier: MIT

/// A tag where it lies; its data stays in the input until someone asks.
public struct Tag: Sendable {
  public var header: TagHeader
  /// The offset at which the header begins.
  public var offset: Int
  /// The `PreviousTagSize` that precedes the tag, and what it should be; `nil` where what comes before
  /// is no tag.
  public var previousTagSize: UInt32
  public var expectedPreviousTagSize: UInt32?
  /// Milliseconds since the timestamp 0, past every point at which 24, 31 or 32 bits wrap.
  public var time: Int64

  public var data: Range<Int> {
    offset + TagHeader.size..<offset + TagHeader.size + Int(header.dataSize)
  }
}

/// A stretch of a file: together the elements cover it, so that it can be written again byte for byte.
public enum FLVElement: Sendable {
  /// A tag, with the `PreviousTagSize` before it.
  case tag(Tag)
  /// Bytes that belong to no tag.
  case junk(Range<Int>)
  /// The last tag, with the `PreviousTagSize` before it; the file ends inside it.
  case truncated(TagHeader, Range<Int>)
  /// The last `PreviousTagSize`, and what it should be.
  case end(UInt32, expected: UInt32?)
}
