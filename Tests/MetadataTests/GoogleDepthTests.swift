// SPDX-License-Identifier: MIT

import Testing

@testable import ApusMetadata

@Suite struct GoogleDepthTests {
  @Test(
    arguments: [
      // RFC 4648, 10.
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
      ("Zm9vYmE=", "fooba"),
      ("Zm9vYmFy", "foobar"),
      // As XMP breaks it into lines, and without padding.
      ("Zm9v\n  YmFy\r\n", "foobar"), ("Zm8", "fo"), ("Zg", "f"),
    ])
  func `it reads base 64`(_ text: String, _ bytes: String) {
    #expect(GoogleDepth.decoded(text.utf8) == Array(bytes.utf8))
  }

  @Test(arguments: ["Z", "Zm9vY", "Zg=", "Zg==Zg==", "=", "Zm8==", "Zm9v=", "Zm9-", "Zm9v\0"])
  func `it refuses base64`(_ text: String) { #expect(GoogleDepth.decoded(text.utf8) == nil) }

  private func packet(_ attributes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPNamespace.rdf)"><rdf:Description rdf:about="" \
      xmlns:D="http://ns.google.com/photos/1.0/depthmap/" \(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test
  func `what it says stands in the main packet, the map in the extended one`() {
    var metadata = SourceMetadata(
      xmp: packet(
        "D:Format='RangeLinear' D:Near='250' D:Far='4000' D:Units='mm' D:Mime='image/png'"))
    metadata.extendedXMP = packet("D:Data='Zm9v'")
    let depth = GoogleDepth(metadata)
    #expect(depth.map?.bytes == Array("foo".utf8))
    #expect(depth.map?.mediaType == "image/png")
    #expect(!depth.isInverse)
    #expect(depth.near == 0.25 && depth.far == 4)
    #expect(depth.original == nil)
  }

  @Test(arguments: [
    "D:Near='0' D:Far='1'", "D:Near='2' D:Far='1'", "D:Near='nan' D:Far='1'", "D:Near='1'",
  ])
  func `it believes no impossible range`(_ attributes: String) {
    let depth = GoogleDepth(SourceMetadata(xmp: packet(attributes)))
    #expect(depth.near == nil && depth.far == nil)
    #expect(depth.isInverse)
  }
}
