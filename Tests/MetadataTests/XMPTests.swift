// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct XMPTests {
  @Test(arguments: XMPRow.rows)
  func `it changes what has to be changed, and no other byte`(_ row: XMPRow) {
    let prepared = prepare(XMPRow.packet(row.source), row.choices)
    let expected = String(decoding: XMPRow.packet(row.result), as: UTF8.self)
    #expect(prepared.xmp.map { String(decoding: $0, as: UTF8.self) } == expected)
    #expect(prepared.warnings.count == (row.warning == nil ? 0 : 1), "\(prepared.warnings)")
    if let warning = row.warning { #expect(prepared.warnings.first?.contains(warning) == true) }
  }

  @Test
  func `it keeps the announcement of a gain map that will be there`() {
    let packet = XMPRow.packet(
      "<rdf:Description xmlns:rdf='urn:x' xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/' g:Version='1'/>"
    )
    var choices = asking()
    choices.removesGainMapPromise = false
    #expect(prepare(packet, choices).xmp == packet)
  }

  @Test
  func `it joins a packet with the part that a JPEG divided from it`() throws {
    let text = String(repeating: "grey weather ", count: 9000)
    let packet = XMPRow.packet(
      "<rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:q='urn:q' q:short='1'>"
        + "<dc:description>\(text)</dc:description></rdf:Description>")
    let divided = try #require(ExtendedXMP(dividing: packet))
    #expect(!divided.extended.isEmpty)
    var source = SourceMetadata(xmp: divided.main)
    source.extendedXMP = divided.extended
    let joined = try #require(source.joinedXMP)
    let document = try XMLDocument(joined)
    let description = XMLDocument.Name(
      namespace: "http://purl.org/dc/elements/1.1/", local: "description")
    let found = try #require(document.elements.first { $0.name == description })
    #expect(found.content.map { document.text($0) } == text)
    let short = XMLDocument.Name(namespace: "urn:q", local: "short")
    #expect(document.elements.contains { $0.attributes.contains { $0.name == short } })
    #expect(!String(decoding: joined, as: UTF8.self).contains("HasExtendedXMP"))
    // Of a part that cannot be read the packet is left.
    source.extendedXMP = Array("<rdf".utf8)
    #expect(source.joinedXMP == divided.main)
  }

  @Test
  func `it takes the places out of what exiftool wrote`() throws {
    let left = prepare(try fixture("camera.xmp"), asking(strip: .gps)).xmp ?? []
    let text = String(decoding: left, as: UTF8.self)
    #expect(!text.contains("Berlin") && !text.contains("Germany") && !text.contains("52,30"))
    #expect(text.contains("Swift") && text.contains(">1</tiff:Orientation>"))
  }

  @Test(arguments: [false, true])
  func `it makes UTF-16 UTF-8`(_ isBig: Bool) {
    let text = String(
      decoding: XMPRow.packet("<r:Description>é\u{1F426}</r:Description>"), as: UTF8.self)
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? pair : pair.reversed()
    }
    #expect(prepare(bytes, asking()).xmp == Array(text.utf8))
    #expect(
      prepare((isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]) + bytes, asking()).xmp == Array(text.utf8))
  }

  @Test
  func `it keeps a broken packet, unless that could say what must not be said`() {
    let packet = Array("<x:xmpmeta><rdf:RDF>".utf8)
    #expect(prepare(packet, asking()).xmp == packet)
    #expect(prepare(packet, asking()).warnings.count == 1)
    #expect(prepare(packet, asking(strip: .gps)).xmp == nil)
    #expect(prepare(packet + Array("http://ns.adobe.com/hdr-gain-map/".utf8), asking()).xmp == nil)
    let latin = XMPRow.packet("<r:Description/>") + [0xE9]
    #expect(prepare(latin, asking()).xmp == latin)
    #expect(prepare(latin, asking()).warnings.count == 1)
  }

  @Test
  func `it never traps, whichever bit is wrong and wherever the end is`() throws {
    let packet = try fixture("camera.xmp")
    for bit in 0..<packet.count * 8 {
      var flipped = packet
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      _ = prepare(flipped, asking(strip: .gps))
    }
    for count in packet.indices { _ = prepare(Array(packet.prefix(count)), asking()) }
  }

  @Test(
    arguments: [
      ("", "D41D8CD98F00B204E9800998ECF8427E"), ("abc", "900150983CD24FB0D6963F7D28E17F72"),
      (
        "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
        "57EDF4A22BE3C955AC49DA2E2107B67A"
      ),
    ])
  func `it names itself by MD5`(_ text: String, _ digest: String) {
    #expect(MD5.digest(of: Array(text.utf8)) == hex(digest))
  }

  private func prepare(_ packet: [UInt8], _ choices: MetadataChoices) -> PreparedMetadata {
    PreparedMetadata(SourceMetadata(xmp: packet), for: choices)
  }
}
