// SPDX-License-Identifier: MIT

public import ApusBytes

/// Reads the tags of a file, one at a time, and copes with the defects of real files: sizes that do not match, bytes
/// between tags, an end in the middle of a tag.
///
/// Only headers are read; the data of a tag is read on request.
public struct TagReader: Sendable {
  /// The header of the file.
  public let header: FLVHeader
  /// The number of bytes that are searched for the next tag when one is missing.
  public static let searchLimit = 16 << 20
  /// The number of places resembling a header that are tried in that search.
  private static let tryLimit = 10_000

  private var window: TagWindow
  private var clock = TagClock()
  /// The offset of the next `PreviousTagSize`.
  private var position: Int
  private var expectedSize: UInt32? = 0

  /// Reads the header of a file; throws if it is not FLV.
  public init(_ source: any ByteSource, limits: Limits = Limits()) throws(SyntaxError) {
    var reader = SyntaxReader(source, limits: limits)
    reader.readAheadEnd = min(source.count, FLVHeader.size)
    var header = FLVHeader()
    try header.syntax(&reader)
    self.header = header
    position = reader.position
    window = TagWindow(source)
  }

  /// The input that is read.
  public var source: any ByteSource { window.source }

  /// Returns the next section of the file; `nil` after the last.
  @inline(__always)
  public mutating func next() throws(SyntaxError) -> FLVElement? {
    guard let index = try window.index(of: position, count: TagHeader.size + 4) else {
      return rest()
    }
    let bytes = window.bytes
    let size = UInt32(bigEndianBytes: bytes.span, at: index, count: 4)
    let header = TagHeader(bytes.span, at: index + 4)
    let end = position + 4 + TagHeader.size + Int(header.dataSize)
    guard header.looksRight, end <= window.count else { return try astray(size, header, end) }
    return element(header, size: size)
  }

  /// Returns the next tag, skipping everything else.
  public mutating func nextTag() throws(SyntaxError) -> Tag? {
    while let element = try next() {
      if case .tag(let tag) = element { return tag }
    }
    return nil
  }

  @inline(__always)
  private mutating func element(_ header: TagHeader, size: UInt32) -> FLVElement {
    let time = clock.time(of: header.timestamp, isScript: !header.type.isMedia)
    let tag = Tag(
      header: header, offset: position + 4, previousTagSize: size,
      expectedPreviousTagSize: expectedSize, time: time)
    expectedSize = header.tagSize
    position = tag.data.upperBound
    return .tag(tag)
  }

  /// Returns the end of the file: a last `PreviousTagSize`, or fewer bytes, or more.
  private mutating func rest() -> FLVElement? {
    let left = position..<window.count
    guard !left.isEmpty else { return nil }
    defer { position = window.count }
    guard left.count >= 4, let index = (try? window.index(of: position, count: 4)) ?? nil else {
      return .junk(left)
    }
    guard left.count == 4 else { return .junk(left) }
    return .end(
      UInt32(bigEndianBytes: window.bytes.span, at: index, count: 4), expected: expectedSize)
  }
}

// MARK: - Where there is no tag

extension TagReader {
  /// Handles a place without a header of a known type, or with one that declares more data than there is.
  private mutating func astray(_ size: UInt32, _ header: TagHeader, _ end: Int)
    throws(SyntaxError) -> FLVElement?
  {
    // An unknown type or a stream id is accepted if the size after the data matches.
    if end <= window.count, try isConfirmed(header, at: position + 4) {
      return element(header, size: size)
    }
    let start = position
    let limit = min(window.count, start + Self.searchLimit)
    var tries = 0
    // The four bytes before a tag are its `PreviousTagSize`, whatever their value.
    var candidate = start + 5
    while candidate + TagHeader.size < limit, tries < Self.tryLimit {
      guard let index = try window.index(of: candidate, count: TagHeader.size) else { break }
      let found = TagHeader(window.bytes.span, at: index)
      if found.looksRight, found.dataSize > 0 {
        tries += 1
        if try isConfirmed(found, at: candidate) {
          expectedSize = nil
          position = candidate - 4
          return .junk(start..<position)
        }
      }
      candidate += 1
    }
    if header.looksRight, end > window.count {
      position = window.count
      return .truncated(header, start..<window.count)
    }
    position = limit
    return .junk(start..<limit)
  }

  /// Returns whether the size after the data matches the tag, another tag follows, or the file ends right there.
  private mutating func isConfirmed(_ header: TagHeader, at offset: Int) throws(SyntaxError) -> Bool
  {
    let end = offset + TagHeader.size + Int(header.dataSize)
    if end == window.count { return true }
    guard let index = try window.index(of: end, count: 4) else { return false }
    if UInt32(bigEndianBytes: window.bytes.span, at: index, count: 4) == header.tagSize {
      return true
    }
    guard let next = try window.index(of: end + 4, count: TagHeader.size) else { return false }
    let following = TagHeader(window.bytes.span, at: next)
    return following.looksRight && following.dataSize > 0
  }
}

// MARK: - Data

extension TagReader {
  /// Calls `body` with the first bytes of a tag's data, at most `limit`, in place in the reader's window.
  ///
  /// The tag must have been just read; this makes reading the following ones faster.
  public mutating func withData<Result>(
    of tag: Tag, limit: Int = .max, _ body: (Span<UInt8>) throws(SyntaxError) -> Result
  ) throws(SyntaxError) -> Result {
    let count = min(tag.data.count, limit)
    guard let index = try window.index(of: tag.data.lowerBound, count: count) else {
      throw SyntaxError(
        .truncated, field: "data", offset: tag.data.lowerBound, detail: "needs \(count) bytes")
    }
    return try body(window.bytes.span.extracting(index..<index + count))
  }

  /// Returns the data of a tag, which stay in the input.
  public func data(of tag: Tag) -> Extent { Extent(source, tag.data) }

  /// Reads the data of a tag, and returns their contents.
  public func content(of tag: Tag, limits: Limits = Limits()) -> TagContent {
    TagContent(tag.header, data: data(of: tag), limits: limits)
  }
}

extension TagType {
  /// Whether a tag of this type has sound or pictures.
  public var isMedia: Bool { self == .audio || self == .video }
}

extension TagHeader {
  /// Whether the header has the properties that all known writers give it.
  @inline(__always)
  var looksRight: Bool { reserved == 0 && streamID == 0 && type.isKnown }
}
