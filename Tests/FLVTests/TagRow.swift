// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

/// The data of one tag under test: bytes that another program or a specification gives, and what they say.
struct TagRow: Sendable, CustomTestStringConvertible {
  var source: String
  var type: TagType
  var bytes: [UInt8]
  /// `name=value`, as a listing shows them.
  var fields: [String]
  /// How many bytes from the start hold fields; cut inside them, the tag is malformed.
  var head: Int
  /// Lengths inside the head at which a packet of several tracks is whole.
  var whole: Set<Int>

  init(
    _ source: String, _ type: TagType, _ bytes: String, head: Int, whole: Set<Int> = [],
    _ fields: [String]
  ) {
    self.source = source
    self.type = type
    self.bytes = hex(bytes)
    self.head = head
    self.whole = whole
    self.fields = fields
  }

  var testDescription: String { source }

  func content(_ bytes: [UInt8]) -> TagContent {
    var header = TagHeader()
    header.type = type
    return TagContent(header, data: Extent(bytes))
  }
}

func written(_ content: TagContent) throws -> [UInt8] {
  var writer = SyntaxWriter(ArraySink())
  try content.write(to: &writer)
  return writer.sink.bytes
}

private func listing(_ content: TagContent) throws -> [String] {
  let fields: [Field]
  switch content {
  case .video(let tag): fields = try FieldMapper.fields(of: tag)
  case .audio(let tag): fields = try FieldMapper.fields(of: tag)
  default: fields = []
  }
  return fields.flatMap(\.leaves).map { "\($0.name)=\($0.field.text)" }
}

/// The four checks that every tag passes: fields, bytes, bits, prefixes.
func check(_ row: TagRow) throws {
  let content = row.content(row.bytes)
  let listing = try listing(content)
  for field in row.fields { #expect(listing.contains(field), "\(listing)") }
  #expect(content.failure == nil)
  #expect(try written(content) == row.bytes)
  for bit in 0..<row.bytes.count * 8 {
    var flipped = row.bytes
    flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
    #expect(try written(row.content(flipped)) == flipped, "bit \(bit) was lost")
  }
  for count in 0..<row.bytes.count {
    let cut = Array(row.bytes.prefix(count))
    let content = row.content(cut)
    #expect(try written(content) == cut)
    if count > 0, count < row.head, !row.whole.contains(count) {
      #expect(content.failure != nil, "cut after \(count) bytes")
    }
  }
}
