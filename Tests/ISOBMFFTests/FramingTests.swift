// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

/// What the framing says about boxes whose size, type or nesting is odd; the bytes always come back.
struct FramingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    /// `rule path offset` of each finding.
    var findings: [String]
    /// The boxes that are seen all the same, each with its path.
    var paths: [String]
    var testDescription: String { name }

    init(_ name: String, _ bytes: String, _ findings: [String], _ paths: [String]) {
      self.name = name
      self.bytes = hex(bytes)
      self.findings = findings
      self.paths = paths
    }
  }

  static let ispe = "00000014 69737065 00000000 00000040 00000030"

  static let rows: [Row] = [
    Row("a plain box", ispe, [], ["ispe"]),
    Row("a 64-bit size", "00000001 66726565 0000000000000012 abcd", [], ["free"]),
    Row("size zero at the end of the file", "00000000 6d646174 0102", [], ["mdat"]),
    Row(
      "size zero inside", "0000001c 6970636f 00000000 69737065 00000000 00000040 00000030",
      ["size-zero-inside ipco/ispe 8"], ["ipco", "ipco/ispe"]),
    Row(
      "a size beyond the file", "00000040 66726565 0102", ["box-beyond-file free 0"], ["free"]),
    Row(
      "a size beyond its parent", "0000001c 6970636f 00000018 69737065 00000000 00000040 00000030",
      ["box-overruns-parent ipco/ispe 8"], ["ipco", "ipco/ispe"]),
    Row("a size below the header", "00000007 66726565 0102", ["size-below-header  0"], []),
    Row(
      "a 64-bit size below the header", "00000001 66726565 000000000000000f 0102",
      ["size-below-header  0"], []),
    Row(
      "a size no file can have", "00000001 6d646174 ffffffffffffffff 0102",
      ["box-beyond-file mdat 0"], ["mdat"]),
    Row("too few bytes for a header", ispe + "000000", ["junk  20"], ["ispe"]),
    Row(
      "four zero bytes after the children", "00000020 75647461" + ispe + "00000000", [],
      ["udta", "udta/ispe"]),
    Row(
      "a type that cannot be typed", "00000008 01020304",
      ["type-not-printable \\x01\\x02\\x03\\x04 0"],
      ["\\x01\\x02\\x03\\x04"]),
    Row(
      "bytes after the last field", "00000016 69737065 00000000 00000040 00000030 beef",
      ["trailing-bytes ispe 20"], ["ispe"]),
    Row(
      "a version that is not known", "00000014 69737065 07000000 00000040 00000030",
      ["unsupported ispe 9"], ["ispe"]),
    Row(
      "a body cut short", "00000010 69737065 00000000 00000040", ["truncated ispe 16"], ["ispe"]),
    Row(
      "a second box of a type", "00000030 6970636f" + ispe + ispe, [],
      ["ipco", "ipco/ispe", "ipco/ispe[1]"]),
    Row(
      "a count beyond the box", "00000014 7374737a 00000000 00000000 ffffffff",
      ["truncated stsz 20"], ["stsz"]),
    Row("a user type", "00000018 75756964 00112233445566778899aabbccddeeff", [], ["uuid"]),
    Row("a user type cut short", "00000010 75756964 0011223344556677", ["junk  0"], []),
  ]

  @Test(arguments: rows) func `it reports and keeps`(_ row: Row) throws {
    let tree = try BoxTree(reading: MemorySource(row.bytes))
    #expect(tree.findings.map { "\($0.rule) \($0.path) \($0.offset)" } == row.findings)
    #expect(paths(tree.located) == row.paths)
    #expect(try tree.bytes() == row.bytes)
  }

  private func paths(_ boxes: [LocatedNode]) -> [String] {
    boxes.flatMap { ($0.node.isJunk ? [] : [$0.path]) + paths($0.children) }
  }

  @Test func `it stops at the depth limit`() throws {
    let depth = 10_000
    let bytes = (0..<depth).flatMap { level -> [UInt8] in
      let size = UInt32((depth - level) * 8)
      return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array("moov".utf8)
    }
    let tree = try BoxTree(reading: MemorySource(bytes))
    #expect(tree.findings.map(\.rule) == ["limit"])
    #expect(try tree.bytes() == bytes)
  }

  @Test func `it stops at the box limit`() throws {
    let bytes = (0..<100).flatMap { _ in hex("00000008 66726565") }
    var limits = Limits()
    limits.boxes = 10
    let tree = try BoxTree(reading: MemorySource(bytes), limits: limits)
    #expect(tree.boxes.count == 11)
    #expect(tree.findings.map(\.rule) == ["limit"])
    #expect(try tree.bytes() == bytes)
  }

  /// Every prefix of a small file is read without a trap and comes back as it was.
  @Test func `it keeps every prefix`() throws {
    let file = hex(
      "00000014 66747970 68656963 00000000 6d696631 00000030 6970636f" + Self.ispe + Self.ispe)
    for count in 0...file.count {
      let prefix = Array(file.prefix(count))
      #expect(try BoxTree(reading: MemorySource(prefix)).bytes() == prefix)
    }
  }
}
