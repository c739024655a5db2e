// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The old and new bytes of a change in place, stored next to the file during the change, so that an interrupted change
/// can be finished.
struct PatchLog: SyntaxStructure {
  /// Bytes of the file from an offset, before and after the change.
  struct Piece: SyntaxStructure {
    var offset: UInt64 = 0
    var old: [UInt8] = []
    var new: [UInt8] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(64, "offset", &offset)
      let count = try v.count(32, "count", new.count)
      try v.bytes("old", &old, count: count)
      try v.bytes("new", &new, count: count)
    }

    var range: Range<Int> { Int(offset)..<Int(offset) + new.count }
  }

  private static let mark: UInt64 = 0x6170_7573_2070_6174

  var fileSize: UInt64 = 0
  var pieces: [Piece] = []

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var mark = Self.mark
    try v.u(64, "mark", &mark)
    guard mark == Self.mark else { throw v.failure(.invalid, "mark", "is not that of a patch log") }
    try v.u(64, "file_size", &fileSize)
    let count = try v.count(32, "piece_count", pieces.count)
    try v.list("pieces", &pieces, count: count)
  }

  init() {}

  /// Creates the log of pieces that all lie within a file of this size. Pieces close to each other are joined,
  /// including the bytes between them, so that few calls are needed.
  init(_ changes: [(offset: Int, bytes: [UInt8])], of source: FileSource) throws(SyntaxError) {
    fileSize = UInt64(source.count)
    for change in changes.sorted(by: { $0.offset < $1.offset }) where !change.bytes.isEmpty {
      let range = change.offset..<change.offset + change.bytes.count
      var piece = Piece()
      if let last = pieces.last, range.lowerBound - last.range.upperBound <= Self.widestGap,
        range.upperBound - last.range.lowerBound <= Self.longestPiece
      {
        piece = last
        let between = try source.bytes(in: last.range.upperBound..<range.lowerBound)
        piece.old += between
        piece.new += between
        pieces.removeLast()
      } else {
        piece.offset = UInt64(range.lowerBound)
      }
      piece.old += try source.bytes(in: range)
      piece.new += change.bytes
      pieces.append(piece)
    }
  }

  private static let widestGap = 1 << 16
  private static let longestPiece = 1 << 22
  /// The kernel does not interrupt a write within a page because of a signal.
  private static let page = 1 << 12

  /// Whether a single call writes everything, or nothing.
  var isAtomic: Bool {
    guard let piece = pieces.first else { return true }
    return pieces.count == 1
      && piece.range.lowerBound / Self.page == (piece.range.upperBound - 1) / Self.page
  }

  /// Returns the bytes of the log, followed by a digest that shows whether it is complete.
  func bytes() throws(SyntaxError) -> [UInt8] {
    let bytes = try encoded()
    return bytes + SHA256.digest(of: bytes)
  }

  /// Reads a log; `nil` if it is incomplete, so that the file was not changed either.
  init?(reading bytes: [UInt8]) {
    let body = Array(bytes.dropLast(32))
    guard bytes.count > 32, SHA256.digest(of: body) == Array(bytes.suffix(32)) else { return nil }
    var reader = SyntaxReader(MemorySource(body))
    guard (try? syntax(&reader)) != nil else { return nil }
  }

  /// Returns whether the file is in its state before the change, after it, or in between.
  func fits(_ source: FileSource) throws(SyntaxError) -> Bool {
    guard fileSize == UInt64(source.count) else { return false }
    for piece in pieces {
      guard piece.offset <= fileSize, piece.range.upperBound <= source.count else { return false }
      let now = try source.bytes(in: piece.range)
      for index in now.indices where now[index] != piece.old[index] {
        guard now[index] == piece.new[index] else { return false }
      }
    }
    return true
  }
}
