// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// `apus flv` on the fixtures; the values are ffprobe's or those of the programs that wrote the files.
struct FlvTests {
  @Test(arguments: [
    ("flv show $F/enhanced.flv", "FLV version 1, announces pictures and sound"),
    ("flv show $F/enhanced.flv", "HEVC enhanced IDR_N_LP key +80 ms"),
    ("flv show $F/enhanced.flv", "videocodecid = 1752589105"),
    ("flv show $F/legacy.flv", "HEVC legacy configuration"),
    ("flv show $F/avc.flv", "AVC configuration"),
    ("flv show $F/sounds.flv", "track 2 Opus enhanced"),
    ("flv show $F/many-tracks.flv", "; track 1 HEVC enhanced"),
    ("flv show $F/nanoseconds.flv", "+500000 ns"),
    ("flv show --json $F/enhanced.flv", #""key":true,"picture":"IDR_N_LP""#),
    ("flv show --json --first 1 $F/enhanced.flv", #""script":["onMetaData",{"duration":0.48,"#),
    ("flv check $F/enhanced.flv", "33 tags, 0.475 s, nothing found"),
    ("flv check $F/enhanced.flv", "track 0, HEVC, enhanced, 10 frames, 2 key frames"),
    ("flv check $F/legacy.flv", "dialect-legacy at byte 0"),
    ("flv check --json $F/legacy.flv", #""rule":"dialect-legacy","severity":"note""#),
    ("flv check --rules", "time-falls  error"),
    ("hvcc show $F/legacy.flv", "track 0  @387  109 bytes  hvc1.1.6.L30.90"),
    ("hvcc check $F/enhanced-hdr10.flv", "1 record, nothing found"),
  ])
  func `it says`(_ command: String, _ expected: String) throws {
    let (output, status) = try bash("apus \(command)")
    #expect(status == 0)
    #expect(output.contains(expected), "\(output.prefix(2000))")
  }

  @Test(arguments: ["show", "check", "convert -o new.flv"])
  func `it refuses other files`(_ verb: String) throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      "cd \(folder.path.shellQuoted); apus flv \(verb) $F/hvc1.mp4 2>&1")
    #expect(status == 1)
    #expect(output.contains("is an ISO base media file, not an FLV file"))
  }

  @Test func `it converts to either dialect and back`() throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path.shellQuoted)
      apus flv convert $F/enhanced.flv -o legacy.flv --dialect legacy
      apus flv convert legacy.flv -o enhanced.flv --dialect enhanced
      apus flv convert enhanced.flv -o again.flv --dialect legacy
      cmp legacy.flv again.flv
      apus flv convert legacy.flv -o legacy.flv --dialect legacy
      apus flv check --quiet enhanced.flv
      """)
    #expect(status == 0)
    #expect(output.contains("nothing found"))
    #expect(output.contains("HEVC, enhanced, 10 frames, 2 key frames"))
  }

  @Test func `it says what it mended`() throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path.shellQuoted)
      head -c 4000 $F/enhanced.flv > cut.flv
      apus flv check cut.flv && echo sound
      apus flv convert cut.flv -o whole.flv 2>&1
      apus flv check whole.flv
      """)
    #expect(status == 0)
    #expect(!output.contains("sound\n"))
    #expect(output.contains("the file ends inside a tag, which is left out"))
    #expect(output.contains("error the last tag announces"))
  }

  /// AVC is what the ffmpeg of Debian reads; HEVC is held against FFmpeg's own tags elsewhere.
  @Test func `it leaves every packet as it is`() throws {
    let folder = try TestFolder()
    let (_, status) = try bash(
      "cd \(folder.path.shellQuoted); apus flv convert $F/avc.flv -o new.flv")
    #expect(status == 0)
    #expect(
      try Fixture.packets(folder.path + "/new.flv") == Fixture.packets(Fixture.folder + "avc.flv"))
    #expect(
      try Fixture.frames(folder.path + "/new.flv") == Fixture.frames(Fixture.folder + "avc.flv"))
  }
}
