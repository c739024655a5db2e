// SPDX-License-Identifier: MIT

public import ApusBytes

/// The reader for an input that is still growing, such as a pipe: bytes go in as they come, whole tags come out.
///
/// It needs memory for one tag and the bytes that were added beyond it.
public struct TagStream: Sendable {
  /// A tag with its data.
  public struct Received: Sendable {
    /// The header of the tag.
    public var header: TagHeader
    /// Milliseconds since the timestamp 0, unaffected by wraps of the timestamp.
    public var time: Int64
    /// The offset of the header, counted from the start of the stream.
    public var offset: Int
    /// The `PreviousTagSize` before the tag, and its expected value; `nil` if it does not follow a tag.
    public var previousTagSize: UInt32
    /// The expected value of `previousTagSize`; `nil` if it is unknown because the tag does not follow another.
    public var expectedPreviousTagSize: UInt32?
    /// The data of the tag.
    public var data: [UInt8]

    /// Parses the data of the tag, and returns their contents.
    public func content(limits: Limits = Limits()) -> TagContent {
      TagContent(header, data: Extent(data), limits: limits)
    }
  }

  /// The header of the stream; `nil` until all of it has come.
  public private(set) var header: FLVHeader?
  /// The number of bytes that were skipped because they belong to no tag.
  public private(set) var skipped = 0

  private var clock = TagClock()
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that were used up.
  private var used = 0
  private var base = 0
  private var expectedSize: UInt32? = 0
  /// Whether the next tag must be confirmed by the size after it.
  private var isLost = false

  private static let largestHeader = 1 << 16
  /// The number of bytes after a header with a pending end in which other headers are searched.
  private static let glance = 1 << 16

  /// Creates a reader for the beginning of a stream.
  public init() {}

  /// Adds the next bytes of the stream.
  public mutating func append(_ bytes: Span<UInt8>) {
    if used > 0 {
      buffer.removeFirst(used)
      base += used
      used = 0
    }
    unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
  }

  /// Returns the next whole tag; `nil` until more bytes come. Throws if the stream is not FLV.
  public mutating func next() throws(SyntaxError) -> Received? {
    guard try readHeader() else { return nil }
    guard try find() else { return nil }
    let tag = TagHeader(buffer.span, at: used + 4)
    let start = used + 4
    let end = start + TagHeader.size + Int(tag.dataSize)
    guard end <= buffer.count else { return nil }
    let (size, expected) = (UInt32(bigEndianBytes: buffer.span, at: used, count: 4), expectedSize)
    used = end
    expectedSize = tag.tagSize
    return Received(
      header: tag, time: clock.time(of: tag.timestamp, isScript: !tag.type.isMedia),
      offset: base + start, previousTagSize: size, expectedPreviousTagSize: expected,
      data: Array(buffer[start + TagHeader.size..<end]))
  }

  /// The remaining bytes after the last tag: in a whole stream the last `PreviousTagSize`.
  public var remaining: [UInt8] { Array(buffer[used...]) }

  /// Moves to the next tag; returns `false` until more bytes show its place.
  ///
  /// Among other bytes, a header counts only if the size after its data matches. If that has not come yet it is
  /// awaited, unless a later header is confirmed first.
  private mutating func find() throws(SyntaxError) -> Bool {
    guard buffer.count - used >= TagHeader.size + 4 else { return false }
    if !isLost, TagHeader(buffer.span, at: used + 4).looksRight { return true }
    isLost = true
    var place = used
    var open: Int?
    while place + TagHeader.size + 4 <= buffer.count, place < (open ?? place) + Self.glance {
      let tag = TagHeader(buffer.span, at: place + 4)
      let end = place + 4 + TagHeader.size + Int(tag.dataSize)
      if tag.looksRight, end + 4 > buffer.count {
        open = open ?? place
      } else if tag.looksRight,
        UInt32(bigEndianBytes: buffer.span, at: end, count: 4) == tag.tagSize
      {
        isLost = false
        try skip(to: place)
        return true
      }
      place += 1
    }
    try skip(to: open ?? place)
    return false
  }

  private mutating func skip(to place: Int) throws(SyntaxError) {
    if place > used { expectedSize = nil }
    skipped += place - used
    used = place
    guard skipped <= TagReader.searchLimit else {
      throw SyntaxError(
        .invalid, field: "TagType", offset: base + used,
        detail: "does not appear in \(TagReader.searchLimit) bytes")
    }
  }

  private mutating func readHeader() throws(SyntaxError) -> Bool {
    guard header == nil else { return true }
    guard buffer.count >= FLVHeader.size else { return false }
    let offset = UInt32(bigEndianBytes: buffer.span, at: 5, count: 4)
    guard offset <= Self.largestHeader else {
      throw SyntaxError(
        .limit, field: "DataOffset", offset: 5,
        detail: "is \(offset), beyond the limit of \(Self.largestHeader)")
    }
    guard buffer.count >= Int(offset) else { return false }
    var reader = SyntaxReader(MemorySource(buffer))
    var read = FLVHeader()
    try read.syntax(&reader)
    header = read
    used = reader.position
    return true
  }
}
