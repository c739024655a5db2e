// SPDX-License-Identifier: MIT

/// An input with random access: a file, or bytes in memory. Formats read from it and open nothing themselves.
public protocol ByteSource: AnyObject, Sendable {
  /// The size of the input in bytes.
  var count: Int { get }

  /// The whole input, if it is in memory already; readers then use it without copying.
  var resident: [UInt8]? { get }

  /// Appends exactly the bytes of `range`, which must be within `0..<count`.
  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError)
}

extension ByteSource {
  /// Returns the bytes of a range; throws if it is not within the input.
  public func bytes(in range: Range<Int>) throws(SyntaxError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw SyntaxError(
        .truncated, field: "input", offset: range.lowerBound,
        detail: "ends at byte \(count), \(range.upperBound) was asked for")
    }
    if let resident { return Array(resident[range]) }
    return try [UInt8](
      capacity: range.count,
      written: { output throws(SyntaxError) in
        try read(range, into: &output)
      })
  }
}

/// Bytes in memory as an input.
public final class MemorySource: ByteSource {
  /// The bytes of the input.
  public let bytes: [UInt8]
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes.
  public var count: Int { bytes.count }
  /// The bytes, which are in memory already.
  public var resident: [UInt8]? { bytes }

  /// Appends a range of the bytes.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    for byte in bytes[range] { output.append(byte) }
  }
}
