// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusMetadata

struct StructureTests {
  @Test(arguments: StructureRow.all)
  func `it shows the fields that another program wrote`(_ row: StructureRow) throws {
    let tree = try #require(try Self.tree(row.data, row.kind))
    #expect(tree.findings.isEmpty)
    for (path, name, text) in row.fields {
      let structure = try #require(Self.find(path, in: tree.structures), "\(path)")
      let fields = try structure.headerFields() + structure.bodyFields()
      #expect(fields.first { $0.name == name }?.text == text, "\(path) \(name)")
    }
  }

  @Test(arguments: StructureRow.all)
  func `it reads every prefix as far as it goes`(_ row: StructureRow) throws {
    let data = try row.data
    for count in 12..<data.count {
      let tree = try #require(try Self.tree(Array(data.prefix(count)), row.kind))
      try Self.check(tree, count)
      #expect(!tree.findings.isEmpty, "\(count) bytes")
    }
  }

  @Test(arguments: StructureRow.all)
  func `it survives flipped bits`(_ row: StructureRow) throws {
    let data = try row.data
    // Every bit of a small file, and one of each byte of others.
    for bit in stride(from: 0, to: data.count * 8, by: data.count < 256 ? 1 : 9) {
      var flipped = data
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      if let tree = try Self.tree(flipped, row.kind) { try Self.check(tree, data.count) }
    }
  }

  @Test func `it says where a damaged chunk is`() throws {
    var data = StructureRow.png.bytes
    data[48] ^= 1
    let tree = try #require(try Self.tree(data, .png))
    #expect(tree.findings.map(\.rule) == ["checksum"])
    #expect(tree.findings.map(\.path) == ["tEXt"])
    data = Array(StructureRow.png.bytes.prefix(185))
    let cut = try #require(try Self.tree(data, .png))
    #expect(cut.findings.map(\.message).first == "the chunk ends at byte 200, the file at byte 185")
    #expect(cut.structures.last?.reason == "truncated")
  }

  @Test func `it refuses files of other kinds`() throws {
    #expect(try Self.tree(Array(repeating: 0, count: 200), .unknown) == nil)
  }

  private static func tree(_ bytes: [UInt8], _ kind: FileKind) throws -> StructureTree? {
    try StructureTree(reading: MemorySource(bytes), kind: kind)
  }

  private static func find(_ path: String, in structures: [FileStructure]) -> FileStructure? {
    var found = structures
    var last: FileStructure?
    for name in path.split(separator: "/") {
      last = found.first { $0.name == name }
      found = last?.children ?? []
    }
    return last
  }

  /// The outermost structures cover the file, and all fields can be read.
  private static func check(_ tree: StructureTree, _ count: Int) throws {
    #expect(tree.structures.reduce(0) { $0 + $1.range.count } == count)
    for structure in tree.structures { try show(structure) }
  }

  private static func show(_ structure: FileStructure) throws {
    for field in try structure.headerFields() + structure.bodyFields() { _ = field.text }
    for child in structure.children { try show(child) }
  }
}
