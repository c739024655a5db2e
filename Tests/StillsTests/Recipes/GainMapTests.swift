// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

@Suite struct GainMapTests {
  static let photos = [
    // Sides of the picture and its map when they are laid.
    ("gain-map-tmap.heic", (72, 104), (36, 52), "tmap", 6.902452),
    ("gain-map-colour.heic", (104, 72), (52, 36), "tmap", 6.902452),
    // Its map is not said to be turned.
    ("gain-map-samsung.heic", (72, 104), (36, 52), "hdrgm", 4.924578),
  ]

  @Test(arguments: photos)
  func `a photo with a gain map becomes two JPEGs in one`(
    _ name: String, _ base: (Int, Int), _ map: (Int, Int), _ origin: String, _ headroom: Double
  ) throws {
    let (report, bytes) = try converted(name)
    #expect(report.status == .converted && report.warnings.isEmpty, "\(report)")
    let (first, second) = try pictures(bytes)
    let headers = (try JPEGHeader(first), try JPEGHeader(second))
    #expect((headers.0.width, headers.0.height) == base)
    #expect((headers.1.width, headers.1.height) == map)
    #expect(headers.1.components.count == (name.contains("colour") ? 3 : 1))
    let said = try #require(report.outputs.first?.gainMap)
    #expect(said.bytes == second.count && said.origin.rawValue == origin)
    #expect((said.headroom - headroom).magnitude < 1e-6)
  }

  @Test(arguments: photos.prefix(2).map(\.0))
  func `the parameters of a tmap item go out byte for byte`(_ name: String) throws {
    let photo = try Fixture.bytes(name)
    let map = try pictures(converted(name).bytes).map
    let identifier = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
    let segment = try #require(
      JPEGHeader(map).segments.map { map[$0.body] }.first { $0.starts(with: identifier) })
    let payload = Array(segment.dropFirst(identifier.count))
    #expect(payload.count == (name.contains("colour") ? 141 : 61))
    #expect(photo.indices.contains { photo[$0...].starts(with: [0] + payload) })
  }

  @Test(arguments: photos.map(\.0))
  func `who sees no HDR sees the same picture`(_ name: String) throws {
    var options = ConvertOptions()
    options.hdr = .drop
    let plain = try converted(name, options).bytes
    let base = try pictures(converted(name).bytes).base
    let scans = (try JPEGHeader(plain).scanStart, try JPEGHeader(base).scanStart)
    #expect(plain[scans.0...].elementsEqual(base[scans.1...]))
    let text = String(decoding: plain, as: UTF8.self)
    for word in ["hdrgm", "GainMap", "21496", "MPF"] { #expect(!text.contains(word), "\(word)") }
  }

  @Test(arguments: photos.map(\.0) + ["still-pq.heic"])
  func `any number of workers makes the same bytes`(_ name: String) throws {
    let bytes = try converted(name, workers: 1).bytes
    for workers in [2, 5] { #expect(try converted(name, workers: workers).bytes == bytes) }
  }

  @Test
  func `without its tmap item a map counts by Apple's XMP, and its codes become logarithms`() throws
  {
    // Of a type that nobody knows.
    let photo = try patched("gain-map-tmap.heic", "tmap", by: "xmap")
    let (report, bytes) = PhotoEngine(ConvertOptions(), workers: 2).convertAndWait(
      MemorySource(photo))
    let map = try #require(report.outputs.first?.gainMap)
    #expect(map.origin == .appleXMP && (map.headroom - 3.5).magnitude < 1e-9)
    #expect(try pictures(bytes).map != pictures(converted("gain-map-tmap.heic").bytes).map)

    let silent = try patched(photo, "HDRGainMapHeadroom", by: "HDRGainMapHeadr..m")
    let second = PhotoEngine(ConvertOptions(), workers: 2).convertAndWait(MemorySource(silent))
      .report
    let noted = try #require(second.outputs.first?.gainMap)
    #expect(noted.origin == .appleMakerNote && (noted.headroom - 6.902489).magnitude < 1e-6)
  }

  /// Ways to break a map: bytes to look for, and what stands for them.
  static let breaks: [(String, [UInt8], [UInt8])] = [
    ("a denominator of 0", hex("002a8725000f4240ffff"), hex("002a872500000000ffff")),
    ("a headroom of 2³¹", hex("002a8725000f4240ffff"), hex("8000000000000001ffff")),
    ("another version", hex("000000000040000000000000"), hex("000001000040000000000000")),
  ]

  @Test(arguments: breaks)
  func `a picture is converted without a broken map, and with one warning`(
    _ what: String, _ old: [UInt8], _ new: [UInt8]
  ) throws {
    let photo = try patched(Fixture.bytes("gain-map-tmap.heic"), old, by: new)
    let (report, bytes) = PhotoEngine(ConvertOptions(), workers: 2).convertAndWait(
      MemorySource(photo))
    #expect(report.status == .converted)
    #expect(
      report.warnings.count == 1 && report.warnings[0].contains("gain map"), "\(report.warnings)")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("MPF"))

    var options = ConvertOptions()
    options.isStrictAboutHDR = true
    let strict = PhotoEngine(options, workers: 2).convertAndWait(MemorySource(photo)).report
    #expect(strict.status == .failed && strict.failure?.description.contains("gain map") == true)
  }

  @Test
  func `a map that is not whole is left out`() throws {
    // The size of its one slice.
    let photo = try patched(
      Fixture.bytes("gain-map-samsung.heic"), hex("00000350"), by: hex("7fffff50"))
    let report = PhotoEngine(ConvertOptions(), workers: 2).convertAndWait(MemorySource(photo))
      .report
    #expect(report.status == .converted && report.outputs.first?.gainMap == nil)
    #expect(report.warnings.count == 1, "\(report.warnings)")
  }

  @Test(arguments: ["pq", "hlg"])
  func `PQ and HLG become pictures of an SDR display with a computed map`(_ curve: String) throws {
    let (report, bytes) = try converted("still-\(curve).heic")
    let map = try #require(report.outputs.first?.gainMap)
    #expect(map.origin == .computed && map.headroom > 2)
    #expect(try JPEGHeader(pictures(bytes).map).width == 52)
  }

  @Test
  func `a gain map is applied to a PNG in PQ`() throws {
    var options = ConvertOptions()
    options.format = .png
    options.hdr = .apply
    let bytes = try converted("gain-map-tmap.heic", options).bytes
    let points = try #require(place(of: Array("cICP".utf8), in: bytes))
    #expect(bytes[(points + 4)...].prefix(4).elementsEqual([9, 16, 0, 1]))
    let full = bytes
    options.headroom = 0
    #expect(try converted("gain-map-tmap.heic", options).bytes != full)
  }

  @Test(arguments: [true, false])
  func `progressive and optimized pictures keep their maps`(_ isProgressive: Bool) throws {
    var options = ConvertOptions()
    options.isProgressive = isProgressive
    options.isOptimized = !isProgressive
    options.verifies = true
    let (report, bytes) = try converted("gain-map-tmap.heic", options)
    #expect(report.status == .converted)
    #expect(try pictures(bytes).map == pictures(converted("gain-map-tmap.heic").bytes).map)
  }

  // MARK: Files

  private func converted(
    _ name: String, _ options: ConvertOptions = ConvertOptions(), workers: Int = 2
  ) throws -> (report: PhotoReport, bytes: [UInt8]) {
    PhotoEngine(options, workers: workers).convertAndWait(MemorySource(try Fixture.bytes(name)))
  }

  /// The two JPEGs, by sizes and offset of the index: CIPA DC-007, 5.2.3.
  private func pictures(_ bytes: [UInt8]) throws -> (base: [UInt8], map: [UInt8]) {
    let segment = try #require(
      JPEGHeader(bytes).segments.first { bytes[$0.body].starts(with: Array("MPF\0".utf8)) })
    let tiff = segment.body.lowerBound + 4
    func long(_ place: Int) -> Int {
      bytes[(tiff + place)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    let (size, mapSize, offset) = (long(54), long(70), long(74))
    #expect(tiff + offset == size && size + mapSize == bytes.count)
    return (Array(bytes.prefix(size)), Array(bytes.suffix(mapSize)))
  }

  private func patched(_ name: String, _ old: String, by new: String) throws -> [UInt8] {
    try patched(Fixture.bytes(name), old, by: new)
  }

  private func patched(_ bytes: [UInt8], _ old: String, by new: String) throws -> [UInt8] {
    try patched(bytes, Array(old.utf8), by: Array(new.utf8))
  }

  private func patched(_ bytes: [UInt8], _ old: [UInt8], by new: [UInt8]) throws -> [UInt8] {
    var result = bytes
    let first = try #require(place(of: old, in: bytes))
    for start in first..<bytes.count where bytes[start...].starts(with: old) {
      result.replaceSubrange(start..<start + old.count, with: new)
    }
    return result
  }

  private func place(of part: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: part) }
  }
}
