// SPDX-License-Identifier: MIT

public import Bytes

/// The next bytes of something that is still growing; waits for them, and answers `nil` at the end.
public typealias PullBytes = @Sendable () throws -> [UInt8]?

/// Bytes in pieces: those of a file where they lie, or of a pipe as they come.
public struct PulledBytes: Sendable {
  private enum Origin: Sendable {
    case file(any ByteSource, Int)
    case pipe([UInt8], PullBytes)
  }

  private var origin: Origin
  private static let piece = 1 << 20

  /// - Parameter first: what was read already to see what it is.
  public init(_ first: [UInt8], then pull: @escaping PullBytes) { origin = .pipe(first, pull) }

  /// Copies of it read the same bytes again.
  public init(_ source: any ByteSource) { origin = .file(source, 0) }

  /// What comes next, without taking it.
  public mutating func peek() throws -> [UInt8] {
    guard case .pipe(_, let pull) = origin else {
      var copy = self
      return try copy.next() ?? []
    }
    let first = try next() ?? []
    origin = .pipe(first, pull)
    return first
  }

  public mutating func next() throws -> [UInt8]? {
    switch origin {
    case .file(let source, let position):
      let end = min(source.count, position + Self.piece)
      guard position < end else { return nil }
      origin = .file(source, end)
      return try source.bytes(in: position..<end)
    case .pipe(let first, let pull):
      guard first.isEmpty else {
        origin = .pipe([], pull)
        return first
      }
      return try pull()
    }
  }
}
