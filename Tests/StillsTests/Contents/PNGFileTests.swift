// SPDX-License-Identifier: MIT

import ApusBytes
import ApusColour
import ApusMedia
import ApusRaster
import HEIF
import TestSupport
import Testing

@testable import ApusStills

/// Chunks made by hand: ISO/IEC 15948, 5.3.
struct PNGFileTests {
  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    PNGBytes.chunk(type, body)
  }

  private static let signature = PNGBytes.signature
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

  /// The checksum of a chunk as the standard's own example of an empty one has it: `IEND`.
  @Test
  func `it knows the checksum of a chunk`() throws {
    let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    #expect(Self.end == end)
    for place in 4..<end.count {
      var bytes = end
      bytes[place] ^= 0x10
      let chunk = try #require(try PNGChunk(in: Extent(bytes), at: 0))
      #expect(try !chunk.isIntact())
    }
    #expect(try PNGChunk(in: Extent(end), at: 0)?.isIntact() == true)
  }

  /// A chunk with another checksum than its own.
  private static func damaged(_ chunk: [UInt8]) -> [UInt8] { chunk.dropLast() + [chunk.last! ^ 1] }

  private static let saidOnce: [(name: String, bytes: [UInt8])] = [
    ("cHRM", p3), ("gAMA", gamma(100_000)), ("sRGB", chunk("sRGB", [0])),
    ("cICP", chunk("cICP", [9, 16, 0, 1])), ("eXIf", chunk("eXIf", [0x4D, 0x4D, 0, 42])),
    ("pHYs", chunk("pHYs", [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])),
    ("iCCP", chunk("iCCP", [0x78, 0, 0])), ("iTXt", xmp("<x/>")),
  ]

  @Test(arguments: saidOnce)
  func `it leaves out a chunk with a wrong checksum, and says so`(
    _ name: String, _ chunk: [UInt8]
  ) throws {
    let bytes =
      Self.signature + Self.header + Self.damaged(chunk) + Self.samples + Self.end
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    #expect(file.findings.map(\.rule) == ["checksum"] && file.findings.map(\.path) == [name])
    #expect(file.origin == "JFIF" && file.colour.transfer == 13)
    #expect(file.exif == nil && file.density == nil && file.xmp == nil)
    #expect(try file.profile() == nil)
  }

  @Test
  func `it refuses a picture whose transparency has a wrong checksum`() {
    let transparency = Self.damaged(Self.chunk("tRNS", [0, 1, 0, 1, 0, 1]))
    let bytes = Self.signature + Self.header + transparency + Self.samples + Self.end
    #expect {
      try PNGFile(Extent(bytes), limits: PlanLimits())
    } throws: { error in
      (error as? SyntaxError)?.offset == 33
    }
  }

  @Test(arguments: saidOnce.dropLast())
  func `it takes the first of two chunks, and says so`(_ name: String, _ chunk: [UInt8]) throws {
    let bytes = Self.signature + Self.header + chunk + chunk + Self.samples + Self.end
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    // The same Exif twice loses nothing.
    let isNamed = name != "eXIf"
    #expect(file.findings.map(\.rule) == (isNamed ? ["repeated"] : []))
    #expect(file.findings.map(\.offset) == (isNamed ? [33 + chunk.count] : []))
  }

  @Test(arguments: saidOnce.dropLast())
  func `it leaves out what says of the samples what they mean, and follows them`(
    _ name: String, _ chunk: [UInt8]
  ) throws {
    let bytes = Self.signature + Self.header + Self.samples + chunk + Self.end
    let file = try PNGFile(Extent(bytes), limits: PlanLimits())
    let isMetadata = ["eXIf", "pHYs"].contains(name)
    #expect(file.findings.map(\.rule) == (isMetadata ? [] : ["order"]))
    #expect(file.origin == "JFIF" && file.colour.transfer == 13)
    #expect((file.exif != nil) == (name == "eXIf") && (file.density != nil) == (name == "pHYs"))
  }

  @Test
  func `it says of a profile that cannot be decompressed that it is left out`() throws {
    let profile = Self.chunk("iCCP", Array("name\0".utf8) + [0, 0x78, 0x9C, 0xFF, 0xFF])
    let bytes = Self.signature + Self.header + profile + Self.samples + Self.end
    let preview = try PhotoPreview(MemorySource(bytes), options: ConvertOptions())
    #expect(preview.pictures.first?.plan.colour.profile == nil)
    #expect(preview.warnings.contains { $0.contains("cannot be decompressed") })
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
    chunk("cHRM", values.flatMap(PNGBytes.word))
  }

  private static let srgb = chromaticities([31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000])
  private static let p3 = chromaticities([31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000])

  private static func gamma(_ value: UInt32) -> [UInt8] {
    chunk("gAMA", PNGBytes.word(value))
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
