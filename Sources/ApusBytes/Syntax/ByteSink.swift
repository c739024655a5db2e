// SPDX-License-Identifier: MIT

/// A destination for written bytes.
public protocol ByteSink {
  /// The number of bytes written so far.
  var count: Int { get }
  /// Appends one byte.
  mutating func append(_ byte: UInt8) throws(SyntaxError)
  /// Appends the lowest bytes of a number, at most 8, the most significant first.
  mutating func append(_ number: UInt64, bytes count: Int) throws(SyntaxError)
  /// Appends bytes in memory.
  mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError)
  /// Appends bytes of an input.
  mutating func append(_ extent: Extent) throws(SyntaxError)
  /// Returns whether a self-framed element that was read from `extent` need not be written again.
  mutating func skip(framed extent: Range<Int>) -> Bool
  /// Announces an element that was read from `origin` and changed since; it begins with a header of this size.
  mutating func begin(framed origin: Range<Int>, header: Int)
  /// Signals that the bytes so far are final; a sink that collects bytes passes them on.
  mutating func passOn() throws(SyntaxError)
  /// Writes a structure in the form compiled for this sink, if there is one.
  static func run(
    _ structure: inout some CompiledStructure, in writer: inout SyntaxWriter<Self>
  ) throws(SyntaxError)
}

extension ByteSink {
  @inlinable
  public mutating func append(_ number: UInt64, bytes count: Int) throws(SyntaxError) {
    for left in stride(from: count - 1, through: 0, by: -1) {
      try append(UInt8(truncatingIfNeeded: number >> UInt64(8 * left)))
    }
  }

  /// Writes a structure in its generic form, for sinks that have no compiled one.
  @inlinable
  public static func run(
    _ structure: inout some CompiledStructure, in writer: inout SyntaxWriter<Self>
  ) throws(SyntaxError) {
    try structure.body(&writer)
  }

  /// Returns `false`, so that every element is written.
  public mutating func skip(framed extent: Range<Int>) -> Bool { false }
  /// Ignores the announcement.
  public mutating func begin(framed origin: Range<Int>, header: Int) {}
  /// Does nothing, for a sink that keeps all bytes.
  public mutating func passOn() throws(SyntaxError) {}

  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    try extent.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }
}

/// Bytes in memory.
public struct ArraySink: ByteSink {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []
  public init() {}

  /// The number of bytes written so far.
  public var count: Int { bytes.count }
  public mutating func append(_ byte: UInt8) { bytes.append(byte) }

  public mutating func append(_ more: Span<UInt8>) {
    unsafe more.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes a structure in the form compiled for this sink.
  @inlinable
  public static func run(
    _ structure: inout some CompiledStructure, in writer: inout SyntaxWriter<ArraySink>
  ) throws(SyntaxError) {
    try structure.run(&writer)
  }
}

/// A sink that only counts bytes.
public struct CountingSink: ByteSink {
  /// The number of bytes counted so far.
  public private(set) var count = 0
  public init() {}

  public mutating func append(_ byte: UInt8) { count += 1 }
  public mutating func append(_ number: UInt64, bytes: Int) { count += bytes }
  public mutating func append(_ bytes: Span<UInt8>) { count += bytes.count }
  public mutating func append(_ extent: Extent) { count += extent.count }
  /// Counts an element by the range that it was read from, and returns `true`, so that it is not written again.
  public mutating func skip(framed extent: Range<Int>) -> Bool {
    count += extent.count
    return true
  }

  /// Counts a structure in the form compiled for this sink.
  @inlinable
  public static func run(
    _ structure: inout some CompiledStructure, in writer: inout SyntaxWriter<CountingSink>
  ) throws(SyntaxError) {
    try structure.run(&writer)
  }
}

/// A sink that compares written bytes with the original ones, and keeps nothing.
public struct ComparingSink: ByteSink {
  private var window: InputWindow
  private let start: Int
  private let end: Int
  /// The number of bytes compared or skipped so far.
  public private(set) var count = 0
  /// The first offset at which the written bytes differ.
  public private(set) var difference: Int?

  /// - Parameter reader: a reader at the position of the bytes; its window is shared, not copied.
  public init(_ reader: borrowing SyntaxReader, from start: Int) {
    window = reader.window
    window.readAheadEnd = start + 256
    self.start = start
    end = reader.end
  }

  /// Skips a nested element, which was compared when it was read itself.
  public mutating func skip(framed extent: Range<Int>) -> Bool {
    guard extent.lowerBound == start + count else { return false }
    count += extent.count
    return true
  }

  public mutating func append(_ byte: UInt8) throws(SyntaxError) {
    let offset = start + count
    count += 1
    guard difference == nil else { return }
    guard offset < end, try window.byte(at: offset) == byte else {
      difference = offset
      return
    }
  }

  public mutating func append(_ number: UInt64, bytes: Int) throws(SyntaxError) {
    let offset = start + count
    if offset + bytes <= end, window.number(of: bytes, at: offset) == number {
      count += bytes
      return
    }
    // The bytes are compared one by one to find the difference.
    for left in stride(from: bytes - 1, through: 0, by: -1) {
      try append(UInt8(truncatingIfNeeded: number >> UInt64(8 * left)))
    }
  }

  public mutating func append(_ bytes: Span<UInt8>) throws(SyntaxError) {
    for index in bytes.indices { try append(bytes[index]) }
  }

  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    let here = start + count..<start + count + extent.count
    if extent.source === window.source, extent.range == here {
      count += extent.count
      return
    }
    try extent.forEachPiece { piece throws(SyntaxError) in try append(piece) }
  }

  /// Compares a structure in the form compiled for this sink.
  @inlinable
  public static func run(
    _ structure: inout some CompiledStructure, in writer: inout SyntaxWriter<ComparingSink>
  ) throws(SyntaxError) {
    try structure.run(&writer)
  }
}
