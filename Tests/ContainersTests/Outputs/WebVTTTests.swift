// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import Testing

@testable import ApusContainers

struct WebVTTTests {
  private func cues(_ text: String) throws -> [String] {
    try WebVTTFile(Array(text.utf8)).cues.map {
      "\($0.start.value) \($0.end.value) [\($0.settings)] \($0.text)"
    }
  }

  /// As W3C WebVTT, 4.1, and RFC 8216, 3.5, have it.
  @Test(
    arguments: [
      ("WEBVTT\n\n00:01.000 --> 00:02.500\nHi\n", ["1000 2500 [] Hi"]),
      (
        "\u{feff}WEBVTT a\r\n\r\nid\r\n1:00:01.000 --> 1:00:02.000 line:0\r\nA\r\nB",
        ["3601000 3602000 [line:0] A\nB"]
      ),
      (
        "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:01.000 --> 00:02.000\nx",
        ["11000 12000 [] x"]
      ),
      (
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:0\n\n00:01.500 --> 00:02.000\nx",
        ["500 1000 [] x"]
      ),
      (
        "WEBVTT\n\nNOTE no cue\n\n00:01.000 --> 00:02.000\nx\n\n00:03.000 --> 00:03.000\nnever",
        ["1000 2000 [] x"]
      ),
      ("WEBVTT\n00:01.000 --> 00:02.000\nx", ["1000 2000 [] x"]), ("WEBVTT", []),
      ("WEBVTT\n\n00:99.000 --> 00:02.000\nx\n", []), ("WEBVTT\n\n1.000 --> 2.000\nx\n", []),
    ] as [(String, [String])]) func `it reads files`(text: String, expected: [String]) throws
  {
    #expect(try cues(text) == expected)
  }

  @Test(arguments: ["", "WEBVT", "1\n00:00:01,000 --> 00:00:02,000\n", "\u{feff}\u{feff}x"])
  func `it refuses what is none`(text: String) {
    #expect(throws: SyntaxError.self) { try WebVTTFile(Array(text.utf8)) }
  }

  private func track(_ type: FourCC, _ codec: String) -> CodedTrack {
    var track = CodedTrack(.subtitle, .other(type, []), timescale: 1000)
    track.details.codec = codec
    return track
  }

  private func text(_ bytes: [UInt8], _ type: FourCC, _ codec: String) throws -> [String] {
    var cues = try #require(WebVTTCues(track(type, codec)))
    try cues.add(
      CodedSample(
        track: 0, decodeTime: .milliseconds(1000), duration: .milliseconds(500), isSync: true,
        payload: Extent(bytes)))
    return cues.cues.map { "\($0.settings)|\($0.text)" }
  }

  @Test(arguments: [
    ("a <b>b</b> <i>c</i>", "subrip", "|a <b>b</b> <i>c</i>"),
    ("1 < 2 & 3", "subrip", "|1 &lt; 2 &amp; 3"),
    ("<font color=\"#ff0000\">r</font> w", "subrip", "|<c.red>r</c> w"),
    ("a\n\n\nb", "subrip", "|a\nb"), ("<v Bob>x --> y\n\nz", "webvtt", "|<v Bob>x --&gt; y\nz"),
    ("0,0,Default,,0,0,0,,{\\i1}a{\\i0}\\Nb", "ass", "|<i>a</i>\nb"),
  ]) func `it makes cues of markup`(source: String, codec: String, expected: String) throws {
    #expect(try text(Array(source.utf8), "text", codec) == [expected])
  }

  /// Samples that FFmpeg 5.1 wrote (`-c:s mov_text`), and MP4Box's form of WebVTT.
  @Test func `it makes cues of boxes`() throws {
    let styled: [UInt8] =
      [0, 3] + Array("abc".utf8) + [0, 0, 0, 22] + Array("styl".utf8)
      + [0, 1, 0, 1, 0, 2, 0, 1, 1, 18, 255, 255, 255, 255]
    #expect(try text(styled, "tx3g", "") == ["|a<b>b</b>c"])
    #expect(try text([0, 0], "tx3g", "").isEmpty)
    #expect(try text([0, 4, 0xfe, 0xff, 0x20, 0xac], "tx3g", "") == ["|€"])
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(body.count + 8)] + Array(type.utf8) + body
    }
    let cue = box("vttc", box("sttg", Array("line:0".utf8)) + box("payl", Array("x".utf8)))
    #expect(try text(cue + cue, "wvtt", "") == ["line:0|x", "line:0|x"])
    #expect(try text(box("vtte", []), "wvtt", "").isEmpty)
  }

  /// What damage does to a sample: nothing that it does not hold is read.
  @Test func `it reads what is cut off`() throws {
    let sample: [UInt8] =
      [0, 3] + Array("abc".utf8) + [0, 0, 0, 22] + Array("styl".utf8)
      + [0, 9, 0, 1, 0, 9, 0, 1, 1, 18, 255, 255, 255, 255]
    for count in sample.indices { _ = try text(Array(sample[..<count]), "tx3g", "") }
  }

  @Test func `it lasts until something follows`() throws {
    var cues = try #require(WebVTTCues(track("text", "subrip")))
    for (time, words) in [(1000, "a"), (3000, "b")] as [(Int64, String)] {
      try cues.add(
        CodedSample(
          track: 0, decodeTime: .milliseconds(time), isSync: true,
          payload: Extent(Array(words.utf8))))
    }
    cues.close(at: .milliseconds(5000))
    #expect(cues.cues.map(\.end.value) == [3000, 5000])
  }
}
