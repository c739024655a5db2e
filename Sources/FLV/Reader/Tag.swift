// SPDX-License-Identifier: MIT

/// A tag in an input; its data stays there until it is requested.
public struct Tag: Sendable {
  /// The header of the tag.
  public var header: TagHeader
  /// The offset at which the header begins.
  public var offset: Int
  /// The `PreviousTagSize` before the tag, and its expected value; `nil` if it does not follow a tag.
  public var previousTagSize: UInt32
  /// The expected value of `previousTagSize`; `nil` if it is unknown because the tag does not follow another.
  public var expectedPreviousTagSize: UInt32?
  /// Milliseconds since the timestamp 0, unaffected by the wraps of 24, 31 or 32 bits.
  public var time: Int64

  /// The range of the data in the input.
  public var data: Range<Int> {
    offset + TagHeader.size..<offset + TagHeader.size + Int(header.dataSize)
  }
}

/// A section of a file: together the elements cover it, so that it can be reproduced byte for byte.
public enum FLVElement: Sendable {
  /// A tag, with the `PreviousTagSize` before it.
  case tag(Tag)
  /// Bytes that belong to no tag.
  case junk(Range<Int>)
  /// The last tag, with the `PreviousTagSize` before it; the file ends inside it.
  case truncated(TagHeader, Range<Int>)
  /// The last `PreviousTagSize`, and its expected value.
  case end(UInt32, expected: UInt32?)
}
