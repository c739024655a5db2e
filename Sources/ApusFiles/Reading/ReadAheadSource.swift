// SPDX-License-Identifier: MIT

public import ApusBytes
internal import Synchronization

/// A file that is read in small consecutive pieces, which are taken from larger ones that are read at once. Large
/// pieces are read directly, and little is read around small ones that are far apart.
public final class ReadAheadSource: ByteSource {
  /// The file that the pieces are read from.
  public let file: FileSource

  private struct Window {
    var bytes: [UInt8] = []
    var start = 0
    /// The number of bytes to read at once, which grows if small pieces are close together.
    var size = ReadAheadSource.least
  }

  private let window = Mutex(Window())
  private static let least = 1 << 12
  /// Enough for the pieces of all tracks that a writer reads in turn.
  private static let most = 1 << 19
  /// The size from which a piece counts as large.
  private static let large = 1 << 14

  /// Creates a source that reads ahead in an open file.
  public init(_ file: FileSource) { self.file = file }

  /// The size of the file in bytes at the time of opening.
  public var count: Int { file.count }
  /// `nil`: only the current piece is in memory.
  public var resident: [UInt8]? { nil }

  /// Reads a range, from the current piece if it is small and from the file otherwise.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    guard range.count < Self.large else { return try file.read(range, into: &output) }
    let (bytes, start) = try piece(around: range)
    let from = range.lowerBound - start
    unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
      unsafe bytes.withUnsafeBufferPointer { source in
        let part = unsafe UnsafeBufferPointer(rebasing: source[from..<from + range.count])
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[initialized...])
        _ = unsafe rest.initialize(fromContentsOf: part)
      }
      initialized += range.count
    }
  }

  /// Returns bytes that include the range, with their offset.
  private func piece(around range: Range<Int>) throws(SyntaxError) -> ([UInt8], Int) {
    let held = window.withLock { window -> ([UInt8], Int, size: Int) in
      let end = window.start + window.bytes.count
      if range.lowerBound < window.start || range.upperBound > end {
        let isNear =
          range.upperBound > window.start - Self.most && range.lowerBound <= end + Self.large
        window.size = isNear ? min(window.size * 4, Self.most) : max(window.size / 4, Self.least)
      }
      return (window.bytes, window.start, window.size)
    }
    if range.lowerBound >= held.1, range.upperBound <= held.1 + held.0.count {
      return (held.0, held.1)
    }
    let start = range.lowerBound
    let bytes = try file.bytes(in: start..<max(range.upperBound, min(count, start + held.size)))
    window.withLock {
      $0.bytes = bytes
      $0.start = start
    }
    return (bytes, start)
  }
}
