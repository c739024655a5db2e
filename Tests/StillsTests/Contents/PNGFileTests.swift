// SPDX-License-Identifier: MIT

import Bytes
import Colour
import HEIF
import Media
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

  @Test(arguments: [(1, []), (0, ["range"])] as [(UInt8, [String])])
  func `it reports samples of limited range, which it takes for full range`(
    _ isFull: UInt8, _ rules: [String]
  ) throws {
    let points = Self.chunk("cICP", [9, 16, 0, isFull])
    let bytes = Self.signature + Self.header + points + Self.samples + Self.end
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    #expect(file.findings.map(\.rule) == rules && file.colour.isFullRange)
    #expect(file.colour.primaries == 9 && file.colour.transfer == 16)
  }

  /// White, red, green and blue of a space as PNG 11.3.3.1 writes them.
  private static func chromaticities(_ values: [UInt32]) -> [UInt8] {
    chunk(
      "cHRM",
      values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } })
  }

  private static let srgb = chromaticities([31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000])
  private static let p3 = chromaticities([31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000])

  private static func gamma(_ value: UInt32) -> [UInt8] {
    chunk("gAMA", (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
  }

  /// Chunks, the primaries of the profile that says the same, and half of all as light; 0 for no profile.
  @Test(
    arguments: [
      ([], 0, 0), (gamma(45455), 0, 0), (srgb + gamma(45455), 0, 0), (gamma(0), 0, 0),
      (gamma(100_000), 1, 0.5), (gamma(50000), 1, 0.25), (srgb + gamma(100_000), 1, 0.5),
      (p3, 12, 0.21404), (p3 + gamma(45455), 12, 0.21404), (p3 + gamma(100_000), 12, 0.5),
      (p3 + chunk("sRGB", [0]), 0, 0), (gamma(100_000) + chunk("cICP", [9, 16, 0, 1]), 0, 0),
      (chromaticities([0, 0, 0, 0, 0, 0, 0, 0]), 0, 0),
      (chromaticities([31270, 32900, 1, 1, 1, 1, 1, 1]), 0, 0), (chunk("gAMA", [1]), 0, 0),
    ] as [([UInt8], Int, Double)])
  func `it says in a profile what gamma and primaries say`(
    _ chunks: [UInt8], _ primaries: Int, _ light: Double
  ) throws {
    let bytes = Self.signature + Self.header + chunks + Self.samples + Self.end
    let profile = try PNGFile(Extent(bytes), limits: PlanLimits()).profile()
    guard primaries > 0 else {
      #expect(profile == nil)
      return
    }
    let read = try ICCProfile(#require(profile))
    #expect(read.primariesCodePoint == primaries)
    guard case .rgb(_, let curve, _, _) = read.model else {
      Issue.record("no curves")
      return
    }
    #expect((curve.light(0.5) - light).magnitude < 0.0001)
  }
}
