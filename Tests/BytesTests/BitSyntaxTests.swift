// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

struct BitSyntaxTests {
  /// Exp-Golomb codes: ITU-T H.265, tables 9-2 and 9-3.
  static let codes: [(bits: String, ue: UInt32, se: Int32)] = [
    ("1", 0, 0), ("010", 1, 1), ("011", 2, -1), ("00100", 3, 2), ("00101", 4, -2),
    ("00110", 5, 3), ("00111", 6, -3), ("0001000", 7, 4), ("0001001", 8, -4), ("0001010", 9, 5),
    (String(repeating: "0", count: 31) + String(repeating: "1", count: 32), .max - 1, -.max),
  ]

  @Test(arguments: codes) func `it reads and writes Exp-Golomb`(
    _ bits: String, _ ue: UInt32, _ se: Int32
  )
    throws
  {
    var reader = SyntaxReader(MemorySource(pack(bits)))
    var unsigned: UInt32 = 0
    try reader.ue("x", &unsigned)
    #expect(unsigned == ue)

    reader = SyntaxReader(MemorySource(pack(bits)))
    var signed: Int32 = 0
    try reader.se("x", &signed)
    #expect(signed == se)

    var writer = SyntaxWriter(ArraySink())
    try writer.ue("x", &unsigned)
    #expect(writer.bitCount == bits.count)
    try finish(&writer)
    #expect(writer.sink.bytes == pack(bits))

    var signedWriter = SyntaxWriter(ArraySink())
    try signedWriter.se("x", &signed)
    try finish(&signedWriter)
    #expect(signedWriter.sink.bytes == pack(bits))
  }

  @Test func `it refuses a code of too many zeros`() {
    var reader = SyntaxReader(MemorySource([0, 0, 0, 0, 0, 0xff]))
    var value: UInt32 = 0
    #expect(throws: SyntaxError.self) { try reader.ue("x", &value) }
  }

  @Test(arguments: [1, 3, 7, 8, 9, 16, 31, 32, 33, 63, 64])
  func `it keeps every width at every bit`(_ width: Int) throws {
    let pattern: UInt64 = 0xa5c3_96f0_1e2d_4b87 >> UInt64(64 - width)
    for lead in 0..<8 {
      var writer = SyntaxWriter(ArraySink())
      var ones: UInt64 = (1 << UInt64(lead)) - 1
      var value = pattern
      try writer.field(lead, "lead", &ones, .unsigned)
      try writer.field(width, "value", &value, .unsigned)
      try finish(&writer)

      var reader = SyntaxReader(MemorySource(writer.sink.bytes))
      var read: UInt64 = 0
      try reader.field(lead, "lead", &read, .unsigned)
      #expect(read == ones)
      try reader.field(width, "value", &read, .unsigned)
      #expect(read == pattern)
    }
  }

  @Test(arguments: [
    (8, Int32(-128)), (8, 127), (12, -2048), (12, 2047), (32, .min), (32, .max), (5, -1),
  ]) func `it keeps signed values`(_ bits: Int, _ value: Int32) throws {
    var value = value
    var writer = SyntaxWriter(ArraySink())
    try writer.i(bits, "x", &value)
    try finish(&writer)
    var reader = SyntaxReader(MemorySource(writer.sink.bytes))
    var read: Int32 = 0
    try reader.i(bits, "x", &read)
    #expect(read == value)
  }

  @Test func `it refuses to write what does not fit`() {
    var writer = SyntaxWriter(ArraySink())
    var wide: UInt16 = 16
    #expect(throws: SyntaxError.self) { try writer.u(4, "x", &wide) }
    var negative: Int16 = -9
    #expect(throws: SyntaxError.self) { try writer.i(4, "x", &negative) }
  }

  /// Emulation prevention: ITU-T H.265, 7.3.1.1 and 7.4.2; the payloads hold every case of the clause.
  @Test(arguments: [
    ("000000 ff", "00000300 ff"), ("000001", "00000301"), ("000002", "00000302"),
    ("000003 80", "00000303 80"), ("000004", "000004"), ("0000000000 80", "0000030000030080"),
    ("00000001", "0000030001"),
  ]) func `it escapes and unescapes`(_ payload: String, _ escaped: String) throws {
    var writer = SyntaxWriter(ArraySink(), escaping: true)
    try writer.append(hex(payload))
    #expect(writer.sink.bytes == hex(escaped))

    var reader = SyntaxReader(escaped: hex(escaped))
    for expected in hex(payload) {
      var byte: UInt8 = 0
      try reader.u(8, "byte", &byte)
      #expect(byte == expected)
    }
  }

  /// The second byte after two zeros is preceded by an emulation prevention byte; fields that begin in it lie after that.
  @Test func `it maps bits past bytes that prevent emulation`() throws {
    let fields = try FieldMapper.fields(at: 100, escaping: true) { v throws(SyntaxError) in
      for (bits, number) in [(16, 0), (6, 0), (2, 1), (8, 7)] {
        var value = UInt64(number)
        try v.field(bits, "field", &value, .unsigned)
      }
    }
    // 00 00 03 01 07
    #expect(fields.map(\.position) == [800, 816, 830, 832])
    #expect(fields.map(\.bits) == [16, 14, 2, 8])
  }

  /// `more_rbsp_data()` looks for the last 1 bit of the payload: ITU-T H.265, 7.2.
  @Test(arguments: [
    ("80", 0), ("c0", 1), ("a080", 8), ("0180", 8), ("a0", 2), ("ff800000", 8), ("ff80000003", 8),
  ]) func `it knows where the payload ends`(_ bytes: String, _ bits: Int) throws {
    var reader = SyntaxReader(escaped: hex(bytes))
    var bit = false
    for _ in 0..<bits {
      let more = reader.moreData(false)
      #expect(more)
      try reader.flag("bit", &bit)
    }
    let more = reader.moreData(true)
    #expect(!more)
  }

  private func pack(_ bits: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
    for (index, bit) in bits.enumerated() where bit == "1" {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
  }

  private func finish(_ writer: inout SyntaxWriter<ArraySink>) throws {
    var zero: UInt64 = 0
    if !writer.isAligned { try writer.field(8 - writer.bitCount % 8, "padding", &zero, .unsigned) }
  }
}
