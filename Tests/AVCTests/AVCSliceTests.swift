// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import TestSupport
import Testing

/// A slice under test, with its parameter sets, and what another program says its bits mean.
struct AVCSliceRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var sets = AVCKnownSets()
  var bytes: [UInt8]
  /// As those of `AVCParameterSetRow`.
  var fields: [String]

  init(_ source: String, sequence: String, picture: String, _ bytes: String, _ fields: String) {
    testDescription = source
    sets.add(nalUnit: hex(sequence))
    sets.add(nalUnit: hex(picture))
    self.bytes = hex(bytes)
    self.fields = fields.split { $0 == " " || $0 == "\n" }.map(String.init)
  }
}

@Suite struct AVCSliceTests {
  static let rows = AVCSliceRows.rows

  @Test(arguments: rows) func `it reads every field`(row: AVCSliceRow) throws {
    let fields = try AVCSlice(row.bytes, sets: row.sets).fields()
    let padding = ["cabac_alignment_one_bit", "slice_data_bits"]
    #expect(fields.filter { !padding.contains($0.name) }.listed == row.fields)
  }

  /// Every bit up to the end of the headers belongs to a field, and only to one.
  @Test(arguments: rows) func `it knows where each field is`(row: AVCSliceRow) throws {
    let slice = try AVCSlice(row.bytes, sets: row.sets)
    var position = 8000
    for field in try slice.fields(at: 1000).flatMap(\.leaves).map(\.field) {
      #expect(field.position == position)
      position += field.bits
    }
    #expect(position == (1000 + slice.headerSize) * 8)
  }

  @Test(arguments: rows) func `it survives bits that are flipped and bytes that are missing`(
    row: AVCSliceRow
  ) {
    for bit in 0..<row.bytes.count * 8 {
      var flipped = row.bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      _ = try? AVCSlice(flipped, sets: row.sets)
    }
    for count in 0..<4 {
      #expect(throws: SyntaxError.self) {
        try AVCSlice(Array(row.bytes.prefix(count)), sets: row.sets)
      }
    }
  }

  @Test func `it says which parameter sets are missing`() throws {
    let row = try #require(Self.rows.first)
    let error = #expect(throws: SyntaxError.self) {
      try AVCSlice(row.bytes, sets: AVCKnownSets())
    }
    #expect(error?.message.contains("whose parameter sets were not seen") == true)
  }

  /// By hand from ITU-T H.264, 7.3.2.3: a message of user data and one of type 6.
  @Test func `it reads messages`() throws {
    let unit = try AVCNALUnitFields(
      of: hex("06 05 12 000102030405060708090a0b0c0d0e0f 6869 06 01 c4 80"))
    #expect(unit.failure == nil)
    #expect(
      unit.fields.listed == [
        "forbidden_zero_bit=0", "nal_ref_idc=0", "nal_unit_type=6", "last_payload_type_byte=5",
        "last_payload_size_byte=18",
        "uuid_iso_iec_11578=00010203-0405-0607-0809-0a0b0c0d0e0f",
        "user_data_payload_byte=\"hi\"", "last_payload_type_byte=6", "last_payload_size_byte=1",
        "payload=0xc4", "rbsp_stop_one_bit=1",
      ])
  }
}
