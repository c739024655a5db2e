// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct IPTCTests {
  @Test
  func `it wraps records as a Photoshop resource`() throws {
    let segments = PreparedMetadata(SourceMetadata(iptc: hex("1C02050001 41")), for: asking())
      .jpegSegments()
    #expect(
      segments == [
        hex("FFED 0022 50686F746F73686F7020332E3000 3842494D 0404 0000 00000006 1C0205000141")
      ])
  }

  @Test
  func `it pads what is odd, and divides what is large`() throws {
    let records =
      hex("1C02780001 41") + hex("1C0278 8004 00020001") + Array(repeating: 66, count: 0x20001)
    let segments = PreparedMetadata(SourceMetadata(iptc: records), for: asking()).jpegSegments()
    let parts = try #require(takenApart(segments))
    #expect(parts.count == 3)
    #expect(parts.allSatisfy { $0.marker == 0xED && $0.body.starts(with: "Photoshop 3.0\0".utf8) })
    let resources = parts.flatMap { $0.body.dropFirst(14) }
    #expect(resources.dropFirst(12).prefix(records.count).elementsEqual(records))
    #expect(resources.count % 2 == 0)
  }

  @Test(
    arguments: [
      ("1C020500014 1 1C025A000242 43 1C027800 0144", "1C020500014 1 1C027800 0144"),
      (
        "3842494D 0425 0000 00000010 00112233445566778899AABBCCDDEEFF 3842494D 0404 0000 00000006 1C0265000145",
        "3842494D 0404 0000 00000000"
      ),
      ("1C025A000242 43", ""),
    ])
  func `it takes the names of places out`(_ source: String, _ result: String) {
    let prepared = PreparedMetadata(SourceMetadata(iptc: hex(source)), for: asking(strip: .gps))
    #expect(prepared.iptc ?? [] == hex(result))
    #expect(prepared.warnings.isEmpty)
  }

  @Test
  func `it says that a PNG has no place for it, unless everything was to go`() {
    let source = SourceMetadata(iptc: hex("1C020500014 1"))
    let kept = PreparedMetadata(source, for: asking(target: .png))
    #expect(kept.iptc == nil && kept.warnings.count == 1)
    let stripped = PreparedMetadata(source, for: asking(strip: .all, target: .png))
    #expect(stripped.iptc == nil && stripped.warnings.isEmpty)
  }

  @Test
  func `it leaves out what it cannot read when places have to go`() {
    let source = SourceMetadata(iptc: hex("1C025AFFFF42"))
    #expect(PreparedMetadata(source, for: asking()).iptc == source.iptc)
    let stripped = PreparedMetadata(source, for: asking(strip: .gps))
    #expect(stripped.iptc == nil && stripped.warnings.count == 1)
  }

  @Test
  func `it takes the records of every resource`() {
    let resource = "3842494D 0404 0000 00000006"
    let iptc = hex(
      "\(resource) 1C0278000141 3842494D 07D0 0000 00000002 0001 \(resource) 1C0278000142")
    let prepared = PreparedMetadata(SourceMetadata(iptc: iptc), for: asking(target: .heif))
    #expect(prepared.iptc == hex("1C0278000141 1C0278000142"))
    #expect(PhotoshopSegment(iptc).namesBesideIPTC == ["8BIM 0x7d0"])
  }
}
