// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The part of a file that a reader has in view: the whole file if it is in memory already, otherwise a piece that
/// grows while tags are close together and shrinks where large ones are skipped.
struct TagWindow: Sendable {
  let source: any ByteSource
  let count: Int
  private(set) var bytes: [UInt8]
  /// The offset of the first byte.
  private(set) var start = 0
  private var ahead = 1 << 14

  private static let least = 1 << 12
  private static let most = 1 << 20

  init(_ source: any ByteSource) {
    self.source = source
    count = source.count
    bytes = source.resident ?? []
  }

  /// Returns the index in `bytes` at which the range begins, reading it if necessary; `nil` if the input ends before.
  @inline(__always)
  mutating func index(of offset: Int, count: Int) throws(SyntaxError) -> Int? {
    if offset >= start, offset + count <= start + bytes.count { return offset - start }
    guard offset + count <= self.count else { return nil }
    try fetch(offset, count)
    return offset - start
  }

  private mutating func fetch(_ offset: Int, _ count: Int) throws(SyntaxError) {
    let end = start + bytes.count
    let isNear = offset >= start && offset <= end
    ahead = isNear ? min(ahead * 4, Self.most) : max(ahead / 4, Self.least)
    bytes = try source.bytes(in: offset..<min(self.count, offset + max(count, ahead)))
    start = offset
  }
}
