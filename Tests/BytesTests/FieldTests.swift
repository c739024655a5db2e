// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

struct FieldTests {
  private struct Sample: SyntaxStructure {
    struct Entry: SyntaxStructure {
      var size: UInt8 = 0
      var name = Text()
      init() {}
      mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
        try v.u(8, "size", &size)
        try v.text("name", &name)
      }
    }

    var version: UInt8 = 0
    var isLarge = false
    var offset: Int16 = 0
    var entries: [Entry] = []
    var codes: [FourCC] = []
    init() {}

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(7, "version", &version)
      try v.flag("is_large", &isLarge)
      try v.i(16, "offset", &offset)
      let count = try v.count(8, "entry_count", entries.count)
      try v.list("entries", &entries, count: count)
      try v.values(32, "codes", &codes, count: nil)
    }
  }

  static let bytes = hex("05 fffe 02 07 616200 08 00 68766331 61766331")

  @Test func `it names every bit`() throws {
    var reader = SyntaxReader(MemorySource(Self.bytes))
    var sample = Sample()
    try sample.syntax(&reader)
    let leaves = try FieldMapper.fields(of: sample, at: 100).flatMap(\.leaves)
    #expect(
      leaves.map { "\($0.name)=\($0.field.text) \($0.field.position - 800)+\($0.field.bits)" } == [
        "version=2 0+7", "is_large=1 7+1", "offset=-2 8+16", "entry_count=2 24+8",
        "entries[0].size=7 32+8", "entries[0].name=\"ab\" 40+24", "entries[1].size=8 64+8",
        "entries[1].name=\"\" 72+8", "codes[0]=hvc1 80+32", "codes[1]=avc1 112+32",
      ])
    let end = leaves.reduce(800) { end, leaf in
      #expect(leaf.field.position == end)
      return leaf.field.range.upperBound
    }
    #expect(end == 800 + Self.bytes.count * 8)
  }

  @Test func `it compares without keeping anything`() throws {
    var reader = SyntaxReader(MemorySource(Self.bytes))
    var sample = Sample()
    try sample.syntax(&reader)
    var same = SyntaxWriter(ComparingSink(reader, from: 0))
    try sample.syntax(&same)
    #expect(same.sink.difference == nil)
    #expect(same.sink.count == Self.bytes.count)
    sample.entries[1].size = 9
    var other = SyntaxWriter(ComparingSink(reader, from: 0))
    try sample.syntax(&other)
    #expect(other.sink.difference == 8)
  }

  @Test(arguments: 0..<bytes.count) func `it names the field that was cut short`(_ count: Int) {
    var reader = SyntaxReader(MemorySource(Array(Self.bytes.prefix(count))))
    var sample = Sample()
    let isWhole = count == 10 || count == 14  // after the last entry, and after a code
    if isWhole {
      #expect(throws: Never.self) { try sample.syntax(&reader) }
    } else if count != 9 {  // a text may run to the end of its structure
      #expect(throws: SyntaxError.self) { try sample.syntax(&reader) }
    }
  }

  @Test func `it holds back on hostile counts`() {
    struct Empty: Blank {}
    var limits = Limits()
    limits.elements = 1000
    var reader = SyntaxReader(MemorySource([1]), limits: limits)
    var list: [Empty] = []
    let error = #expect(throws: SyntaxError.self) {
      try reader.list("entries", &list, count: 1 << 40) { _, _ throws(SyntaxError) in }
    }
    #expect(error?.kind == .limit)
  }

  @Test(arguments: [
    (UInt64(0x15c7), FieldKind.language, "eng"), (0x55c4, .language, "und"), (0, .language, "0"),
    (0, .date, "0"), (1, .date, "1904-01-01T00:00:01Z"),
    (2_082_844_800, .date, "1970-01-01T00:00:00Z"),
    (3_034_368_000, .date, "2000-02-26T00:00:00Z"), (0x1_0000, .fixed(16), "1"),
    (0x180, .fixed(8), "1.5"),
    (0x6876_6331, .fourCC, "hvc1"), (255, .hex, "0xff"),
  ]) func `it shows numbers`(_ number: UInt64, _ kind: FieldKind, _ text: String) {
    #expect(Field.text(of: number, as: kind) == text)
  }

  @Test func `it tells what differs`() throws {
    func fields(_ bytes: [UInt8]) throws -> [Field] {
      var reader = SyntaxReader(MemorySource(bytes))
      var sample = Sample()
      try sample.syntax(&reader)
      return try FieldMapper.fields(of: sample)
    }
    let left = try fields(Self.bytes)
    #expect(FieldDifference.between(left, left).isEmpty)
    let right = try fields(hex("05 fffd 01 07 616200 68766331 61766331 00000000"))
    #expect(
      FieldDifference.between(left, right).map {
        "\($0.name) \($0.left?.text ?? "-") \($0.right?.text ?? "-")"
      } == [
        "offset -2 -3", "entry_count 2 1", "entries[1].size 8 -", "entries[1].name \"\" -",
        "codes[2] - \\x00\\x00\\x00\\x00",
      ])
  }

  @Test func `it cannot drive a terminal`() {
    #expect(Field.quoted("a\u{1b}[31m\"\n") == "\"a\\u{1b}[31m\\\"\\n\"")
  }
}
