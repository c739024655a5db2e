// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import ISOBMFF
import TestSupport
import Testing

@testable import ApusRecords

/// Against the manifests of FFmpeg 5.1.9 and GPAC 26.08, and the specifications where these leave out what they must not.
struct CodecStringTests {
  @Test(arguments: [
    // PQ and BT.2020.
    (
      "av01", "0000001b6176314381004c000a0d00000002aff79b5f2a12201208",
      "av01.0.00M.10.0.110.09.16.09.0"
    ),
    // 4:4:4, whose colours are not described.
    ("av01", "0000001861763143812000000a0a20000002aff79b5f2040", "av01.1.00M.08.0.000.02.02.02.0"),
    // Monochrome with all numbers used, by hand.
    ("av01", "000000106176314381001c00", "av01.0.00M.08.1.110.02.02.02.0"),
    // 4:2:0 without a description.
    ("av01", "000000106176314381000c00", "av01.0.00M.08"),
    ("vp09", "000000147670634301000000010a860202020000", "vp09.01.10.08.03.02.02.02.00"),
    ("vp09", "000000147670634301000000000a820101010000", "vp09.00.10.08"),
    ("vp09", "000000147670634301000000020aa20910090000", "vp09.02.10.10.01.09.16.09.00"),
    (
      "apv1", "0000001e61707643000000000101010100219600000002ff000001e02200",
      "apv1.apvf33.apvl150.apvb0"
    ),
    ("vvc1", "000000207676634300000000ff00655f0102338000000500 02d0000000000000", "vvc1.1.L51.CQA"),
    ("iamf", "0000001a696163620110f80669616d66010100 06004f70757300", "iamf.001.001.Opus"),
    (
      "ac-4", "0000001d6461633420a4012000927c1fffffffe00102fa80", "ac-4.02.01.02"
    ),
  ])
  func `it names what a player has to know`(_ type: String, _ bytes: String, _ text: String) throws
  {
    var box = hex(bytes.filter { $0 != " " })
    // The size is that of what is there.
    box[3] = UInt8(box.count)
    let node = try #require(try BoxTree(reading: MemorySource(box)).boxes.first)
    let body = try #require(node.box)
    let code = try #require(FourCC(escapedText: type))
    #expect((CodecString.text(of: body, code) ?? type) == text)
  }

  /// Against the registry of profiles of TTML.
  @Test(arguments: [
    ("http://www.w3.org/ns/ttml", "", "stpp.ttml"),
    (
      "http://www.w3.org/ns/ttml http://www.w3.org/ns/ttml/profile/imsc1/text", "", "stpp.ttml.im1t"
    ),
    (
      "http://www.w3.org/ns/ttml", "http://www.w3.org/ns/ttml/profile/imsc1/image", "stpp.ttml.im1i"
    ),
    ("http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt", "", "stpp"),
  ])
  func `it names the language and profile of XML subtitles`(
    _ namespace: String, _ schema: String, _ text: String
  ) {
    var entry = XMLSubtitleSampleEntry()
    entry.namespace = Text(bytes: Array(namespace.utf8))
    entry.schemaLocation = Text(bytes: Array(schema.utf8))
    #expect(CodecString.text(of: entry) == text)
  }
}
