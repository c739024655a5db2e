// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct MotionPhotoTests {
  static let video = AppendedVideo(size: 4711, mediaType: "video/quicktime", stillTime: 1_500_000)

  /// The files that a packet lists, by what Google's format calls them, with length and padding.
  private func listed(_ packet: [UInt8]?) throws -> [XMPReader.ContainerItem] {
    try #require(packet.flatMap(XMPReader.init)).containerItems
  }

  /// Padding follows the file that it is listed with (Motion Photo format 1.0, Ultra HDR Image Format 1.1).
  @Test func `it finds the listed files from the end, each before its padding`() throws {
    let items = [("Primary", 0, 7), ("GainMap", 100, 5), ("MotionPhoto", 1000, 3)]
    let list = items.map { semantic, length, padding in
      "<r:li><i:Item xmlns:i='\(XMPNamespace.containerItem)' i:Semantic='\(semantic)' i:Length='\(length)'"
        + " i:Padding='\(padding)'/></r:li>"
    }
    let packet = XMPRow.packet(
      "<r:Description xmlns:r='\(XMPNamespace.rdf)' xmlns:c='\(XMPNamespace.container)'><c:Directory><r:Seq>"
        + list.joined() + "</r:Seq></c:Directory></r:Description>")
    let reader = try #require(XMPReader(packet))
    let found = reader.containerFiles(endingAt: 5000)
    #expect(found.map(\.item.semantic) == ["MotionPhoto", "GainMap"])
    #expect(found.map(\.range) == [3997..<4997, 3892..<3992])
    #expect(reader.containerFiles(endingAt: 1003).isEmpty)
    #expect(reader.containerFiles(endingAt: 1100).map(\.item.semantic) == ["MotionPhoto"])
  }

  @Test
  func `the picture announces its gain map, then its video, and nothing that was announced before`()
    throws
  {
    var choices = MetadataChoices(width: 64, height: 48)
    choices.video = Self.video
    let broken = Array("no XML at all <".utf8)
    let packet = XMPRow.packet(
      "<r:Description xmlns:r='\(XMPNamespace.rdf)' xmlns:g='\(XMPNamespace.googleCamera)' g:MotionPhoto='1'"
        + " g:MicroVideo='1' g:MicroVideoOffset='99'/>")
    for (map, names) in [
      (AppendedGainMap?.none, ["Primary", "MotionPhoto"]),
      (AppendedGainMap(size: 23), ["Primary", "GainMap", "MotionPhoto"]),
      (AppendedGainMap(size: 23, isInXMP: false), ["Primary", "MotionPhoto"]),
    ] {
      choices.gainMap = map
      for strip in [MetadataChoices.Strip.nothing, .all] {
        choices.strip = strip
        for source in [nil, packet, broken] {
          let prepared = PreparedMetadata(SourceMetadata(xmp: source), for: choices)
          let items = try listed(prepared.xmp)
          #expect(items.map(\.semantic) == names)
          #expect(items.last?.length == 4711)
          #expect(items.last?.mediaType == "video/quicktime")
          // What is not listed lies between the picture and what is.
          #expect(items.first?.padding == (map?.isInXMP == false ? 23 : 0))
          let reader = try #require(prepared.xmp.flatMap(XMPReader.init))
          let camera = XMPReader.Namespace.googleCamera
          #expect(reader.value(camera, "MotionPhoto") == "1")
          #expect(reader.value(camera, "MotionPhotoPresentationTimestampUs") == "1500000")
          #expect(reader.value(camera, "MicroVideo") == nil)
          #expect(!prepared.warnings.contains { $0.contains("does not hold") })
        }
      }
    }
  }

  @Test
  func `a video whose moment nobody knows says so`() throws {
    var choices = MetadataChoices(width: 64, height: 48)
    choices.video = AppendedVideo(size: 1, mediaType: "video/mp4")
    let reader = try #require(
      PreparedMetadata(SourceMetadata(), for: choices).xmp.flatMap(XMPReader.init))
    let moment = reader.value(
      XMPReader.Namespace.googleCamera, "MotionPhotoPresentationTimestampUs")
    #expect(moment == "-1")
  }

  // MARK: JPEGs that stay as they are

  /// JFIF, Exif, XMP where there is one, an index of two pictures before or behind it, and a scan; then the second.
  private static func jpeg(
    xmp packet: String?, order: String = "4d4d", isIndexFirst: Bool = false
  ) -> (bytes: [UInt8], second: [UInt8]) {
    let isBig = order == "4d4d"
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
      return isBig ? bytes : bytes.reversed()
    }
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }
    let scan = hex("ffda 0002 11223344 ffd9")
    let second = hex("ffd8 ffda 0002 5566 ffd9")
    let xmp = packet.map { segment(0xE1, JPEGSegment.xmp + Array($0.utf8)) } ?? []
    let start = hex("ffd8") + segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    // CIPA DC-007, 5.2: version, number of images, MP entries of 16 bytes.
    let indexSize = 4 + 4 + 8 + 2 + 36 + 4 + 32
    let before = start.count + (isIndexFirst ? 0 : xmp.count)
    let first = start.count + xmp.count + indexSize + scan.count
    let base = before + 8
    var index = Array("MPF\0".utf8) + hex(order) + number(42, 2) + number(8, 4) + number(3, 2)
    index += number(0xB000, 2) + number(7, 2) + number(4, 4) + Array("0100".utf8)
    index += number(0xB001, 2) + number(4, 2) + number(1, 4) + number(2, 4)
    index += number(0xB002, 2) + number(7, 2) + number(32, 4) + number(50, 4) + number(0, 4)
    index += number(0x03_0000, 4) + number(first, 4) + number(0, 4) + number(0, 4)
    index += number(0x05_0000, 4) + number(second.count, 4) + number(first - base, 4) + number(0, 4)
    let middle = segment(0xE2, index)
    let parts = isIndexFirst ? middle + xmp : xmp + middle
    return (start + parts + scan + second, second)
  }

  private static let listing = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description rdf:about="" \
    xmlns:C="\(XMPNamespace.container)" xmlns:I="\(XMPNamespace.containerItem)"><C:Directory><rdf:Seq>\
    <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="Primary" I:Mime="image/jpeg"/></rdf:li>\
    <rdf:li rdf:parseType="Resource"><C:Item I:Semantic="GainMap" I:Mime="image/jpeg" I:Length="10"/></rdf:li>\
    </rdf:Seq></C:Directory></rdf:Description></rdf:RDF></x:xmpmeta>
    """

  @Test(
    arguments: [nil, "", Self.listing], ["4d4d", "4949"])
  func `a JPEG gets the announcement, and its index names the second picture as before`(
    _ packet: String?, _ order: String
  ) throws {
    for isIndexFirst in [false, true] {
      let (bytes, second) = Self.jpeg(
        xmp: packet.map { $0.isEmpty ? Self.empty : $0 }, order: order, isIndexFirst: isIndexFirst)
      let file = Extent(bytes)
      let old = try JPEGSegments(file)
      #expect(old.others(fileSize: bytes.count).map { Array(bytes[$0.range]) } == [second])
      let motion = try MotionJPEG(file, old, video: Self.video)
      let made = motion.head + bytes[motion.replacedCount...]
      let new = try JPEGSegments(Extent(made))
      #expect(new.others(fileSize: made.count).map { Array(made[$0.range]) } == [second])
      #expect(MotionJPEG.isMotionPhoto(new))
      #expect(!MotionJPEG.isMotionPhoto(old))
      let items = try listed(new.metadata.xmp)
      let names =
        packet == Self.listing
        ? ["Primary", "GainMap", "MotionPhoto"] : ["Primary", "MotionPhoto"]
      #expect(items.map(\.semantic) == names)
      // All but XMP and the index is what it was.
      #expect(made.suffix(20).elementsEqual(bytes.suffix(20)))
      #expect(
        new.segments.map(\.marker).sorted()
          == (old.segments.map(\.marker) + (packet == nil ? [0xE1] : [])).sorted())
    }
  }

  private static let empty = String(
    decoding: GainMapAnnouncement.emptyPacket, as: UTF8.self)

  @Test
  func `a JPEG whose XMP cannot say it is refused`() throws {
    let (bytes, _) = Self.jpeg(xmp: "no XML at all <")
    let segments = try JPEGSegments(Extent(bytes))
    #expect(throws: SyntaxError.self) {
      try MotionJPEG(Extent(bytes), segments, video: Self.video)
    }
  }

  @Test
  func `a JPEG that is cut anywhere is refused or changed, never more`() throws {
    let (bytes, _) = Self.jpeg(xmp: Self.listing)
    for count in 2..<bytes.count {
      let cut = Extent(Array(bytes.prefix(count)))
      let segments = try JPEGSegments(cut)
      let motion = try? MotionJPEG(cut, segments, video: Self.video)
      #expect(motion.map { $0.replacedCount <= count } ?? true)
    }
  }
}
