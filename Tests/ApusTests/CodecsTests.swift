// SPDX-License-Identifier: MIT

import ApusMedia
import ApusTranscode
import Testing

@testable import ApusCommand

struct CodecsTests {
  @Test(arguments: [
    ("apus codecs --codec hevc", 0, ["libx265  hevc   software  libx265 ", "8 10 12", "DECODER"]),
    (
      "apus codecs libx265", 0,
      ["libx265: encoder of hevc", "bframes: integer, standard 4, 0 to 16"]
    ),
    ("apus codecs aac", 0, ["aac: encoder of aac", "aac: decoder of aac"]),
    ("apus codecs --codec hevc --require software --json", 0, [#""decoders":[]"#]),
    ("apus codecs nothing 2>&1", 1, ["there is no encoder"]),
    ("apus codecs aac nothing 2>&1", 1, ["nothing is no encoder or decoder here"]),
    ("apus codecs --codec nothing 2>&1", 1, ["there is no encoder of nothing here"]),
    ("apus codecs --codec hevc --size 40000x40000 2>&1", 1, ["libx265 does not open"]),
    ("apus codecs libx265 --require hardware 2>&1", 4, ["there is no hardware encoder here"]),
    ("apus codecs libx265 --prefer hardware 2>&1", 0, ["warning: there is no hardware encoder"]),
    ("apus codecs --size 12 2>&1", 2, ["a size such as 1920x1080"]),
    ("apus codecs --verify aac", 0, ["fltp     true"]),
  ])
  func `it prints`(_ script: String, _ status: Int32, _ parts: [String]) throws {
    let result = try bash("COLUMNS=200 \(script)")
    #expect(result.status == status)
    for part in parts { #expect(result.output.contains(part), "\(result.output)") }
  }

  @Test
  func `it fails where a claim is not true`() throws {
    var query = CodecQuery()
    (query.codecs, query.ids) = (["h264"], ["libx264"])
    let catalogue = CodecCatalogue(query)
    var facts = try catalogue.first()
    facts.samples = [.init("yuv420p", bitDepth: 8, chroma: .yuv420, profiles: ["high422"])]
    let verified = VerifiedCodec(
      role: .encoder, id: facts.id, verification: CodecVerification(facts))
    var text = ""
    CodecsText().write(verified, to: &text)
    #expect(text.contains("NOT TRUE"))
    #expect(text.contains("the profile high422 comes out as High"))
    var verb = Codecs()
    verb.verify = true
    #expect(try verb.show(catalogue, nil, [verified], Console()) == .failed)
  }
}
