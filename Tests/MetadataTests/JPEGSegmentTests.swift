// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct JPEGSegmentTests {
  @Test
  func `it puts everything in its order`() throws {
    let source = SourceMetadata(
      exif: try fixture("camera-big-endian.exif"), xmp: try fixture("camera.xmp"),
      iptc: try fixture("camera.iptc"), icc: [1, 2, 3])
    let parts = try #require(takenApart(PreparedMetadata(source, for: asking()).jpegSegments()))
    #expect(parts.map(\.marker) == [0xE1, 0xE1, 0xED, 0xE2])
    #expect(parts.last?.body.elementsEqual("ICC_PROFILE\0".utf8 + [1, 1, 1, 2, 3]) == true)
  }

  @Test
  func `it splits Exif so that no part but the first looks like the beginning of Exif`() throws {
    // The tag of an unknown kind holds what begins like a TIFF stream where the first segment is full.
    var exif = hex("4D4D002A 00000008 0001 C000000700030000 0000001A 00000000")
    exif += Array(repeating: 0, count: 0x30000)
    exif.replaceSubrange(65_527..<65_531, with: hex("4D4D002A"))
    let prepared = PreparedMetadata(SourceMetadata(exif: exif), for: asking())
    #expect(prepared.warnings.count == 1)
    let parts = try #require(takenApart(prepared.jpegSegments()))
    #expect(parts.count == 4 && parts.allSatisfy { $0.marker == 0xE1 })
    #expect(parts.allSatisfy { $0.body.starts(with: "Exif\0\0".utf8) })
    #expect(parts.flatMap { $0.body.dropFirst(6) } == exif)
    #expect(
      parts.map { $0.body.count } == [65_532, 65_533, 65_533, exif.count - 65_526 - 2 * 65_527 + 6])
  }

  @Test
  func `it numbers the parts of a profile and refuses one beyond 255`() throws {
    let icc = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
    let segments = PreparedMetadata(SourceMetadata(icc: icc), for: asking()).jpegSegments()
    let parts = try #require(takenApart(segments))
    #expect(parts.map { Array($0.body.prefix(14).suffix(2)) } == [[1, 3], [2, 3], [3, 3]])
    #expect(parts.flatMap { $0.body.dropFirst(14) } == icc)
    let huge = SourceMetadata(icc: Array(repeating: 0, count: 65_519 * 255 + 1))
    #expect(PreparedMetadata(huge, for: asking()).warnings.count == 1)
    #expect(PreparedMetadata(huge, for: asking()).jpegSegments().isEmpty)
  }

  @Test
  func `it divides XMP as the standard says`() throws {
    let large = String(repeating: "swift ", count: 30_000)
    let packet = XMPRow.packet(
      "<r:Description xmlns:a='urn:a' a:Small='1' a:Large='\(large)'><a:List>\(large)</a:List></r:Description>"
    )
    let prepared = PreparedMetadata(SourceMetadata(xmp: packet), for: asking())
    #expect(prepared.xmp == packet && prepared.warnings.count == 1)
    let parts = try #require(takenApart(prepared.jpegSegments()))
    let main = String(decoding: parts[0].body, as: UTF8.self)
    #expect(parts[0].body.count <= 65_502 + 29 && main.contains("a:Small='1'"))

    let name = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    var extended: [UInt8] = []
    for part in parts.dropFirst() {
      #expect(part.marker == 0xE1 && part.body.starts(with: name))
      let fields = Array(part.body.dropFirst(67).prefix(8)).map(Int.init)
      #expect(fields[4..<8].reduce(0) { $0 << 8 | $1 } == extended.count)
      extended += part.body.dropFirst(75)
    }
    let first = Array(parts[1].body)
    #expect(first[67..<71].reduce(0) { $0 << 8 | Int($1) } == extended.count)
    let guid = String(decoding: first[35..<67], as: UTF8.self)
    #expect(hex(guid) == MD5.digest(of: extended))
    #expect(main.contains(#"xmpNote:HasExtendedXMP="\#(guid)""#))
    let text = String(decoding: extended, as: UTF8.self)
    #expect(text.contains("a:Large='\(large)'") && text.contains("<a:List>\(large)</a:List>"))
  }

  @Test
  func `it takes padding out of XMP before anything else`() throws {
    let body = "<r:Description r:about='\(String(repeating: "x", count: 60_000))'/>"
    let parts = String(decoding: XMPRow.packet(body), as: UTF8.self)
    let padded = Array(
      parts.replacing("<?xpacket end", with: String(repeating: " ", count: 9000) + "<?xpacket end")
        .utf8)
    let prepared = PreparedMetadata(SourceMetadata(xmp: padded), for: asking())
    #expect(prepared.warnings.isEmpty && prepared.jpegSegments().count == 1)
  }

  @Test
  func `it leaves out XMP that is too large and cannot be divided, and says so`() {
    let broken = Array(repeating: UInt8(ascii: "<"), count: 70_000)
    let prepared = PreparedMetadata(SourceMetadata(xmp: broken), for: asking())
    #expect(prepared.xmp == nil && prepared.warnings.count == 2)
    var png = asking()
    png.target = .png
    #expect(PreparedMetadata(SourceMetadata(xmp: broken), for: png).xmp == broken)
  }

  private static func exif(_ tiff: String) -> [UInt8] { Array("Exif\0\0".utf8) + hex(tiff) }

  /// Segments, the Exif that they make, and what is said.
  @Test(
    arguments: [
      ([exif("4D4D002A 01"), exif("0203")], "4D4D002A 010203", []),
      ([exif("4D4D002A 01"), exif("4D4D002A 01")], "4D4D002A 01", []),
      ([exif("4D4D002A 01"), exif("49492A00 02")], "4D4D002A 01", ["second Exif"]),
      ([exif("49492A00 01"), exif("49492A00 02"), exif("03")], "49492A00 0103", ["second Exif"]),
      ([exif(""), exif("49492A00 02")], "49492A00 02", []),
    ] as [([[UInt8]], String, [String])])
  func `it joins segments of one Exif, and reports another one`(
    _ segments: [[UInt8]], _ expected: String, _ omissions: [String]
  ) {
    let source = SourceMetadata(jpegSegments: segments.map { (0xE1, $0[...]) })
    #expect(source.exif == hex(expected))
    #expect(source.omissions.count == omissions.count)
    for (said, expected) in zip(source.omissions, omissions) { #expect(said.contains(expected)) }
  }

  private static func profile(_ number: UInt8, of count: UInt8, _ bytes: String) -> [UInt8] {
    Array("ICC_PROFILE\0".utf8) + [number, count] + hex(bytes)
  }

  /// Segments, and the profile that they make.
  @Test(
    arguments: [
      ([profile(1, of: 2, "01"), profile(2, of: 2, "02")], "0102"),
      ([profile(2, of: 2, "02"), profile(1, of: 2, "01")], "0102"),
      ([profile(1, of: 1, "01"), profile(1, of: 1, "01")], "01"),
      ([profile(1, of: 1, "01"), profile(1, of: 1, "02")], nil),
      ([profile(1, of: 1, "01"), profile(2, of: 3, "02")], nil),
      ([profile(1, of: 0, "01")], "01"),
    ] as [([[UInt8]], String?)])
  func `it joins the parts of a profile, and leaves it out where they contradict each other`(
    _ segments: [[UInt8]], _ expected: String?
  ) {
    let source = SourceMetadata(jpegSegments: segments.map { (0xE2, $0[...]) })
    #expect(source.icc == expected.map(hex))
    #expect(source.omissions.isEmpty == (expected != nil))
  }

  private static let extendedXMP = XMPRow.packet("<rdf:Description xmlns:q='urn:q' q:long='2'/>")

  private static func packet(_ named: String) -> [UInt8] {
    Array("http://ns.adobe.com/xap/1.0/\0".utf8)
      + XMPRow.packet(
        "<rdf:Description xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='\(named)'/>")
  }

  /// A part of extended XMP: whose it is, and what of it.
  private static func part(_ digest: Character, _ range: Range<Int>) -> [UInt8] {
    let numbers = [extendedXMP.count, range.lowerBound].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    let head = "http://ns.adobe.com/xmp/extension/\0" + String(repeating: digest, count: 32)
    return Array(head.utf8) + numbers + Array(extendedXMP[range])
  }

  private static let named = packet(String(repeating: "A", count: 32))
  private static let (first, second) = (0..<90, 90..<extendedXMP.count)

  /// Segments, whether the extended part is joined, and what is said.
  @Test(
    arguments: [
      ([named, part("A", first), part("A", second)], true, []),
      ([part("A", second), part("A", first), named], true, []),
      ([named, part("A", first)], false, ["part of it is missing"]),
      ([named, part("A", second)], false, ["part of it is missing"]),
      ([named, part("B", first), part("B", second)], false, ["does not reference it"]),
      ([part("A", first), part("A", second)], false, ["does not reference it"]),
      (
        [named, part("B", first), part("A", first), part("A", second)], true,
        ["does not reference it"]
      ),
      ([named, named], false, []), ([named, packet("other")], false, ["second XMP"]),
    ] as [([[UInt8]], Bool, [String])])
  func `it joins the parts of XMP that belong to the packet, and says what is left out`(
    _ segments: [[UInt8]], _ isJoined: Bool, _ omissions: [String]
  ) {
    let source = SourceMetadata(jpegSegments: segments.map { (0xE1, $0[...]) })
    #expect(source.extendedXMP == (isJoined ? Self.extendedXMP : []))
    #expect(source.omissions.count == omissions.count)
    for (said, expected) in zip(source.omissions, omissions) { #expect(said.contains(expected)) }
  }

  @Test(arguments: [
    ("4D4D002A 00000008 0000 00000000", true), ("49492A00 08000000 0000 00000000", true),
    ("4D4D002B 00000008 0000 00000000", false), ("00", false),
  ])
  func `it leaves out Exif that a PNG cannot hold`(_ exif: String, _ isHeld: Bool) {
    let prepared = PreparedMetadata(SourceMetadata(exif: hex(exif)), for: asking(target: .png))
    #expect((prepared.exif != nil) == isHeld)
    #expect(prepared.warnings.contains { $0.contains("a PNG cannot hold it") } == !isHeld)
    let jpeg = PreparedMetadata(SourceMetadata(exif: hex(exif)), for: asking())
    #expect(jpeg.exif == hex(exif))
  }
}
