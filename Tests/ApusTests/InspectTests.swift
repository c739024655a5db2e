// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJSON
import ISOBMFF
import TestSupport
import Testing

@testable import ApusCommand

struct InspectTests {
  /// ftyp and a movie with one table of chunk offsets, and a flag box: by hand from 14496-12.
  static let file = hex(
    """
    00000014 66747970 68656963 00000000 6d696631
    00000024 6d6f6f76
      0000001c 7374636f 00000000 00000003 00000030 00000040 00000050
    00000014 69737065 00000000 00000040 00000030
    00000010 6970636f 00000008 69726f74
    """)

  static func tree() throws -> InspectedFile {
    InspectedFile(try BoxTree(reading: MemorySource(file)))
  }

  @Test(arguments: [
    (4, "ftyp", ["type=ftyp"]), (11, "ftyp", ["major_brand=heic"]),
    (19, "ftyp", ["compatible_brands[0]=mif1"]), (36, "moov/stco", ["version=0"]),
    (43, "moov/stco", ["entry_count=3"]), (49, "moov/stco", ["entries[1].chunk_offset=64"]),
    (66, "ispe", ["flags=0x0"]), (71, "ispe", ["image_width=64"]),
  ]) func `it says what a byte is`(_ offset: Int, _ path: String, _ fields: [String]) throws {
    let answer = try #require(try InspectAt(offset, in: Self.tree()))
    #expect(answer.node?.path == path)
    #expect(answer.fields.map { "\($0.name)=\($0.field.text)" } == fields)
  }

  @Test func `it says nothing of a byte beyond the end`() throws {
    #expect(try InspectAt(Self.file.count, in: Self.tree()) == nil)
  }

  @Test func `it writes one box a line`() throws {
    var text = ""
    try InspectText().write(Self.tree().nodes, to: &text)
    #expect(
      text == """
        ftyp @0 +20  major_brand=heic  minor_version=0  compatible_brands=[mif1]
        moov @20 +36
          stco @28 +28 v0  entry_count=3  entries=(3 rows)
        ispe @56 +20 v0  image_width=64  image_height=48
        ipco @76 +16
          irot @84 +8  (reserved needs 1 byte, has 0)

        """)
  }

  @Test func `it stops at the depth that is asked for`() throws {
    var text = ""
    try InspectText(depth: 1).write(Self.tree().nodes, to: &text)
    #expect(text.split(separator: "\n").count == 4)
  }

  @Test func `it prints the rows of tables when asked`() throws {
    var text = ""
    let boxes = try Self.tree().nodes(at: try #require(InspectedPath(argument: "moov/stco")))
    try InspectText(isFull: true).write(boxes, to: &text)
    #expect(
      text == """
        stco @28 +28 v0  entry_count=3  entries=(3 rows)
            entries[0] chunk_offset=48
            entries[1] chunk_offset=64
            entries[2] chunk_offset=80

        """)
  }

  @Test func `it puts the bytes beside the fields`() throws {
    var text = ""
    let boxes = try Self.tree().nodes(at: try #require(InspectedPath(argument: "ispe")))
    try InspectText(bytes: ByteColumn(source: MemorySource(Self.file))).write(boxes, to: &text)
    #expect(
      text == """
        ispe @56 +20 v0
          00000038  00 00 00 14              size = 20
          0000003c  69 73 70 65              type = ispe
          00000040  00                       version = 0
          00000041  00 00 00                 flags = 0x0
          00000044  00 00 00 40              image_width = 64
          00000048  00 00 00 30              image_height = 48

        """)
  }

  @Test func `it writes JSON`() throws {
    var json = JSONWriter("")
    let tree = try Self.tree()
    let boxes = try tree.nodes(at: try #require(InspectedPath(argument: "moov")))
    try InspectJSON(isFull: true).write(tree, boxes, name: "a\"b", size: Self.file.count, to: &json)
    #expect(
      json.output == """
        {"file":"a\\"b","size":92,"boxes":[{"type":"moov","path":"moov","offset":20,"size":36,\
        "header":8,"fields":[],"boxes":[{"type":"stco","path":"moov/stco","offset":28,"size":28,\
        "header":8,"version":0,"flags":0,"fields":[\
        {"name":"entry_count","value":3,"offset":40,"bits":32},\
        {"name":"entries","value":[48,64,80],"offset":44,"bits":96,"count":3}]}]}],\
        "findings":[{"severity":"error","rule":"truncated","path":"ipco/irot","offset":92,\
        "message":"reserved needs 1 byte, has 0"}]}
        """)
  }
}
