// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

/// One field of each kind.
private struct Sample: SyntaxStructure {
  var number: UInt16 = 0
  var small: UInt8 = 0
  var code: FourCC = "abcd"
  var fixed: UInt32 = 0
  var signed: Int16 = 0
  var language: UInt16 = 0
  var date: UInt32 = 0
  var name: Text = "old"
  var data: [UInt8] = [1, 2]
  var title: [UInt8] = [0, 0, 0, 0]
  var list: [UInt8] = [1, 2, 3]
  var reserved1: UInt8 = 0
  var reserved2: UInt8 = 0
  var table = Table()
  var golomb: UInt32 = 0

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "number", &number)
    try v.u(4, "small", &small)
    try v.u(4, "reserved", &reserved1)
    try v.u(32, "code", &code)
    try v.u(32, "fixed", &fixed, as: .fixed(16))
    try v.i(16, "signed", &signed)
    try v.u(16, "language", &language, as: .language)
    try v.u(32, "date", &date, as: .date)
    try v.text("name", &name)
    let size = try v.count(8, "size", data.count)
    try v.bytes("data", &data, count: size)
    try v.bytes("title", &title, count: 4, .countedText)
    let count = try v.count(8, "count", list.count)
    try v.values(8, "list", &list, count: count)
    try v.u(8, "reserved", &reserved2)
    try v.table("table", &table, columns: [.init("a", 4), .init("b", 12)], count: nil)
  }
}

struct FieldAssignerTests {
  @Test(arguments: [
    ("number", "65535", "65535"), ("number", "0x10", "16"), ("small", "15", "15"),
    ("code", "mp4 ", "mp4 "), ("fixed", "1280", "1280"), ("fixed", "0.5", "0.5"),
    ("fixed", "0x18000", "1.5"), ("signed", "-32768", "-32768"), ("language", "deu", "deu"),
    ("date", "2024-02-29T23:59:58Z", "2024-02-29T23:59:58Z"),
    ("date", "3600", "1904-01-01T01:00:00Z"),
    ("name", "grün", "\"grün\""), ("data", "0x0a0b0c", "0x0a0b0c"), ("data", "", "0x"),
    ("title", "abc", "\"abc\""), ("list[2]", "9", "9"), ("reserved#1", "7", "7"),
    ("table[1].b", "4095", "4095"), ("table[2].a", "1", "1"),
  ])
  func `it gives a field its value`(_ name: String, _ value: String, _ shown: String) throws {
    var structure = try sample()
    try FieldAssigner.set(name, to: value) { v throws(SyntaxError) in try structure.syntax(&v) }
    let differences = FieldDifference.between(
      try FieldMapper.fields(of: sample()), try FieldMapper.fields(of: structure)
    )
    .filter { $0.name != "size" }
    #expect(differences.count == 1)
    if case .table(let table)? = differences.first?.right?.value {
      let row = name.contains("[1]") ? 1 : 2
      #expect(try table.row(row).map(String.init).contains(shown))
    } else {
      #expect(differences.first?.right?.text == shown)
    }
  }

  @Test(arguments: [
    ("number", "65536"), ("number", "-1"), ("number", "ten"), ("small", "16"), ("code", "toolong"),
    ("fixed", "65536"), ("signed", "32768"), ("language", "german"),
    ("date", "2023-02-30T00:00:00Z"),
    ("data", "abc"), ("title", "abcd"), ("table[3].a", "0"), ("table[0].a", "16"),
    ("reserved", "0"), ("count", "2"), ("size", "1"), ("nothing", "0"), ("list[3]", "0"),
    ("table[0].c", "0"),
  ])
  func `it refuses what a field cannot hold`(_ name: String, _ value: String) throws {
    var structure = try sample()
    #expect(throws: FieldValueError.self) {
      try FieldAssigner.set(name, to: value) { v throws(SyntaxError) in try structure.syntax(&v) }
    }
    let differences = FieldDifference.between(
      try FieldMapper.fields(of: sample()), try FieldMapper.fields(of: structure))
    #expect(differences.isEmpty || name == "reserved")
  }

  private func sample() throws -> Sample {
    var sample = Sample()
    sample.table = try Table(
      columns: [.init("a", 4), .init("b", 12)], rows: [[1, 2], [3, 4], [5, 6]])
    return sample
  }
}
