// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

/// Bytes and the values that they stand for: AMF 0, 2.2 to 2.18, and what encoders make of it.
struct AMFRow: Sendable, CustomTestStringConvertible {
  var source: String
  var bytes: [UInt8]
  var values: [AMFValue]

  init(_ source: String, _ bytes: String, _ values: [AMFValue]) {
    self.source = source
    self.bytes = hex(bytes)
    self.values = values
  }

  var testDescription: String { source }
}

@Suite struct AMFTests {
  static let rows: [AMFRow] = [
    AMFRow("a number", "00 3ff0000000000000", [1.0]),
    AMFRow("hvc1 as a number", "00 41da1d98cc400000", [.number(1_752_589_105)]),
    AMFRow("truth", "01 01 01 00", [true, false]),
    AMFRow("a string", "02 0004 6c697665", ["live"]),
    AMFRow(
      "connect",
      "02 0007 636f6e6e656374 00 3ff0000000000000 03 0003 617070 02 0004 6c697665 000009",
      ["connect", 1.0, .object([("app", "live")])]),
    AMFRow("nothing", "05 06 0d", [.null, .undefined, .unsupported]),
    AMFRow("a reference", "07 0001", [.reference(1)]),
    AMFRow(
      "an ECMA array that announces too many",
      "08 00000007 0005 7769647468 00 4094000000000000 000009",
      [.ecmaArray(announced: 7, AMFObject([("width", 1280.0)]))]),
    AMFRow(
      "an array of key frames", "0a 00000002 00 0000000000000000 00 4000000000000000",
      [.strictArray([0.0, 2.0])]),
    AMFRow("a date", "0b 4271e0a5b8000000 ffc4", [.date(1_228_534_415_360, timeZone: -60)]),
    AMFRow("a long string", "0c 00000002 6869", [.longString("hi")]),
    AMFRow("a document", "0f 00000004 3c612f3e", [.xmlDocument("<a/>")]),
    AMFRow(
      "a typed object", "10 0001 50 0001 78 05 000009",
      [.typedObject("P", AMFObject([("x", .null)]))]),
    AMFRow("AMF 3 to the end", "02 0000 11 0a0b01", ["", .amf3([0x0a, 0x0b, 0x01])]),
  ]

  @Test(arguments: rows)
  func `A value is read, and written back to the same bytes, whatever bit is wrong`(row: AMFRow)
    throws
  {
    let message = AMFMessage(row.bytes)
    #expect(message.values == row.values)
    #expect(message.failure == nil)
    #expect(try AMFMessage(row.values).bytes() == row.bytes)
    for bit in 0..<row.bytes.count * 8 {
      var flipped = row.bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      #expect(try AMFMessage(flipped).bytes() == flipped, "bit \(bit) was lost")
    }
    for count in 0..<row.bytes.count {
      let cut = Array(row.bytes.prefix(count))
      let message = AMFMessage(cut)
      #expect(try message.bytes() == cut)
      #expect(message.values.count <= row.values.count)
    }
  }

  @Test
  func `An object without its end is read up to the end of the message`() throws {
    let bytes = hex("08 00000000 0008 6475726174696f6e 00 4000000000000000")
    let message = AMFMessage(bytes)
    #expect(message.failure == nil)
    #expect(message.values.first?["duration"]?.number == 2)
    #expect(message.values.first?.members?.isEnded == false)
    #expect(try message.bytes() == bytes)
  }

  @Test(
    arguments: [
      String(repeating: "0a00000001", count: 70_000),
      String(repeating: "03 0001 61", count: 70_000),
      "0a ffffffff 05", "0c ffffffff 61", "04", "0e", "12", "01 02",
    ])
  func `Nesting, counts and odd bytes of a hostile message are refused and kept`(text: String)
    throws
  {
    let bytes = hex(text)
    let message = AMFMessage(bytes)
    #expect(message.failure != nil)
    #expect(message.values.isEmpty)
    #expect(try message.bytes() == bytes)
  }

  @Test
  func `Numbers beyond an integer are no integers`() {
    for value in [Double.nan, .infinity, 1e300, -1e300] {
      #expect(AMFValue.number(value).integer == nil)
    }
    #expect(AMFValue.number(-2.9).integer == -2)
  }

  @Test
  func `A member is replaced in its place, added, and taken away`() {
    var object = AMFObject([("a", 1.0), ("b", 2.0)])
    object["a"] = "x"
    object["c"] = true
    object["b"] = nil
    #expect(object == AMFObject([("a", "x"), ("c", true)]))
  }

  @Test
  func `Metadata is found with and without the word that publishers put before it`() {
    let object = AMFObject([("width", 2.0)])
    let plain = AMFMessage(["onMetaData", .ecmaArray(object)])
    let published = AMFMessage(["@setDataFrame", "onMetaData", .object(object)])
    #expect(plain.metadata == object)
    #expect(published.metadata == object)
    #expect(AMFMessage(["onCuePoint", .object(object)]).metadata == nil)
  }
}
