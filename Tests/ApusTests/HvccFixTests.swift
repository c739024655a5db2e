// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import TestSupport
import Testing

@testable import ApusCommand

/// What `apus hvcc fix` does to whole files, seen through ffmpeg.
struct HvccFixTests {
  @Test(arguments: [
    ("hev1.mp4", "--entry hvc1", "hvc1"), ("hev1-10bit.mp4", "--entry hvc1", "hvc1"),
    ("hvc1.mp4", "--entry hev1", "hev1"), ("fragmented.mp4", "--entry hev1", "hev1"),
  ])
  func `it retags in place`(_ name: String, _ options: String, _ tag: String) throws {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let original = Fixture.folder + name
    let (output, status) = try bash(
      """
      cd \(folder.path) && cp \(original.shellQuoted) new && apus hvcc fix new \(options) --dry-run &&
      echo -- && apus hvcc fix new \(options) --in-place && cmp -l \(original.shellQuoted) new |
        awk '{ print $1 - 1 }'; echo --
      ffprobe -v error -select_streams v -show_entries stream=codec_tag_string -of csv=p=0 new
      """)
    #expect(status == 0)
    let parts = output.split(separator: "--\n").map { $0.split(separator: "\n") }
    try #require(parts.count == 3)
    let named = parts[0].flatMap { line -> [Int] in
      let words = line.split(separator: " ")
      guard let start = Int(words[1].dropLast()) else { return [] }
      return Array(start..<start + words[2].count / 2)
    }
    #expect(named == parts[1].compactMap { Int($0) })
    // The type differs in two bytes; hvc1 also promises that the three arrays are complete.
    #expect((2...5).contains(named.count))
    #expect(parts[2] == [tag[...]])
    #expect(try Fixture.frames(folder.file("new")) == Fixture.frames(original))
  }

  /// ffmpeg leaves the parameter sets of a byte stream in the samples of `hev1`.
  @Test(arguments: [
    "", "-movflags +faststart", "-movflags +frag_keyframe+empty_moov",
    "-movflags +frag_keyframe+empty_moov+default_base_moof+global_sidx",
    "-movflags +frag_keyframe+empty_moov+omit_tfhd_offset",
  ])
  func `it moves sets out of the samples`(_ options: String) throws {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && ffmpeg -v error -i "$F"stream.hevc -i "$F"hvc1.mp4 \
        -map 0 -map 1 -c copy -tag:v hev1 \(options) in.mp4 &&
      apus hvcc fix in.mp4 --entry hvc1 -o no.mp4 2>&1; [[ ! -e no.mp4 ]] &&
      apus hvcc fix in.mp4 --entry hvc1 --sets record -o out.mp4 2>&1 &&
      ffmpeg -v error -i out.mp4 -map 0 -c copy -bsf:v trace_headers -f null - 2>&1
      """)
    #expect(status == 0, "\(output)")
    #expect(output.contains("--sets record moves them"))
    let frames = try Fixture.frames(folder.file("in.mp4"))
    #expect(try Fixture.frames(folder.file("out.mp4")) == frames)
    let broken = try Fixture.brokenIndexes(folder.file("in.mp4"))
    #expect(try Fixture.brokenIndexes(folder.file("out.mp4")).count == broken.count)
    // The samples are those that ffmpeg leaves when it takes the sets out itself.
    let (bytes, _) = try bash(
      """
      cd \(folder.path) && for file in in out; do
        ffmpeg -v error -i $file.mp4 -map 0:0 -c copy -bsf:v filter_units=remove_types=32-34 -f hevc - |
          sha256sum
      done | sort -u | wc -l
      """)
    #expect(bytes == "1\n")
  }

  /// Records whose arrays are not as the standard has them, made of one that ffmpeg wrote, which comes back.
  @Test(arguments: ArrayFault.allCases)
  func `it puts sets into the arrays of their types`(_ fault: ArrayFault) throws {
    let folder = try TestFolder()
    let source = try FileSource(Fixture.folder + "hvc1.mp4")
    let original = try source.bytes(in: 0..<source.count)
    let output = try FileOutput(folder.file("in.mp4"), onExists: .replace)
    let faulty = try fault.applied(to: original)
    try output?.writer.write(faulty.span)
    try output?.commit()
    let (said, status) = try bash(
      """
      cd \(folder.path) && apus hvcc check in.mp4 | grep -q ': 1 record, nothing found' && exit 9
      apus hvcc fix in.mp4 -o out.mp4 2>&1 && cmp out.mp4 "$F"hvc1.mp4 && apus hvcc check out.mp4
      """)
    #expect(status == 0, "\(said)")
    #expect(!said.contains("is not changed"))
  }

  /// libheif 1.15 writes only the first of the six bytes of constraint flags.
  @Test func `it makes fields from the sets`() throws {
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && apus hvcc fix "$F"still-64x48.heic -o out.heic &&
      apus hvcc fix out.heic --dry-run; echo $?;
      apus hvcc show out.heic | grep general_constraint
      """)
    #expect(status == 0)
    #expect(output.contains("nothing changes\n3\n"))
    #expect(output.contains("0x900000000000"))
  }

  @Test(arguments: [
    ("avc1.mp4", "", "has no HEVC configuration record"),
    ("empty.mp4", "--entry hvc1", "neither the record nor the samples have a VPS"),
    ("twice.mp4", "--entry hvc1 --sets record", "changes mid-stream"),
    ("stream.mp4", "--sets copy --entry hvc1", "hvc1 does not allow parameter sets in samples"),
  ])
  func `it refuses what would not be legal`(_ name: String, _ options: String, _ reason: String)
    throws
  {
    try #require(isInstalled("ffmpeg"))
    let folder = try TestFolder()
    let (output, status) = try bash(
      """
      cd \(folder.path) && cp "$F"avc1.mp4 . &&
      apus edit "$F"hev1.mp4 --extract \(Self.record) > record &&
      tail -c +9 record | head -c 22 > body && printf '\\0' >> body &&
      apus edit "$F"hev1.mp4 --replace-body \(Self.record)=body -o empty.mp4 &&
      ffmpeg -v error -i "$F"stream.hevc -c copy -tag:v hev1 stream.mp4 &&
      ffmpeg -v error -i "$F"hvc1.mp4 -vf scale=96:64 -c:v libx265 \
        -x265-params log-level=none:pools=none:frame-threads=1 -f hevc other.hevc &&
      cat "$F"stream.hevc other.hevc > twice.hevc &&
      ffmpeg -v error -i twice.hevc -c copy -tag:v hev1 twice.mp4 &&
      apus hvcc fix \(name) \(options) -o out.mp4 2>&1
      """)
    #expect(status == 1, "\(output)")
    #expect(output.contains(reason), "\(output)")
  }

  private static let record = "moov/trak/mdia/minf/stbl/stsd/hev1/hvcC"
}
