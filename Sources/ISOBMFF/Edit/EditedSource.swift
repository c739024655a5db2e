// SPDX-License-Identifier: MIT

public import ApusBytes

/// The bytes of an edited file before it is written; pieces of the input are not copied.
public final class EditedSource: ByteSource {
  private let pieces: [Piece]
  /// The offset of each piece.
  private let starts: [Int]
  /// The size of the edited file in bytes.
  public let count: Int
  /// `nil`: pieces of the input are not copied.
  public var resident: [UInt8]? { nil }

  fileprivate enum Piece: Sendable {
    case bytes([UInt8])
    case extent(Extent)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .extent(let extent): extent.count
      }
    }
  }

  /// Creates the bytes of an edited file; only those that changed are in memory.
  public init(_ edited: EditedFile) throws(SyntaxError) {
    var writer = SyntaxWriter(Sink())
    try edited.tree.write(to: &writer)
    writer.sink.close()
    pieces = writer.sink.pieces
    var (starts, end) = ([Int](), 0)
    for piece in pieces {
      starts.append(end)
      end += piece.count
    }
    (self.starts, count) = (starts, end)
  }

  /// Reads a range of the edited file.
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    guard !range.isEmpty else { return }
    var index = starts.partitioningIndex(after: range.lowerBound)
    while index < pieces.count, starts[index] < range.upperBound {
      let (start, piece) = (starts[index], pieces[index])
      let part = range.clamped(to: start..<start + piece.count)
      let inner = part.lowerBound - start..<part.upperBound - start
      switch piece {
      case .bytes(let bytes): for byte in bytes[inner] { output.append(byte) }
      case .extent(let extent):
        let from = extent.range.lowerBound
        try extent.source.read(
          from + inner.lowerBound..<from + inner.upperBound, into: &output)
      }
      index += 1
    }
  }

  /// Collects written bytes, without reading extents of the input.
  private struct Sink: ByteSink {
    var pieces: [Piece] = []
    private var pending: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ byte: UInt8) {
      pending.append(byte)
      count += 1
    }

    mutating func append(_ bytes: Span<UInt8>) {
      for index in bytes.indices { pending.append(bytes[index]) }
      count += bytes.count
    }

    mutating func append(_ extent: Extent) {
      guard !extent.isEmpty else { return }
      close()
      pieces.append(.extent(extent))
      count += extent.count
    }

    mutating func close() {
      if !pending.isEmpty { pieces.append(.bytes(pending)) }
      pending = []
    }
  }
}

extension [Int] {
  /// Returns the index of the last element that is not greater than a value, or 0.
  fileprivate func partitioningIndex(after value: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return Swift.max(0, low - 1)
  }
}
