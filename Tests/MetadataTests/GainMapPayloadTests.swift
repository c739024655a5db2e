// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct GainMapPayloadTests {
  /// What `tmap` items hold, the version of the item first, and what it means.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var base: Double
    var alternate: Double
    /// Minimum, maximum, gamma and the two offsets of each channel.
    var channels: [[Double]]

    init(
      _ name: String, _ bytes: String, base: Double = 0, alternate: Double, _ channels: [[Double]]
    ) {
      testDescription = name
      self.bytes = hex(bytes)
      self.base = base
      self.alternate = alternate
      self.channels = channels
    }
  }

  static let rows = [
    Row(
      "written by an iPhone 16",
      """
      00 00000000 40 00000000000f4240 002a8725000f4240 ffffe32b000f4240 002a8725000f4240
      000dafcd000f4240 0000000a000f4240 0000000a000f4240
      """, alternate: 2.787109, [[-0.007381, 2.787109, 0.896973, 0.00001, 0.00001]]),
    Row(
      "written by a Galaxy S25",
      """
      00 00000000 40 0000000000000001 0093333300400000 0000000000000001 0093333300400000
      0000000100000001 0000000000000001 0000000000000001
      """, alternate: 9646899.0 / 4_194_304, [[0, 9646899.0 / 4_194_304, 1, 0, 0]]),
    Row(
      "three channels, by hand",
      """
      00 00000000 c0 0000000100000004 0000000300000001
      ffffffff00000002 0000000300000001 0000000100000002 0000000100000040 0000000000000001
      0000000000000001 0000000200000001 0000000100000001 0000000000000001 0000000100000040
      ffffffff00000001 0000000500000002 0000000400000003 0000000000000001 0000000000000001
      """, base: 0.25, alternate: 3,
      [[-0.5, 3, 0.5, 1.0 / 64, 0], [0, 2, 1, 0, 1.0 / 64], [-1, 2.5, 4.0 / 3, 0, 0]]),
    Row(
      "one denominator for all, as libultrahdr writes it, by hand",
      "00 00000000 48 00000040 00000000 00000080 fffffff0 00000080 00000040 00000001 00000002",
      alternate: 2, [[-0.25, 2, 1, 1.0 / 64, 1.0 / 32]]),
  ]

  @Test(arguments: rows)
  func `it reads every number`(_ row: Row) throws {
    let parameters = try GainMapPayload(reading: row.bytes, isItem: true).parameters()
    #expect(parameters.baseHeadroom == row.base)
    #expect(parameters.alternateHeadroom == row.alternate)
    #expect(parameters.usesBaseColour)
    let channels = parameters.channels.map {
      [$0.minimum, $0.maximum, $0.gamma, $0.baseOffset, $0.alternateOffset]
    }
    #expect(channels == row.channels)
  }

  @Test(arguments: rows)
  func `it writes the bytes that it read`(_ row: Row) throws {
    let payload = try GainMapPayload(reading: row.bytes, isItem: true)
    #expect(try [0] + payload.bytes() == row.bytes)
  }

  @Test(arguments: rows)
  func `no bit is lost`(_ row: Row) throws {
    let body = Array(row.bytes.dropFirst())
    for bit in 0..<body.count * 8 {
      var flipped = body
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      var payload = GainMapPayload()
      var reader = SyntaxReader(MemorySource(flipped))
      do throws(SyntaxError) {
        try payload.syntax(&reader)
      } catch {
        // Another version, or flags that call for more bytes than there are.
        #expect(bit < 16 || error.kind == .truncated, "bit \(bit): \(error)")
        continue
      }
      let written = try payload.bytes()
      #expect(flipped.starts(with: written), "bit \(bit) was lost")
    }
  }

  @Test(arguments: rows)
  func `it refuses parameters of any other length`(_ row: Row) {
    for count in row.bytes.indices {
      #expect(throws: SyntaxError.self, "\(count) bytes") {
        try GainMapPayload(reading: Array(row.bytes.prefix(count)), isItem: true)
      }
    }
    #expect(throws: SyntaxError.self) {
      try GainMapPayload(reading: row.bytes + [0], isItem: true)
    }
  }

  @Test(
    arguments: [
      ("01 00000000 40", "version"), ("00 00010000 40", "minimum_version"),
      ("00 00000000 40 0000000000000000 002a8725000f4240", "base_hdr_headroom"),
      ("00 00000000 40 0000000000000001 8000000000000001", "alternate_hdr_headroom"),
      ("00 00000000 40 002a8725000f4240 002a8725000f4240", "same headroom"),
      ("00 00000000 40 0000000000000001 002a8725000f4240 0000000300000001", "maximum below"),
      (
        "00 00000000 40 0000000000000001 002a8725000f4240 ffffe32b000f4240 002a8725000f4240 00000000",
        "gamma"
      ),
    ])
  func `it refuses what no map can be applied by`(_ beginning: String, _ word: String) {
    let start = hex(beginning)
    let bytes = start + Self.rows[0].bytes.dropFirst(start.count)
    let error = #expect(throws: SyntaxError.self) {
      try GainMapPayload(reading: bytes, isItem: true).parameters()
    }
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
  }

  @Test
  func `a later writer may add to it`() throws {
    var bytes = Self.rows[0].bytes
    bytes[4] = 1
    let payload = try GainMapPayload(reading: bytes + [1, 2, 3], isItem: true)
    #expect(payload.writerVersion == 1)
  }

  @Test(
    arguments: [(2.3, 23, 10), (1.0 / 64, 1, 64), (1.8, 9, 5), (0.0, 0, 1)])
  func `it finds small fractions`(_ value: Double, _ numerator: UInt32, _ denominator: UInt32) {
    let fraction = GainMapPayload.Unsigned(nearest: value)
    #expect((fraction.numerator, fraction.denominator) == (numerator, denominator))
    let signed = GainMapPayload.Signed(nearest: -value)
    #expect(signed.numerator == -Int32(numerator) && signed.denominator == denominator)
  }
}
