// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import TestSupport
import Testing

@Suite struct AVCNALUnitFieldsTests {
  static let rows = AVCParameterSetRows.rows

  @Test(arguments: rows) func `it reads every field`(row: AVCParameterSetRow) throws {
    let unit = try row.read(row.bytes)
    #expect(unit.failure == nil)
    #expect(unit.fields.listed == row.fields)
  }

  /// Every bit belongs to a field, and only to one.
  @Test(arguments: rows) func `it knows where each field is`(row: AVCParameterSetRow) throws {
    let leaves = try row.read(row.bytes, at: 1000).fields.flatMap(\.leaves).map(\.field)
    var position = 8000
    for field in leaves {
      #expect(field.position == position)
      position += field.bits
    }
    #expect(position == (1000 + row.bytes.count) * 8)
  }

  @Test(arguments: rows) func `it shows the bytes of a set that is cut`(row: AVCParameterSetRow)
    throws
  {
    for count in 1..<row.bytes.count {
      let cut = Array(row.bytes.prefix(count))
      let unit = try row.read(cut)
      let bits = unit.fields.reduce(0) { $0 + $1.bits }
      #expect(bits == count * 8, "\(count) bytes")
      if unit.failure != nil { #expect(unit.fields.last?.name == "rbsp_bytes") }
    }
  }

  @Test(arguments: rows) func `it survives a bit that is flipped`(row: AVCParameterSetRow) throws {
    for bit in 0..<row.bytes.count * 8 {
      var flipped = row.bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      let unit = try row.read(flipped)
      #expect(unit.fields.reduce(0) { $0 + $1.bits } == flipped.count * 8, "bit \(bit)")
    }
  }

  @Test func `it says why scaling lists cannot be counted`() throws {
    let row = try #require(Self.rows.first { $0.testDescription.contains("lists in full") })
    let unit = try AVCNALUnitFields(of: row.bytes)
    #expect(unit.failure?.message.contains("sequence parameter set that is missing") == true)
  }

  @Test(
    arguments: [
      ([0x0c, 0xff, 0x80], "rbsp_bytes=0xff80", "filler data"),
      ([0x0e, 0, 0, 3, 1], "rbsp_bytes=0x00000301", "prefix NAL unit"),
    ] as [([UInt8], String, String)])
  func `it shows the bytes of other units`(bytes: [UInt8], last: String, name: String) throws {
    let unit = try AVCNALUnitFields(of: bytes)
    #expect(unit.failure == nil)
    #expect(unit.fields.listed.last == last)
    #expect(unit.header.nalUnitType.name == name)
  }

  @Test func `it says that an empty unit has no header`() throws {
    let unit = try AVCNALUnitFields(of: [])
    #expect(unit.failure?.kind == .truncated)
    #expect(unit.fields.reduce(0) { $0 + $1.bits } == 0)
  }
}
