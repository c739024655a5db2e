// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

@Suite struct OwnBoxTests {
  private struct AcmeBox: FullBox {
    static let types: [FourCC] = ["acme"]
    var header = FullBoxHeader()
    var serial: UInt32 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "serial", &serial)
    }
  }

  /// Takes the place of the declaration of free space.
  private struct AcmeSpace: Box {
    static let types: [FourCC] = ["free"]
    var note: [UInt8] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.bytes("note", &note, count: nil)
    }
  }

  private static func file(serial: UInt32, cut: Int = 0) throws -> [UInt8] {
    var box = AcmeBox()
    box.serial = serial
    let acme = try BoxTree(boxes: [Node("acme", box)]).bytes()
    var bytes = Array("\0\0\0\u{0c}freeabcd".utf8) + acme.dropLast(cut)
    bytes[15] -= UInt8(cut)
    return bytes
  }

  @Test func `it reads boxes that a program declares`() throws {
    let bytes = try Self.file(serial: 77)
    let tree = try BoxTree(
      reading: MemorySource(bytes), boxes: [AcmeBox.self, AcmeSpace.self])
    #expect((tree.boxes[0].box as? AcmeSpace)?.note == Array("abcd".utf8))
    #expect((tree.boxes[1].box as? AcmeBox)?.serial == 77)
    #expect(tree.findings.isEmpty)
    #expect(try tree.bytes() == bytes)
    #expect(try tree.boxes[1].decoded(as: AcmeBox.self)?.serial == 77)
  }

  @Test func `it changes fields of such boxes`() throws {
    let bytes = try Self.file(serial: 77)
    let source = MemorySource(bytes)
    var editor = BoxEditor(try BoxTree(reading: source, boxes: [AcmeBox.self]), of: source)
    try editor.set("serial", of: try #require(BoxPath("acme")), to: "78")
    #expect(try BoxTree(boxes: editor.boxes).bytes() == Self.file(serial: 78))
  }

  @Test func `it decodes a box of a tree that was read without the declaration`() throws {
    let tree = try BoxTree(reading: MemorySource(try Self.file(serial: 77)))
    #expect(tree.boxes[1].box == nil)
    #expect(try tree.boxes[1].decoded(as: AcmeBox.self)?.serial == 77)
    #expect(try tree.boxes[0].decoded(as: AcmeBox.self) == nil)
  }

  @Test(arguments: 1...7) func `it says why a box does not match its declaration`(cut: Int) throws {
    let bytes = try Self.file(serial: 77, cut: cut)
    let own = try BoxTree(reading: MemorySource(bytes), boxes: [AcmeBox.self])
    #expect(own.findings.map(\.rule) == ["truncated"])
    #expect(try own.bytes() == bytes)
    let other = try BoxTree(reading: MemorySource(bytes))
    #expect(throws: SyntaxError.self) { try other.boxes[1].decoded(as: AcmeBox.self) }
  }
}
