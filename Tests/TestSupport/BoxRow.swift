// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF
public import Testing

/// One structure under test: bytes that another program wrote, and what they say.
public struct BoxRow: Sendable, CustomTestStringConvertible {
  /// What the bytes are and who wrote them.
  public var source: String
  /// The whole box, header included.
  public var bytes: [UInt8]
  /// Enclosing types, outermost first, for boxes whose declaration depends on where they stand.
  public var parents: [FourCC]
  public var parentVersion: UInt8
  /// `name=value` of the fields, in order, as a listing shows them; those left out are not compared.
  public var fields: [String]

  public init(
    _ source: String, in parents: [FourCC] = [], parentVersion: UInt8 = 0, _ bytes: String,
    _ fields: [String]
  ) {
    self.source = source
    self.bytes = hex(bytes)
    self.parents = parents
    self.parentVersion = parentVersion
    self.fields = fields
  }

  public var testDescription: String { source }

  public func read(_ bytes: [UInt8]) throws -> (node: Node, findings: [Finding]) {
    var reader = SyntaxReader(MemorySource(bytes))
    for parent in parents {
      _ = try reader.enter(reader.step(toBox: parent), end: bytes.count)
      reader.note(version: parentVersion)
    }
    return (try Node.read(from: &reader), reader.findings)
  }

  /// The fields of all boxes inside, outermost first, as `name=value`.
  public static func listing(_ node: Node) throws -> [String] {
    try node.fields().flatMap(\.leaves).map { "\($0.name)=\($0.field.text)" }
      + node.children.flatMap { try ["\($0.type)"] + listing($0) }
  }
}

/// The four checks that every box passes: fields, bytes, bits, prefixes.
public func check(_ row: BoxRow) throws {
  let (node, findings) = try row.read(row.bytes)
  #expect(node.box != nil, "\(findings)")
  #expect(findings.isEmpty)
  let listing = try BoxRow.listing(node)
  for field in row.fields { #expect(listing.contains(field), "\(listing)") }
  #expect(try written(node) == row.bytes)

  for bit in row.bytes.indices.flatMap({ byte in (0..<8).map { byte * 8 + $0 } }) {
    var flipped = row.bytes
    flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
    let tree = try readAll(flipped, row)
    #expect(try tree.flatMap(written) == flipped, "bit \(bit) was lost")
  }

  for count in row.bytes.indices.dropFirst(8) {
    let cut = Array(row.bytes.prefix(count))
    let (node, findings) = try row.read(cut)
    #expect(!findings.isEmpty, "nothing was said about a box cut after \(count) bytes")
    #expect(try written(node) == cut)
  }
}

private func readAll(_ bytes: [UInt8], _ row: BoxRow) throws -> [Node] {
  var reader = SyntaxReader(MemorySource(bytes))
  for parent in row.parents {
    _ = try reader.enter(reader.step(toBox: parent), end: bytes.count)
    reader.note(version: row.parentVersion)
  }
  var nodes: [Node] = []
  while reader.remaining > 0 { nodes.append(try Node.read(from: &reader)) }
  return nodes
}

private func written(_ node: Node) throws -> [UInt8] {
  var writer = SyntaxWriter(ArraySink())
  try node.write(to: &writer)
  return writer.sink.bytes
}
