// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import ApusRecords
import HEVC
import ISOBMFF
import TestSupport
import Testing

/// Against ffprobe (FFmpeg 5.1.8), pillow-heif 1.8.1 and the commands that made the fixtures.
struct OverviewTests {
  /// Those of AVC and sound as `ffmpeg -f dash` writes them into its manifest; those of HEVC by hand from
  /// ISO/IEC 14496-15, Annex E.3, and what ffprobe says of profile and level.
  @Test(arguments: [
    ("hvc1.mp4", ["hvc1.1.6.L30.90", "mp4a.40.2"]), ("hev1.mp4", ["hev1.1.6.L30.90", "mp4a.40.2"]),
    ("avc1.mp4", ["avc1.64000A"]), ("cenc.mp4", ["avc1.64000A"]),
    ("movie.mov", ["hvc1.1.6.L30.90", "mp4a.40.2", "tmcd"]),
    ("audio-codecs.mp4", ["ac-3", "ec-3", "opus", "flac"]),
    ("hdr10.mp4", ["hvc1.2.4.L30.90"]),
  ])
  func `it names the codecs`(_ file: String, _ codecs: [String]) throws {
    let overview = try Overview(of: Fixture.source(file))
    #expect(overview.tracks.map(\.codec) == codecs)
  }

  /// `ffprobe -show_frames -show_entries frame=pict_type`, `-show_packets` for key frames and sizes.
  @Test(arguments: ["hvc1.mp4", "hev1.mp4", "fragmented.mp4", "dash.mp4", "large-mdat.mp4"])
  func `it counts pictures`(_ file: String) throws {
    let track = try #require(try Overview(of: Fixture.source(file)).tracks.first)
    #expect(track.samples.count == 10 && track.samples.bytes == 1685)
    #expect(track.samples.largest == 768)
    #expect(track.samples.keyCount == 2 && track.samples.longestGroup == 6)
    let pictures = track.pictures
    #expect([pictures.intra, pictures.predicted, pictures.bidirectional] == [2, 2, 6])
    #expect(track.frameRate == FrameRate(25, 1) && track.isConstantRate)
    #expect(track.duration == 0.4 && track.bitRate == 33700)
    #expect(track.apple?.isMet == (file != "hev1.mp4"))
  }

  /// Of such a file ffprobe says: moov atom not found.
  @Test func `it says that a file was cut off before its tables`() throws {
    let file = try Fixture.source("hvc1.mp4")
    let cut = try Overview(of: MemorySource(try file.bytes(in: 0..<3000)))
    #expect(cut.tracks.isEmpty && cut.notes.count == 1)
    #expect(cut.notes.first?.hasPrefix("there is no moov") == true)
    for name in ["hvc1.mp4", "fragmented.mp4", "photo.heic"] {
      #expect(try Overview(of: Fixture.source(name)).notes.isEmpty, "\(name)")
    }
  }

  /// The time to the next sample is read as a number of 32 bits without a sign.
  @Test func `it reports samples of H.264 that last for hours`() throws {
    let source = try Fixture.source("avc1.mp4")
    var bytes = try source.bytes(in: 0..<source.count)
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "stts".utf8) })
    bytes.replaceSubrange(table + 16..<table + 20, with: [0xFF, 0xFF, 0xFF, 0xF0])
    let findings = try Overview(of: MemorySource(bytes)).findings.map(\.rule)
    #expect(findings == ["sample-duration"])
    #expect(try Overview(of: source).findings.isEmpty)
  }

  @Test func `it reads byte streams`() throws {
    let stream = try #require(try Overview(of: Fixture.source("stream.hevc")).stream)
    #expect(stream.codec == "hvc1.1.6.L30.90")
    #expect(stream.video?.displaySize == PixelSize(width: 64, height: 48))
    #expect(stream.frameRate == FrameRate(25, 1))
    #expect(stream.pictures.total == 6 && stream.keyCount == 2)
    #expect(stream.nalUnits[.aud] == 6 && stream.nalUnits[.sps] == 2)
    #expect(stream.bytes == 1547)
  }

  /// The mastering display and light levels that x265 was given.
  @Test(arguments: ["hdr10.mp4", "hdr10-boxes.mp4"])
  func `it knows high dynamic range`(_ file: String) throws {
    let track = try #require(try Overview(of: Fixture.source(file)).tracks.first)
    let colour = try #require(track.video?.colour)
    #expect(colour.dynamicRange == "HDR10")
    #expect(colour.masteringLuminance == 0.005...1000)
    #expect(colour.maxContentLight == 1000 && colour.maxAverageLight == 400)
    #expect(colour.codePoints?.primaries == 9 && colour.codePoints?.transfer == 16)
    #expect(track.video?.format.bitDepth == 10)
  }

  @Test func `it knows pictures and what belongs to them`() throws {
    let grid = try #require(try Overview(of: Fixture.source("grid.heic")).picture)
    #expect(grid.primary?.displaySize == PixelSize(width: 100, height: 100))
    #expect(grid.primary?.inputCount == 4 && grid.itemCount == 5)
    #expect(grid.primary?.apple?.isMet == false)
    let alpha = try #require(try Overview(of: Fixture.source("alpha.heic")).picture)
    #expect(alpha.auxiliaries.map(\.name) == ["alpha"])
    let metadata = try #require(try Overview(of: Fixture.source("exif-xmp.heic")).picture)
    #expect(metadata.metadata.map(\.bytes) == [47, 293])
    let thumbnail = try #require(try Overview(of: Fixture.source("thumbnail.heic")).picture)
    #expect(thumbnail.thumbnails.map(\.displaySize) == [PixelSize(width: 64, height: 48)])
  }

  @Test func `it says what else a file is`() throws {
    #expect(try Overview(of: MemorySource(Array("FLV\u{1}".utf8))).kind == .flv)
    #expect(try Overview(of: MemorySource([])).kind == .empty)
  }

  @Test func `it reads as much of each track, however many there are`() throws {
    let tree = try Fixture.tree("hvc1.mp4")
    let read = try [30, 300].map { count in
      // The fixture's tracks again and again; their samples lie before them and stay where they are.
      var boxes = tree.boxes
      let movie = try #require(boxes.indices.last { boxes[$0].type == "moov" })
      #expect(boxes.last { $0.type == "mdat" }?.start ?? 0 < boxes[movie].start)
      let tracks = boxes[movie].children.filter { $0.type == "trak" }
      for _ in 1..<count { boxes[movie].children += tracks }
      let source = CountedSource(MemorySource(try BoxTree(boxes: boxes).bytes()))
      let overview = try Overview(of: source)
      #expect(overview.tracks.count == count * tracks.count)
      #expect(overview.tracks.last?.samples.count == overview.tracks[1].samples.count)
      return source.readBytes
    }
    #expect(read[1] <= 11 * read[0])
  }

  @Test func `it tells of samples beyond the file`() throws {
    let bytes = try Fixture.source("fragmented.mp4").bytes(in: 0..<3500)
    let overview = try Overview(of: MemorySource(bytes))
    #expect(overview.findings.contains { $0.rule == "samples-beyond-file" })
  }
}
