// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct GainMapTests {
  @Test(
    arguments: [
      // The first two of photos, beside what their tmap items and other programs say; the rest of the formula.
      (1.00999999, 0.003041189, 6.902489), (0.8786, 0, 3.482202), (1.5189, 0, 8),
      (0.5, 1, 2.828427),
      (1.5, 1.0, 4.0),
    ])
  func `it makes a headroom of Apple's two numbers`(
    _ first: Double, _ second: Double, _ expected: Double
  ) throws {
    let headroom = try #require(AppleHeadroom.headroom(first, second))
    #expect((headroom - expected).magnitude < 1e-6)
  }

  /// A maker note with the first of the numbers.
  static let note = hex(
    "4170706c6520694f5300 0001 4d4d 0001 0021000a0000000100000020 00000000 001028aa000fffb5")

  @Test
  func `it reads the maker note, whose offsets count from its first byte`() throws {
    let headroom = try #require(AppleHeadroom.headroom(inMakerNote: Self.note))
    // a ≥ 1 and b = 0: three stops.
    #expect((headroom - 8).magnitude < 1e-9)
  }

  @Test
  func `a maker note that is cut anywhere says nothing, or the same`() {
    for count in Self.note.indices {
      let headroom = AppleHeadroom.headroom(inMakerNote: Array(Self.note.prefix(count)))
      #expect(headroom == nil, "\(count) bytes")
    }
  }

  @Test(
    arguments: [(26, [0xFF]), (19, [5]), (36, [0, 0, 0, 0])] as [(Int, [UInt8])])
  func `offsets beyond the end, other types and zero denominators say nothing`(
    _ place: Int, _ bytes: [UInt8]
  ) {
    var note = Self.note
    note.replaceSubrange(place..<place + bytes.count, with: bytes)
    #expect(AppleHeadroom.headroom(inMakerNote: note) == nil)
  }

  static let apple = """
    <rdf:Description xmlns:rdf="\(XMPNamespace.rdf)" xmlns:a="\(XMPNamespace.appleGainMap)">\
    <a:HDRGainMapVersion>131072</a:HDRGainMapVersion><a:HDRGainMapHeadroom>4.5</a:HDRGainMapHeadroom>\
    </rdf:Description>
    """
  static let adobe = """
    <rdf:Description xmlns:rdf="\(XMPNamespace.rdf)" xmlns:h="\(XMPNamespace.gainMap)" h:Version="1.0" \
    h:HDRCapacityMax="2.3" h:GainMapMax=" 2.3 "><h:GainMapMin><rdf:Seq><rdf:li>-1</rdf:li><rdf:li>0</rdf:li>\
    <rdf:li>0.5</rdf:li></rdf:Seq></h:GainMapMin></rdf:Description>
    """

  @Test
  func `it reads Adobe's numbers, in attributes and lists, and takes the usual ones for others`()
    throws
  {
    let parameters = try #require(GainMapXMP(XMPRow.packet(Self.adobe)).adobe)
    #expect(parameters.channels.map(\.minimum) == [-1, 0, 0.5])
    #expect(parameters.channels.allSatisfy { $0.maximum == 2.3 && $0.gamma == 1 })
    #expect(parameters.channels.allSatisfy { $0.baseOffset == 1.0 / 64 })
    #expect(parameters.alternateHeadroom == 2.3 && parameters.baseHeadroom == 0)
  }

  @Test
  func `tmap is believed before XMP, Adobe's before Apple's, and that before the maker note`()
    throws
  {
    let toneMap = GainMapPayloadTests.rows[0].bytes
    let xmp = XMPRow.packet(Self.apple + Self.adobe)
    let exif = exif(Self.note)
    func origin(_ toneMap: [UInt8]?, _ xmp: [UInt8]?) throws -> GainMapOrigin {
      try GainMapDescription(toneMap: toneMap, xmp: xmp, exif: exif, isApple: true).origin
    }
    #expect(try origin(toneMap, xmp) == .toneMap)
    #expect(try origin(nil, xmp) == .adobeXMP)
    #expect(try origin(nil, XMPRow.packet(Self.apple)) == .appleXMP)
    #expect(try origin(nil, nil) == .appleMakerNote)
    #expect(throws: MediaError.self) {
      try GainMapDescription(toneMap: nil, xmp: nil, exif: exif, isApple: false)
    }
    #expect(throws: MediaError.self) {
      try GainMapDescription(
        toneMap: Array(toneMap.dropLast()), xmp: xmp, exif: exif, isApple: true)
    }
  }

  @Test
  func `the payload of a tmap item goes out byte for byte`() throws {
    for row in GainMapPayloadTests.rows {
      let map = try GainMapDescription(toneMap: row.bytes, xmp: nil, exif: nil, isApple: false)
      #expect(map.payload == Array(row.bytes.dropFirst()))
    }
  }

  @Test
  func `a map of an HDR picture, said by Adobe's names, has the offset of HDR at its base`() throws
  {
    let said = Self.adobe.replacing(
      "h:Version=\"1.0\"",
      with:
        "h:Version=\"1.0\" h:BaseRenditionIsHDR=\"True\" h:OffsetSDR=\"0.1\" h:OffsetHDR=\"0.2\"")
    let parameters = try #require(GainMapXMP(XMPRow.packet(said)).adobe)
    #expect(parameters.baseHeadroom == 2.3 && parameters.alternateHeadroom == 0)
    #expect(parameters.channels.allSatisfy { $0.baseOffset == 0.2 && $0.alternateOffset == 0.1 })
  }

  @Test
  func `a map that is turned round exchanges headrooms and offsets, fraction by fraction`() throws {
    let common = "00000000 00000001  00000008 00000004  00000001 00000001"
    let stored = hex(
      "00 0000 0000 40 00000008 00000004 00000001 00000007 \(common) 00000001 00000040 00000003 00000050"
    )
    let wanted = hex(
      "0000 0000 40 00000001 00000007 00000008 00000004 \(common) 00000003 00000050 00000001 00000040"
    )
    let map = try GainMapDescription(toneMap: stored, xmp: nil, exif: nil, isApple: false)
    #expect(map.parameters.hasHDRBase)
    #expect(try map.reversed().payload == wanted)
  }

  @Test
  func `what libultrahdr writes beside the standard becomes the standard's`() throws {
    // Bit 3: one denominator, here 10, for base, alternate, minimum, maximum, gamma and the two offsets.
    let segment = hex(
      "0000 0000 48 0000000a 00000000 00000017 00000000 00000017 0000000a 00000001 00000002")
    let wanted = hex(
      """
      0000 0000 40 00000000 0000000a 00000017 0000000a 00000000 0000000a 00000017 0000000a \
      0000000a 0000000a 00000001 0000000a 00000002 0000000a
      """)
    let map = try GainMapDescription(
      toneMap: nil, segment: segment, xmp: nil, exif: nil, isApple: false)
    #expect(map.origin == .segment && map.payload == wanted)
    #expect((map.headroom - 4.924578).magnitude < 1e-6)
  }

  @Test
  func
    `it finds the map that Apple's programs put after a JPEG, and none where nothing announces one`()
    throws
  {
    let kind = """
      <rdf:Description xmlns:rdf="\(XMPNamespace.rdf)" xmlns:p="\(XMPReader.Namespace.pixelData)" \
      p:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/>
      """
    let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    let xmp = JPEGSegment.segment(0xE1, JPEGSegment.xmp + XMPRow.packet(Self.apple + kind))
    var first = [0xFF, 0xD8] + MultiPictureIndex.segment + scan
    let second = [0xFF, 0xD8] + xmp + scan
    let (offset, bytes) = try #require(
      MultiPictureIndex.amendment(to: first, first: first.count, second: second.count))
    first.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    let file = first + second
    let map = try #require(
      try JPEGGainMap(behind: JPEGSegments(Extent(file)), in: MemorySource(file)))
    #expect(map.data.range == first.count..<file.count && map.isApple && map.segment == nil)
    let said = try GainMapDescription(
      toneMap: nil, segment: nil, xmp: map.xmp, exif: nil, isApple: map.isApple)
    #expect(said.origin == .appleXMP && (said.headroom - 4.5).magnitude < 1e-9)

    let plain = [0xFF, 0xD8] + scan
    #expect(try JPEGGainMap(behind: JPEGSegments(Extent(plain)), in: MemorySource(plain)) == nil)
    // An ISO segment without parameters, and nothing behind the picture.
    let promise = [0xFF, 0xD8] + JPEGSegment.gainMapVersion + scan
    #expect(throws: SyntaxError.self) {
      try JPEGGainMap(behind: JPEGSegments(Extent(promise)), in: MemorySource(promise))
    }
  }

  @Test
  func `the index of two pictures is that of the standard`() throws {
    // A JFIF segment and one that ends where the index begins.
    let filler = [0xFF, 0xE1, 0x03, 0xA2] + [UInt8](repeating: 0, count: 928)
    let head = [0xFF, 0xD8] + [0xFF, 0xE0, 0, 0x10] + [UInt8](repeating: 0, count: 14) + filler
    #expect(head.count == 952)
    let header = head[..<20] + [0xFF, 0xE1, 0x03, 0xA0] + [UInt8](repeating: 0, count: 926)
    #expect(header.count == 950)
    let (offset, bytes) = try #require(
      MultiPictureIndex.amendment(
        to: Array(header) + MultiPictureIndex.segment, first: 1_403_613, second: 23_583))
    #expect(offset == 950)
    #expect(
      bytes
        == hex(
          """
          ffe20058 4d504600 4d4d002a00000008 0003 b000000700000004 30313030
          b001000400000001 00000002 b002000700000020 00000032 00000000
          00030000 00156add 00000000 00000000 00050000 00005c1f 0015671f 00000000
          """))
  }

  @Test(
    arguments: [
      (0.00001, "0.00001"), (-0.007381, "-0.007381"), (2.3, "2.3"), (0.0, "0"), (12.0, "12"),
      (9646899.0 / 4_194_304, "2.3"),
    ])
  func `decimals have no exponent`(_ value: Double, _ text: String) {
    #expect(value.decimal(places: 0...6) == text)
  }

  @Test
  func `the base announces the map, and nothing that was announced before`() throws {
    var choices = asking()
    choices.gainMap = AppendedGainMap(size: 23_583)
    for strip in [MetadataChoices.Strip.nothing, .gps, .all] {
      choices.strip = strip
      for packet in [nil, XMPRow.packet(Self.adobe), Array("no XML at all <".utf8)] {
        let prepared = PreparedMetadata(SourceMetadata(xmp: packet), for: choices)
        let text = String(decoding: try #require(prepared.xmp), as: UTF8.self)
        #expect(text.contains("Item:Length=\"23583\""))
        #expect(text.contains("hdrgm:Version=\"1.0\""))
        #expect(!text.contains("HDRCapacityMax"))
        let document = try XMLDocument(Array(text.utf8))
        #expect(document.elements.count { $0.name.local == "Directory" } == 1)
        let segments = try #require(takenApart(prepared.jpegSegments()))
        #expect(segments.count { $0.body.starts(with: Array("MPF\0".utf8)) } == 1)
        #expect(segments.count { $0.body.starts(with: JPEGSegment.gainMap) } == 1)
      }
    }
  }

  @Test
  func `what announces the map stays in the main packet, however much else there is`() throws {
    var choices = asking()
    choices.gainMap = AppendedGainMap(size: 23_583)
    let packet = XMPRow.packet(
      "<r:Description xmlns:x='urn:x'><x:a>\(String(repeating: "a", count: 70_000))</x:a></r:Description>"
    )
    let prepared = PreparedMetadata(SourceMetadata(xmp: packet), for: choices)
    let segments = try #require(takenApart(prepared.jpegSegments()))
    let main = try #require(segments.first { $0.body.starts(with: JPEGSegment.xmp) })
    #expect(String(decoding: main.body, as: UTF8.self).contains("Item:Length=\"23583\""))
    #expect(segments.contains { $0.body.starts(with: JPEGSegment.extendedXMP) })
  }

  /// Exif with a maker note alone, big-endian.
  private func exif(_ note: [UInt8]) -> [UInt8] {
    hex("4d4d002a00000008 0001 8769000400000001 0000001a 00000000 0001 927c0007 000000")
      + [UInt8(note.count)] + hex("0000002c 00000000") + note
  }
}
