// SPDX-License-Identifier: MIT

/// Where written bytes go.
public protocol ByteSink {
  /// How many bytes went in.
  var count: Int { get }
  mutating func append(_ byte: UInt8) throws(SyntaxError)
  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError)
  mutating func append(_ extent: Extent) throws(SyntaxError)
  /// Whether an element that frames itself and was read from `extent` need not be written once more.
  mutating func skip(framed extent: Range<Int>) -> Bool
  /// What comes next is an element that was read from `origin`, changed since; it begins with a header of
  /// so many bytes.
  mutating func begin(framed origin: Range<Int>, header: Int)
  /// What came so far can be used as it is: a sink that gathers bytes hands them on.
  mutating func passOn() throws(SyntaxError)
}

extension ByteSink {
  public mutating func skip(framed extent: Range<Int>) -> Bool { false }
  public mutating func begin(framed origin: Range<Int>, header: Int) {}
  public mutating func passOn() throws(SyntaxError) {}

  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    try extent.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }
}

/// Bytes in memory.
public struct ArraySink: ByteSink {
  public private(set) var bytes: [UInt8] = []
  public init() {}

  public var count: Int { bytes.count }
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }
  public mutating func append(_ more: Span<UInt8>) {
    bytes.reserveCapacity(bytes.count + more.count)
    for index in more.indices { bytes.append(more[index]) }
  }
}

/// Nothing but the number of bytes.
public struct CountingSink: ByteSink {
  public private(set) var count = 0
  public init() {}

  public mutating func append(_ byte: UInt8) { count += 1 }
  public mutating func append(_ bytes: Span<UInt8>) { count += bytes.count }
  public mutating func append(_ extent: Extent) { count += extent.count }
  public mutating func skip(framed extent: Range<Int>) -> Bool {
    count += extent.count
    return true
  }
}

/// The bytes that were there: compares what is written with them and keeps nothing.
public struct ComparingSink: ByteSink {
  private var reader: SyntaxReader
  private let start: Int
  public private(set) var count = 0
  /// The first offset at which what was written differs.
  public private(set) var difference: Int?

  /// - Parameter reader: stands where the bytes begin; its window is shared, not copied.
  public init(_ reader: SyntaxReader, from start: Int) {
    self.reader = reader
    self.reader.readAheadEnd = start + 256
    self.start = start
  }

  /// An element in an element was compared when it was read itself.
  public mutating func skip(framed extent: Range<Int>) -> Bool {
    guard extent.lowerBound == start + count else { return false }
    count += extent.count
    return true
  }

  public mutating func append(_ byte: UInt8) throws(SyntaxError) {
    let offset = start + count
    count += 1
    guard difference == nil else { return }
    guard offset < reader.end, try reader.byte(at: offset) == byte else {
      difference = offset
      return
    }
  }

  public mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    for index in bytes.indices { try append(bytes[index]) }
  }

  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    let here = start + count..<start + count + extent.count
    if extent.source === reader.source, extent.range == here {
      count += extent.count
      return
    }
    try extent.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }
}
