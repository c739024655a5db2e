// SPDX-License-Identifier: MIT

import Bytes
import HEIF
import Testing

@testable import Stills

/// Chunks made by hand: ISO/IEC 15948, 5.3. Checksums are not looked at here.
struct PNGFileTests {
  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let size = UInt32(body.count)
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8)
      + body + [0, 0, 0, 0]
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let header = chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 2, 8, 2, 0, 0, 0])
  private static let samples = chunk("IDAT", [1, 2, 3]) + chunk("IDAT", [4])
  private static let end = chunk("IEND", [])

  private static func xmp(_ packet: String, compression: UInt8 = 0) -> [UInt8] {
    chunk("iTXt", Array("XML:com.adobe.xmp\0".utf8) + [compression, 0, 0, 0] + Array(packet.utf8))
  }

  @Test
  func `it hands the decoder the chunks of the picture, and no others`() throws {
    let profile = Self.chunk("iCCP", [1, 2, 3])
    let other = Self.chunk("zTXt", [9, 9])
    let transparency = Self.chunk("tRNS", [0, 1, 0, 1, 0, 1])
    let bytes =
      Self.signature + Self.header + profile + other + transparency + Self.samples + other
      + Self.end
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    let picture = try file.picture.flatMap { try $0.bytes() }
    #expect(picture == Self.signature + Self.header + transparency + Self.samples + Self.end)
    // What follows each other is one stretch.
    #expect(file.picture.count == 3)
    #expect(file.hasAlpha)
    #expect(file.findings.isEmpty)
  }

  @Test
  func `it leaves a chunk that is cut short to the decoder`() throws {
    let bytes = Array((Self.signature + Self.header + Self.samples).dropLast(2))
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    #expect(try file.picture.flatMap { try $0.bytes() } == bytes)
  }

  @Test
  func `it refuses a file without samples`() {
    #expect(throws: SyntaxError.self) {
      try PNGFile(Extent(Self.signature + Self.header + Self.end), limits: PlanLimits())
    }
  }

  static let rows: [(bytes: [UInt8], rule: String?, xmp: String?)] = [
    (xmp("<x/>"), nil, "<x/>"), (xmp("<longer/>"), "limit", nil),
    (xmp("abcd", compression: 1), "metadata-encoded", nil),
  ]

  @Test(arguments: rows)
  func `it leaves out metadata that is too large or compressed, and says so`(
    _ bytes: [UInt8], _ rule: String?, _ xmp: String?
  ) throws {
    var limits = PlanLimits()
    limits.metadataBytes = 26
    let all = Self.signature + Self.header + bytes + Self.samples + Self.end
    let file = try PNGFile(Extent(all), limits: limits)
    #expect(file.findings.map(\.rule) == (rule.map { [$0] } ?? []))
    #expect(file.findings.allSatisfy { $0.offset == 33 })
    #expect(file.xmp.map { String(decoding: $0, as: UTF8.self) } == xmp)
  }
}
