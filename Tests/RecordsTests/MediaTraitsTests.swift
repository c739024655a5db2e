// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusRecords
import Testing

@Suite struct MediaTraitsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var file: String
    var kind: MediaTraits.Kind
    var playback: MediaTraits.Playback
    /// Answers that are yes.
    var yes: Set<String> = []
    /// Questions that the file cannot answer.
    var unknown: Set<String> = []
    var testDescription: String { file }
  }

  @Test(
    arguments: [
      Row(
        file: "portrait.heic", kind: .image, playback: .livePhoto, yes: ["hdr", "depth", "live"],
        unknown: ["panorama", "burst"]),
      Row(
        file: "burst.heic", kind: .image, playback: .image, yes: ["burst"],
        unknown: ["live", "panorama"]),
      Row(
        file: "still-pq.heic", kind: .image, playback: .image, yes: ["hdr"],
        unknown: ["live", "panorama", "burst"]),
      Row(
        file: "motion.jpg", kind: .image, playback: .livePhoto, yes: ["hdr", "live"],
        unknown: ["panorama", "burst"]),
      Row(
        file: "samsung.jpg", kind: .image, playback: .livePhoto, yes: ["live"],
        unknown: ["panorama", "burst"]),
      Row(
        file: "sequence.heics", kind: .image, playback: .animated,
        unknown: ["hdr", "depth", "live", "panorama", "burst"]),
      Row(file: "hvc1.mp4", kind: .video, playback: .video, unknown: ["live"]),
      Row(file: "hdr10.mp4", kind: .video, playback: .video, yes: ["hdr"], unknown: ["live"]),
      Row(
        file: "enhanced.flv", kind: .video, playback: .video,
        unknown: ["hdr", "depth", "live", "high_frame_rate"]),
      Row(
        file: "camera.xmp", kind: .other, playback: .unsupported,
        unknown: ["hdr", "depth", "live", "panorama", "burst", "high_frame_rate"]),
    ])
  func `it answers what a file can say, and no more`(row: Row) throws {
    let traits = try Overview(of: Fixture.source(row.file)).traits
    #expect(traits.kind == row.kind)
    #expect(traits.playback == row.playback)
    #expect(Set(traits.answers.filter { $0.answer == .yes }.map(\.name)) == row.yes)
    #expect(Set(traits.answers.filter { $0.answer == .unknown }.map(\.name)) == row.unknown)
  }
}
