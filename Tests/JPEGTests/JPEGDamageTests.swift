// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@Suite struct JPEGDamageTests {
  @Test(arguments: [
    "420.jpg", "422.jpg", "440.jpg", "444.jpg", "arithmetic.jpg", "gray.jpg", "letterbox.jpg",
    "motion.jpg", "progressive.jpg", "rgb.jpg", "samsung.jpg", "thumbnail.jpg",
  ])
  func `it finds nothing in what other programs wrote`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    for piece in [7, bytes.count] { #expect(try damage(in: bytes, piece: piece) == nil) }
  }

  /// Codes of two blocks in gray. DC: `0` is a difference of 0, `10` one of 12 bits. AC: `0` ends a block, `10` is a 1 after
  /// 15 zeros, `110` are 16 zeros, `1110` is a 1 after 14, `11110` has no meaning in F.1.2.2, `111110` has 11 bits.
  @Test(arguments: [
    ("00 00", nil), ("00 00 0000", nil),
    ("00 00 1101", "scan 1 is padded with neither ones nor zeros"),
    // The last coefficient ends a block: F.2.2.2.
    ("0 101 101 101 11101 00", nil),
    ("0 101 101 101 101 00", "scan 1 has a run beyond the last coefficient"),
    ("00 0 101 101 101 101", "scan 1 has a run beyond the last coefficient"),
    ("0 110 110 110 110 0 00", "scan 1 has a run beyond the last coefficient"),
    ("0 11110 0 00", "scan 1 has a Huffman code without a meaning"),
    ("0 111110 00000000000 0 00", "scan 1 has a Huffman code without a meaning"),
    ("0 1111111 0 00 1111111111111111", "scan 1 has a Huffman code that does not exist"),
    ("10 111111111111 0 00", "scan 1 has a DC difference that is too large"),
    ("00 00 000000000 01010101", "scan 1 has more data than blocks"),
    ("00", "scan 1 ends too early"),
  ])
  func `it names codes that the standard does not allow`(_ codes: String, _ message: String?) throws
  {
    let bytes = SmallJPEG.sequential(codes)
    #expect(try damage(in: bytes)?.message == message)
    if message == nil {
      _ = try check(bytes, piece: 64)
    } else {
      #expect(throws: MediaError.self) { try check(bytes, piece: 64) }
    }
    let strict = try Decoded(bytes, by: JPEGDecoder())
    #expect((strict.error == nil) == (message == nil) && (strict.format == nil) == (message != nil))
    // What there is of it is handed over all the same.
    let salvaged = try Decoded(bytes, by: JPEGDecoder(salvaging: true))
    #expect((salvaged.error == nil) == (message == nil) && salvaged.format != nil)
  }

  /// Codes of the coefficients 1 to 5 of one block, after its DC: `0` ends the block, `10` ends 2 or 3 blocks, `110` is a 1
  /// after 4 zeros, `1110` is one after 5.
  @Test(arguments: [
    ("0", nil), ("1101", nil),
    ("11101", "scan 2 has a run beyond the last coefficient"),
    ("100", "scan 2 has a run of blocks beyond its end"),
  ])
  func `it names runs beyond a progressive scan`(_ codes: String, _ message: String?) throws {
    #expect(try damage(in: SmallJPEG.progressive([(1, 5, 0, codes)]))?.message == message)
  }

  /// A second scan with the lowest bit: a code, its sign, and a bit for each coefficient that it goes past.
  @Test(arguments: [
    ("1101", "0 1", nil), ("1101", "0", nil), ("0", "1101", nil),
    ("0", "11101", "scan 3 has a run beyond the last coefficient"),
    ("1101", "1101", "scan 3 has a run beyond the last coefficient"),
  ])
  func `it follows the refinement of coefficients`(
    _ first: String, _ second: String, _ message: String?
  ) throws {
    let bytes = SmallJPEG.progressive([(1, 5, 0x01, first), (1, 5, 0x10, second)])
    #expect(try damage(in: bytes)?.message == message)
  }

  @Test(arguments: [
    ([(1, 5, 0x10, "0")], "scan 2 does not follow from those before it"),
    ([(1, 5, 0, "0"), (1, 5, 0, "0")], "scan 3 does not follow from those before it"),
    ([(6, 5, 0, "0")], "scan 2 has parameters that do not exist"),
    ([(1, 64, 0, "0")], "scan 2 has parameters that do not exist"),
    ([(0, 5, 0, "0")], "scan 2 has parameters that do not exist"),
    ([(1, 5, 0x31, "0")], "scan 2 has parameters that do not exist"),
  ])
  func `it follows the order of progressive scans`(
    _ scans: [(Int, Int, Int, String)], _ message: String
  ) throws {
    #expect(try damage(in: SmallJPEG.progressive(scans))?.message == message)
  }

  @Test(arguments: [
    ([0, 4, 0, 8], nil), ([0, 4, 0, 9], "other"), ([0, 4, 0, 0], "other"), ([0, 3, 8], "other"),
  ])
  func `it compares the number of lines after the first scan`(_ segment: [UInt8], _ other: String?)
    throws
  {
    var bytes = SmallJPEG.sequential("00 00")
    bytes.insert(contentsOf: [0xFF, 0xDC] + segment, at: bytes.count - 2)
    let message = "has a number of lines (DNL) that is not that of the frame header"
    #expect(try damage(in: bytes)?.message == other.map { _ in message })
  }

  @Test func `it leaves a picture without a height to libjpeg, which refuses it`() throws {
    var bytes = SmallJPEG.sequential("00 00")
    bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 0, 8], at: bytes.count - 2)
    let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
    bytes.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
    #expect(try damage(in: bytes) == nil)
    #expect(try Decoded(bytes, by: JPEGDecoder()).error != nil)
  }

  @Test func `it knows where damage is`() throws {
    var bytes = try Fixture.bytes("420.jpg")
    let start = try JPEGHeader(bytes).scanStart
    bytes.replaceSubrange(start + 100..<start + 102, with: [0xFF, 0xD9])
    let found = try #require(try damage(in: bytes))
    #expect(found.message == "scan 1 ends too early" && found.offset == start + 100)
  }

  private func damage(in bytes: [UInt8], piece: Int = 64) throws -> JPEGDamage? {
    var at = 0
    return try JPEGDamage { (most: Int) throws(MediaError) -> [UInt8] in
      let end = min(at + min(most, piece), bytes.count)
      defer { at = end }
      return Array(bytes[at..<end])
    }
  }
}
