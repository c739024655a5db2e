// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HLS
import Testing

/// Expected values are those of the standard's own examples (RFC 8216, 8).
struct PlaylistTests {
  static let simple = """
    #EXTM3U
    #EXT-X-TARGETDURATION:10
    #EXT-X-VERSION:3
    #EXTINF:9.009,
    http://media.example.com/first.ts
    #EXTINF:9.009,
    http://media.example.com/second.ts
    #EXTINF:3.003,
    http://media.example.com/third.ts
    #EXT-X-ENDLIST
    """

  private func media(_ text: String) throws -> MediaPlaylist {
    guard case .media(let playlist) = try Playlist(reading: Array(text.utf8)) else {
      Issue.record("is no media playlist")
      return MediaPlaylist()
    }
    return playlist
  }

  private func multivariant(_ text: String) throws -> MultivariantPlaylist {
    guard case .multivariant(let playlist) = try Playlist(reading: Array(text.utf8)) else {
      Issue.record("is no multivariant playlist")
      return MultivariantPlaylist()
    }
    return playlist
  }

  @Test func `it reads a simple media playlist`() throws {
    let playlist = try media(Self.simple)
    #expect(playlist.version == 3)
    #expect(playlist.targetDuration == 10)
    #expect(playlist.isEnded)
    #expect(playlist.kind == nil)
    #expect(playlist.segments.map(\.duration.value) == [9009, 9009, 3003])
    #expect(playlist.segments.map(\.duration.timescale) == [1000, 1000, 1000])
    #expect(playlist.segments[2].name == "http://media.example.com/third.ts")
  }

  @Test func `it reads a live playlist`() throws {
    let playlist = try media(
      """
      #EXTM3U
      #EXT-X-VERSION:3
      #EXT-X-TARGETDURATION:8
      #EXT-X-MEDIA-SEQUENCE:2680

      #EXTINF:7.975,
      https://priv.example.com/fileSequence2680.ts
      #EXTINF:7.941,
      https://priv.example.com/fileSequence2681.ts
      """)
    #expect(playlist.mediaSequence == 2680)
    #expect(!playlist.isEnded)
    #expect(playlist.segments.count == 2)
  }

  /// After the example of Apple's "Enabling Low-Latency HTTP Live Streaming (HLS)".
  @Test func `it reads and writes parts of segments`() throws {
    let text = """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-TARGETDURATION:4
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0
      #EXT-X-PART-INF:PART-TARGET=0.33334
      #EXT-X-MEDIA-SEQUENCE:271
      #EXT-X-MAP:URI="init.mp4"
      #EXT-X-PART:DURATION=0.33334,URI="filePart271.0.mp4",INDEPENDENT=YES
      #EXT-X-PART:DURATION=0.33334,URI="filePart271.1.mp4",BYTERANGE="20@10"
      #EXTINF:4.00008,
      fileSequence271.mp4
      #EXT-X-DISCONTINUITY
      #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:14:00.106Z
      #EXT-X-PART:DURATION=0.33334,URI="filePart272.0.mp4",GAP=YES
      #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart272.1.mp4"
      #EXT-X-RENDITION-REPORT:URI="../1M/waitForMSN.php",LAST-MSN=273,LAST-PART=2
      #EXT-X-RENDITION-REPORT:URI="../4M/waitForMSN.php",LAST-MSN=273

      """
    let playlist = try media(text)
    #expect(playlist.partTiming?.target == RationalTime(33334, per: 100_000))
    #expect(playlist.partTiming?.holdBack == RationalTime(10, per: 10))
    #expect(playlist.partTiming?.canBlockReload == true)
    #expect(playlist.segments.map(\.name) == ["fileSequence271.mp4"])
    let parts = playlist.segments[0].parts
    #expect(parts.map(\.isIndependent) == [true, false])
    #expect(parts.map(\.range?.start) == [nil, 10])
    #expect(playlist.growing?.parts.map(\.name) == ["filePart272.0.mp4"])
    #expect(playlist.growing?.parts.map(\.isGap) == [true])
    #expect(playlist.growing?.isDiscontinuous == true)
    #expect(playlist.partHint == "filePart272.1.mp4")
    #expect(playlist.renditionReports.map(\.lastSegment) == [273, 273])
    #expect(playlist.renditionReports.map(\.lastPart) == [2, nil])
    #expect(playlist.text == text)
  }

  /// After the example of Apple's "Enabling Low-Latency HTTP Live Streaming (HLS)".
  @Test func `it reads and writes updates`() throws {
    let text = """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-TARGETDURATION:4
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=1.0
      #EXT-X-PART-INF:PART-TARGET=0.33334
      #EXT-X-MEDIA-SEQUENCE:266
      #EXT-X-SKIP:SKIPPED-SEGMENTS=3
      #EXTINF:4.00008,
      fileSequence269.mp4

      """
    let playlist = try media(text)
    #expect(playlist.skippedSegments == 3)
    #expect(playlist.skipBoundary == RationalTime(24, per: 1))
    #expect(playlist.mediaSequence == 266)
    #expect(playlist.text == text)
  }

  /// Segments of 2 s from number 10 on, and of a growing one the first parts.
  private func live(_ count: Int, from number: Int = 10, parts: Int = 1) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    (playlist.version, playlist.targetDuration, playlist.mediaSequence) = (9, 2, number)
    playlist.skipBoundary = RationalTime(12, per: 1)
    playlist.partTiming = PartTiming(target: RationalTime(5, per: 10))
    playlist.segments = (number..<number + count).map { number in
      var segment = MediaPlaylist.Segment("\(number).m4s", duration: RationalTime(2, per: 1))
      segment.header = MediaPlaylist.Header("init.mp4")
      return segment
    }
    var growing = MediaPlaylist.Segment("", duration: RationalTime(0, per: 1))
    growing.header = MediaPlaylist.Header("init.mp4")
    growing.parts = (0..<parts).map {
      PartialSegment("part-\($0).m4s", duration: RationalTime(5, per: 10))
    }
    playlist.growing = growing
    return playlist
  }

  @Test(arguments: [(5, 0), (6, 0), (7, 1), (20, 14)])
  func `an update leaves out what is farther from the end than six target durations`(
    _ count: Int, _ skipped: Int
  ) throws {
    let whole = live(count)
    let update = try media(whole.update.text)
    #expect(update.skippedSegments == skipped)
    #expect(update.segments == Array(whole.segments[skipped...]))
    #expect(update.growing == whole.growing)
    #expect(update.joined(with: whole) == whole)
  }

  @Test func `an update and the playlist before it are the playlist`() throws {
    var before = live(20)
    before.segments[18].parts = [PartialSegment("part-x.m4s", duration: RationalTime(5, per: 10))]
    for (first, count) in [(10, 20), (10, 21), (12, 20), (24, 12)] {
      let whole = live(count, from: first, parts: 2)
      let update = try media(whole.update.text)
      #expect(update.skippedSegments == count - 6)
      #expect(update.joined(with: before) == whole)
    }
    // What is left out was never seen, or is not known any more.
    #expect(try media(live(26, parts: 2).update.text).joined(with: live(18)) == nil)
    #expect(try media(live(20, from: 8).update.text).joined(with: before) == nil)
  }

  @Test(arguments: [
    "#EXT-X-SKIP:SKIPPED=1\n#EXTINF:1,\na", "#EXT-X-SKIP:SKIPPED-SEGMENTS=-1\n#EXTINF:1,\na",
    "#EXTINF:1,\na\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1",
    "#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:1,\na",
  ])
  func `it refuses updates that do not say what they leave out`(lines: String) {
    #expect(throws: SyntaxError.self) {
      try Playlist(reading: Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(lines)\n".utf8))
    }
  }

  @Test(arguments: [
    "PART:DURATION=1", "PART:URI=\"a\"", "PART:DURATION=-1,URI=\"a\"", "PART-INF:PART=1",
    "SERVER-CONTROL:PART-HOLD-BACK=x", "RENDITION-REPORT:LAST-MSN=1",
    "RENDITION-REPORT:URI=\"a\",LAST-MSN=-1",
  ])
  func `it refuses parts that say too little`(tag: String) {
    #expect(throws: SyntaxError.self) {
      try Playlist(reading: Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-\(tag)\n".utf8))
    }
  }

  @Test func `it reads encrypted segments`() throws {
    let playlist = try media(
      """
      #EXTM3U
      #EXT-X-VERSION:3
      #EXT-X-MEDIA-SEQUENCE:7794
      #EXT-X-TARGETDURATION:15

      #EXT-X-KEY:METHOD=AES-128,URI="https://priv.example.com/key.php?r=52"

      #EXTINF:2.833,
      http://media.example.com/fileSequence52-A.ts
      #EXT-X-KEY:METHOD=NONE
      #EXTINF:15.0,
      http://media.example.com/fileSequence52-B.ts
      """)
    #expect(playlist.segments.map(\.encryption) == ["AES-128", nil])
  }

  @Test func `it reads variants and their renditions`() throws {
    let playlist = try multivariant(
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English", \\
      DEFAULT=YES,AUTOSELECT=YES,LANGUAGE="en", URI="main/english-audio.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",DEFAULT=NO,AUTOSELECT=YES,LANGUAGE="de",URI="main/german-audio.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS="avc1.4D401F, mp4a.40.2",AUDIO="aac",RESOLUTION=1280x720,FRAME-RATE=29.970
      low/video-only.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=65000,AVERAGE-BANDWIDTH=60000,CODECS="mp4a.40.5",VIDEO-RANGE=PQ
      main/english-audio.m3u8
      """.replacing("\\\n", with: ""))
    #expect(playlist.renditions.map(\.title) == ["English", "Deutsch"])
    #expect(playlist.renditions.map(\.language) == ["en", "de"])
    #expect(playlist.renditions.map(\.isDefault) == [true, false])
    #expect(playlist.renditions[1].name == "main/german-audio.m3u8")
    #expect(playlist.variants.map(\.bandwidth) == [1_280_000, 65000])
    #expect(playlist.variants[0].codecs == ["avc1.4D401F", "mp4a.40.2"])
    #expect(playlist.variants[0].size == .init(width: 1280, height: 720))
    #expect(playlist.variants[0].frameRate == RationalTime(29970, per: 1000))
    #expect(playlist.variants[0].audio == "aac")
    #expect(playlist.variants[1].averageBandwidth == 60000)
    #expect(playlist.variants[1].videoRange == "PQ")
  }

  @Test func `it reads and writes playlists of key frames and codecs on top of others`() throws {
    let text = """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="hvc1.2.4.L120.90",SUPPLEMENTAL-CODECS="dvh1.08.04/db4h",VIDEO-RANGE=HLG,CLOSED-CAPTIONS=NONE
      v.m3u8
      #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=5,AVERAGE-BANDWIDTH=4,CODECS="hvc1.2.4.L120.90",RESOLUTION=2x4,URI="i.m3u8"

      """
    let playlist = try multivariant(text)
    #expect(playlist.variants.map(\.supplementalCodecs) == [["dvh1.08.04/db4h"]])
    #expect(playlist.keyFrameVariants.map(\.name) == ["i.m3u8"])
    #expect(playlist.keyFrameVariants.map(\.averageBandwidth) == [4])
    #expect(playlist.text == text)
  }

  @Test func `it reads ranges of files and what stands before segments`() throws {
    let playlist = try media(
      """
      \u{feff}#EXTM3U\r
      #EXT-X-VERSION:7\r
      # a comment
      #EXT-X-UNKNOWN:1
      #EXT-X-TARGETDURATION:4
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXT-X-MAP:URI="all.mp4",BYTERANGE="720@0"
      #EXTINF:4,first, and more
      #EXT-X-BYTERANGE:1000@720
      all.mp4
      #EXTINF:3.5,
      #EXT-X-BYTERANGE:2000
      all.mp4
      #EXT-X-DISCONTINUITY
      #EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00
      #EXT-X-GAP
      #EXTINF:0.000001,
      none.mp4
      """)
    #expect(playlist.kind == .vod)
    #expect(playlist.hasIndependentSegments)
    #expect(playlist.segments[0].title == "first, and more")
    #expect(playlist.segments[0].header == .init("all.mp4", range: .init(count: 720, start: 0)))
    #expect(playlist.segments.map(\.range?.count) == [1000, 2000, nil])
    #expect(playlist.segments.map(\.range?.start) == [720, nil, nil])
    #expect(playlist.segments.map(\.isDiscontinuous) == [false, false, true])
    #expect(playlist.segments[2].isGap)
    #expect(playlist.segments[2].date == "2010-02-19T14:54:23.031+08:00")
    #expect(playlist.segments[2].duration == RationalTime(1, per: 1_000_000))
  }

  @Test(arguments: [
    ("", "does not begin with #EXTM3U"), ("#EXTM3U8\nx\n", "does not begin"),
    ("\n#EXTM3U\n", "does not begin"), ("#EXTM3U\n", "neither segments nor variants"),
    ("#EXTM3U\nfile.ts\n", "before any tag"), ("#EXTM3U\n#EXTINF:x,\na\n", "EXTINF is x"),
    ("#EXTM3U\n#EXTINF:-1,\na\n", "EXTINF is -1"), ("#EXTM3U\n#EXTINF:1e3,\na\n", "EXTINF is 1e3"),
    ("#EXTM3U\n#EXTINF:99999999999999999999,\na\n", "EXTINF is 9"),
    ("#EXTM3U\n#EXTINF:9223372036854775807.9,\na\n", "EXTINF is 9"),
    ("#EXTM3U\n#EXTINF:1,\na\nb\n", "b has no EXTINF"),
    ("#EXTM3U\n#EXT-X-TARGETDURATION:x\n", "TARGETDURATION is x"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:1@2@3\na\n", "byte range is 1@2@3"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-BYTERANGE:5@9223372036854775807\na\n", "below 2^63"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-MAP:BYTERANGE=\"1\"\na\n", "has no URI"),
    ("#EXTM3U\n#EXTINF:1,\n#EXT-X-KEY:URI=\"1\"\na\n", "has no METHOD"),
    ("#EXTM3U\n#EXTINF:1,\na\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb\n", "other kind of playlist"),
    ("#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nb\n", "has no BANDWIDTH"),
    ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1\n", "has no URI"),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x2x3\nb\n", "RESOLUTION is 1x2x3"),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\nb\n", "no quotation mark at its end"),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,BANDWIDTH=2\nb\n", "twice"),
    ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", "has no name after it"),
    ("#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"a\"\n", "has no variants"),
    ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO\n", "no GROUP-ID"),
    ("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n", "not supported"),
  ])
  func `it refuses what is no playlist`(text: String, reason: String) throws {
    let error = #expect(throws: SyntaxError.self) { try Playlist(reading: Array(text.utf8)) }
    #expect("\(try #require(error))".contains(reason), "\(String(describing: error))")
  }

  @Test func `it refuses bytes that are no UTF-8`() {
    #expect(throws: SyntaxError.self) {
      try Playlist(reading: Array("#EXTM3U\n#EXTINF:1,\n".utf8) + [0xff, 0x0a])
    }
  }

  /// What it says stays the same when it is written and read once more, and every prefix is read or refused.
  @Test(arguments: [simple, written, master])
  func `it writes what it read`(text: String) throws {
    let playlist = try Playlist(reading: Array(text.utf8))
    #expect(try Playlist(reading: Array(playlist.text.utf8)) == playlist)
    for count in text.utf8.indices {
      let prefix = Array(text.utf8[..<count])
      guard let part = try? Playlist(reading: prefix) else { continue }
      #expect(try Playlist(reading: Array(part.text.utf8)) == part)
    }
  }

  /// `ffmpeg -f hls -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file` wrote it.
  static let written = """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:2
    #EXT-X-MEDIA-SEQUENCE:0
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-MAP:URI="s.mp4",BYTERANGE="841@0"
    #EXTINF:2.000000,
    #EXT-X-BYTERANGE:128113@841
    s.mp4
    #EXTINF:2.000000,
    #EXT-X-BYTERANGE:143644@128954
    s.mp4
    #EXTINF:2.000000,
    #EXT-X-BYTERANGE:136691@272598
    s.mp4
    #EXTINF:2.000000,
    #EXT-X-BYTERANGE:148856@409289
    s.mp4
    #EXTINF:0.080000,
    #EXT-X-BYTERANGE:11907@558145
    s.mp4
    #EXT-X-ENDLIST

    """

  static let master = """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="b",LANGUAGE="c",DEFAULT=YES,AUTOSELECT=NO,CHANNELS="2",URI="d"
    #EXT-X-STREAM-INF:BANDWIDTH=2,AVERAGE-BANDWIDTH=1,CODECS="e,f",RESOLUTION=4x3,FRAME-RATE=5.5,VIDEO-RANGE=HLG,AUDIO="a"
    g

    """

  @Test(arguments: [written, master])
  func `it writes the same bytes`(text: String) throws {
    #expect(try Playlist(reading: Array(text.utf8)).text == text)
  }
}
