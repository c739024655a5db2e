// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A walk over the units of AV1 at the start of a picture or in a configuration, each preceded by its size.
public struct AV1UnitWalk {
  /// A unit.
  public struct Unit {
    var type: UInt8
    var hasSize: Bool
    /// The range of the whole unit.
    var range: Range<Int>
    var body: Range<Int>
  }

  private var reader: SyntaxReader

  init(_ bytes: [UInt8]) { reader = SyntaxReader(MemorySource(bytes)) }

  mutating func next() throws(SyntaxError) -> Unit? {
    guard reader.remaining > 0 else { return nil }
    let start = reader.position
    var header = AV1UnitHeader()
    try header.syntax(&reader)
    let body = reader.position
    let size = header.hasSize ? Int(header.size) : reader.remaining
    var skipped: [UInt8] = []
    try reader.bytes("obu", &skipped, count: size, .bytes)
    return Unit(
      type: header.type, hasSize: header.hasSize, range: start..<body + size,
      body: body..<body + size)
  }

  /// Returns a temporal unit in the form stored in files: without delimiters, redundant frame headers, tile lists and
  /// padding (AV1 Codec ISO Media File Format Binding 1.2, 2.4). Unreadable data is kept.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var walk = AV1UnitWalk(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    do {
      while let unit = try walk.next() {
        if !AV1UnitHeader.unstored.contains(unit.type) { result += bytes[unit.range] }
      }
    } catch {
      return bytes
    }
    return result
  }
}
