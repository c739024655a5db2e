// SPDX-License-Identifier: MIT

public import ApusBytes

/// Waits for the next bytes of something that still grows, and returns them; returns `nil` at the end.
public typealias PullBytes = @Sendable () throws -> [UInt8]?

/// Bytes that are read in pieces: those of a file in place, those of a pipe as they come.
public struct PulledBytes: Sendable {
  private enum Origin: Sendable {
    case file(any ByteSource, Int)
    case pipe([UInt8], PullBytes)
  }

  private var origin: Origin
  private static let piece = 1 << 20

  /// - Parameter first: the bytes that were read already to detect the format.
  public init(_ first: [UInt8], then pull: @escaping PullBytes) { origin = .pipe(first, pull) }

  /// Creates bytes whose copies read the same bytes again.
  public init(_ source: any ByteSource) { origin = .file(source, 0) }

  /// Returns the next bytes without consuming them.
  public mutating func peek() throws -> [UInt8] {
    guard case .pipe(_, let pull) = origin else {
      var copy = self
      return try copy.next() ?? []
    }
    let first = try next() ?? []
    origin = .pipe(first, pull)
    return first
  }

  /// Returns the next piece, at most 1 MiB of a file or as much as a pipe delivers; `nil` at the end.
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
