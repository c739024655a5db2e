// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct BoxPathTests {
  static let tree = try? BoxTree(
    reading: MemorySource(
      hex(
        """
        00000044 6d6f6f76
          00000010 7472616b 00000008 6d646961
          0000001c 7472616b 00000008 6d646961 0000000c 75647461 00000000
          00000010 7472616b 00000008 6d646961
        """)))

  @Test(arguments: [
    ("moov", ["moov"]), ("moov/trak[1]/mdia", ["moov/trak[1]/mdia"]),
    ("moov/trak/mdia", ["moov/trak/mdia", "moov/trak[1]/mdia", "moov/trak[2]/mdia"]),
    ("moov/trak[3]", []), ("trak", []), ("moov/udta", []),
  ]) func `it finds`(_ text: String, _ paths: [String]) throws {
    let tree = try #require(Self.tree)
    let path = try #require(BoxPath(text))
    #expect(tree.nodes(at: path).map(\.path) == paths)
  }

  @Test(arguments: ["", "moov//trak", "moov/trak[-1]", "moov/trak[x]", "moov/toolong", "/moov"])
  func `it refuses`(_ text: String) {
    #expect(BoxPath(text) == nil)
  }

  @Test(arguments: ["moov/trak[1]", "moov/udta/©nam", "moov/\\x00\\x00\\x00\\x01"])
  func `it shows what it was made from`(_ text: String) throws {
    #expect(try #require(BoxPath(text)).description == text)
  }

  @Test(arguments: [
    (0, "moov"), (8, "moov/trak"), (16, "moov/trak/mdia"), (45, "moov/trak[1]/udta"),
    (67, "moov/trak[2]/mdia"),
  ])
  func `it finds the box of a byte`(_ offset: Int, _ path: String) throws {
    #expect(try #require(Self.tree).node(at: offset)?.path == path)
  }

  @Test func `it finds no box beyond the end`() throws {
    #expect(try #require(Self.tree).node(at: 68) == nil)
  }
}
