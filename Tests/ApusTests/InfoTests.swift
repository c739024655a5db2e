// SPDX-License-Identifier: MIT

import ApusFacts
import Testing

@testable import ApusCommand

struct InfoTests {
  @Test(arguments: [
    ("apus info hvc1.mp4", 0, ["hvc1.1.6.L30.90, 64x48, 25 fps, 33.7 kbit/s", "2 I, 2 P, 6 B"]),
    ("apus info hev1.mp4", 0, ["the sample entry is hev1, not hvc1"]),
    ("apus info hvc1.mp4 grid.heic", 0, ["hvc1.mp4\n", "grid.heic\n", "made of      4 pictures"]),
    ("apus info malformed/stts-count.mp4", 0, ["error moov/trak/mdia/minf/stbl/stts at byte"]),
    ("apus info a.png 2>&1", 1, ["cannot open a.png"]),
    ("apus info README.md 2>&1", 1, ["README.md has a format that neither Apus"]),
    ("apus info enhanced.flv", 0, ["track 1 video  hvc1.1.6.L30.90, 64x48", "key frame"]),
    ("COLUMNS=14 apus info --gop hvc1.mp4", 0, ["IPBBIBBP\n         ^   ^\n       8 "]),
    ("apus info --measure hvc1.mp4", 0, ["HEVC video: decodable: yes by hevc (libavcodec"]),
    ("apus info --measure grid.heic", 0, ["picture: decodable: yes\n"]),
    ("apus info --measure malformed/cycle.heic", 0, ["picture: decodable: no; "]),
    (
      "apus info --measure --json photo.heic", 0,
      [#""measured":[{"track":"picture","decodable":"yes""#]
    ),
    (
      "apus info portrait.heic", 0,
      ["a Live Photo or motion photo; hdr; depth; live; unknown: panorama, burst"]
    ),
    (
      "apus info --json burst.heic", 0,
      [#""media":"image","playback":"image","traits":{"hdr":"no","depth":"no","live":"unknown""#]
    ),
    ("apus info --gop stream.hevc", 0, ["IIBBPB\n         ^^\n"]),
  ])
  func `it prints`(_ script: String, _ status: Int32, _ parts: [String]) throws {
    let result = try bash("cd \"$F\" && \(script)")
    #expect(result.status == status)
    for part in parts { #expect(result.output.contains(part), "\(result.output)") }
  }

  @Test(arguments: [
    (4.5, "4.5 s"), (59.9996, "60 s"), (62.04, "1:02.0"), (3723.44, "1:02:03.4"),
  ])
  func `it writes times`(_ value: Double, _ text: String) { #expect(Quantity.time(value) == text) }
}
