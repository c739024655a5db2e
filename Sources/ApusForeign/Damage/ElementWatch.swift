// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A watch over a container of elements that begin with their sizes, so that only headers need to be read.
protocol ElementWatch: ContainerWatch {
  /// The size of the longest header, in bytes.
  static var longestHeader: Int { get }

  /// The size of the file in bytes.
  var count: Int { get }
  /// The offset of the next element.
  var next: Int { get }
  /// Whether no further element can be found.
  var isDone: Bool { get }

  /// Reads the header of the next element, and moves on to the one after it.
  ///
  /// - Parameter bytes: the bytes from there on, as many as the longest header has; fewer at the end of the file.
  mutating func read(_ bytes: Span<UInt8>)
}

extension ElementWatch {
  mutating func look(at bytes: Span<UInt8>, from offset: Int) {
    while !isDone, next >= offset, next + Self.longestHeader <= offset + bytes.count {
      read(bytes.extracting((next - offset)..<(next - offset + Self.longestHeader)))
    }
  }

  /// Follows the elements that libavformat did not read.
  mutating func finish(_ source: any ByteSource) throws {
    while !isDone, next < count {
      let start = next
      let bytes = try source.bytes(in: start..<min(count, start + 1 << 16))
      look(at: bytes.span, from: start)
      // Headers at the end may be shorter.
      if next == start, !isDone {
        read(bytes.span.extracting(0..<min(bytes.count, Self.longestHeader)))
      }
    }
  }
}
