// SPDX-License-Identifier: MIT

/// An input with a range fetched into memory, so that several small pieces can be accessed after a single read.
public final class FetchedSource: ByteSource {
  private let source: any ByteSource
  private let start: Int
  private let bytes: [UInt8]

  /// - Parameter range: the range to fetch.
  public init(_ source: any ByteSource, _ range: Range<Int>) throws(SyntaxError) {
    self.source = source
    start = range.lowerBound
    bytes = try source.bytes(in: range)
  }

  /// The size of the whole input, in bytes.
  public var count: Int { source.count }
  /// The bytes of the underlying input, if they are in memory.
  public var resident: [UInt8]? { source.resident }

  /// Appends bytes from memory if the range was fetched, and otherwise from the underlying input.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    guard range.lowerBound >= start, range.upperBound <= start + bytes.count else {
      return try source.read(range, into: &output)
    }
    for index in range { output.append(bytes[index - start]) }
  }
}
