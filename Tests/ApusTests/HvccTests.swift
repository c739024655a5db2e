// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

/// `apus hvcc` on the fixtures; the values are ffprobe's, the seed's or the standard's.
struct HvccTests {
  private func run(_ script: String, in folder: TestFolder? = nil) throws -> (
    output: String, status: Int32
  ) {
    let place = folder.map { "cd \($0.path.shellQuoted); " } ?? ""
    return try bash("\(place)\(script)")
  }

  @Test(arguments: [
    ("hvcc show $F/hvc1.mp4", "track 1  hvc1.1.6.L30.90"),
    ("hvcc show $F/hvc1.mp4", "Main, Main tier, level 1.0, 4:2:0, 8 bits, 64x48"),
    ("hvcc show $F/hvc1.mp4", "vui_parameters.vui_time_scale = 25"),
    ("hvcc show --hex $F/hvc1.mp4", "0f [00......]            constantFrameRate = 0"),
    ("hvcc show $F/stream.hevc", "stream  109 bytes  hvc1.1.6.L30.90"),
    (
      "hvcc show --json $F/hvc1.mp4",
      #""used_by":["track 1"],"entry":"hvc1","codec_string":"hvc1.1.6.L30.90""#
    ),
    (
      "hvcc show --json $F/hvc1.mp4",
      #""fields":{"configurationVersion":1,"general_profile_space":0"#
    ),
    (
      "hvcc show --json $F/hvc1.mp4",
      #""arrays":[{"array_completeness":1,"NAL_unit_type":32,"name":"VPS_NUT","nalus":[{"size":24,"hex":"40010c01"#
    ),
    ("hvcc show --json $F/hvc1.mp4", #""syntax":{"nal_unit_header":{"forbidden_zero_bit":0"#),
    ("hvcc show --json $F/still-64x48.heic", #""used_by":["item 1"],"entry":"hvc1""#),
    ("hvcc show $F/avc1.mp4", "stsd/avc1/avcC  @2510  45 bytes  track 1  avc1.64000A"),
    (
      "hvcc show $F/avc1.mp4",
      "High, level 1.0, 4:2:0, 8 bits, 64x48, 25 frames per second\n  configurationVersion = 1"
    ),
    ("hvcc show $F/avc1.mp4", "\n      num_ref_idx_l0_default_active_minus1 = 2\n"),
    ("hvcc show $F/avc1.mp4", "\n  chroma_format = 1\n"),
    (
      "hvcc show --hex $F/avc1.mp4",
      "000009d3  e1 [...00001]            numOfSequenceParameterSets"
    ),
    (
      "hvcc show --hex $F/avc1.mp4",
      "000009d6  67 [...00111]            nal_unit_header.nal_unit_type"
    ),
    (
      "hvcc show --json $F/avc1.mp4",
      #""used_by":["track 1"],"entry":"avc1","codec_string":"avc1.64000A","size":45,"bytes":"0164000a"#
    ),
    (
      "hvcc show --json $F/avc1.mp4",
      #""arrays":[{"NAL_unit_type":7,"name":"sequenceParameterSets","nalus":[{"size":24,"hex":"6764"#
    ),
    ("hvcc show --json $F/avc1.mp4", #""syntax":{"nal_unit_header":{"forbidden_zero_bit":0"#),
    ("hvcc show $F/avc.flv", "track 0  @503  45 bytes  avc1.64000A"),
    ("hvcc show $F/cenc.mp4", "stsd/encv/avcC"),
    ("hvcc check --rules", "length-size  error  14496-15, 8.3.2.1.3"),
    ("hvcc check $F/hvc1.mp4", "1 record, nothing found"),
    ("hvcc check --json $F/hev1.mp4", #""rule":"apple-entry","clause":"#),
  ])
  func `it says`(_ command: String, _ expected: String) throws {
    let (output, status) = try run("apus \(command)")
    #expect(status == 0)
    #expect(output.contains(expected), "\(output.prefix(2000))")
  }

  /// The record that every reader of this format should agree on: Main, level 4.0.
  @Test func `it reads the seed vector`() throws {
    let folder = try TestFolder()
    let script = #"""
      printf '\001\001\140\0\0\0\260\0\0\0\0\0\170\360\0\374\375\370\370\0\0\017\0' > seed.bin
      apus hvcc show seed.bin
      """#
    let (output, status) = try run(script, in: folder)
    #expect(status == 0)
    #expect(output.contains("hvc1.1.6.L120.B0"))
    #expect(output.contains("Main, Main tier, level 4.0"))
  }

  @Test func `it writes record and sets and builds them again`() throws {
    let folder = try TestFolder()
    let script = """
      apus hvcc show --raw record.bin --annexb sets.hevc $F/hvc1.mp4 || exit 1
      tail -c +3967 $F/hvc1.mp4 | head -c 109 | cmp - record.bin || exit 2
      apus hvcc build sets.hevc -o built.bin || exit 3
      apus hvcc diff record.bin built.bin; echo $?
      apus hvcc diff built.bin built.bin; echo $?
      """
    let (output, status) = try run(script, in: folder)
    #expect(status == 0)
    // ffmpeg leaves the frame rate unsaid.
    #expect(
      output
        == "avgFrameRate: 0 → 6400\nsame codec string: hvc1.1.6.L30.90\n1\n0\n")
  }

  /// FFmpeg finds the profile and the size in the sets that are written.
  @Test func `it writes record and sets of H.264`() throws {
    let folder = try TestFolder()
    let script = """
      apus hvcc show --raw record.bin --annexb sets.h264 $F/avc1.mp4 || exit 1
      tail -c +2511 $F/avc1.mp4 | head -c 45 | cmp - record.bin || exit 2
      apus hvcc show record.bin | head -1
      ffmpeg -v quiet -i $F/avc1.mp4 -c copy -bsf:v 'h264_mp4toannexb,filter_units=pass_types=7|8' \
        -frames:v 1 -f h264 expected.h264
      cmp sets.h264 expected.h264 && echo same
      """
    let (output, status) = try run(script, in: folder)
    #expect(status == 0)
    #expect(output == "file  @0  45 bytes  avc1.64000A\nsame\n")
  }

  /// Tracks of both codecs in one file: every record is shown, and one has to be named to be written.
  @Test func `it shows records of both codecs`() throws {
    let folder = try TestFolder()
    let script = """
      ffmpeg -v error -i $F/avc1.mp4 -i $F/hvc1.mp4 -map 0:v -map 1:v -c copy both.mp4 || exit 1
      apus hvcc show both.mp4 | grep -o '^moov.*C '
      apus hvcc show --raw record.bin both.mp4 2>&1; echo $?
      apus hvcc show --track 1 --raw record.bin both.mp4; echo $?
      apus hvcc show record.bin | head -1
      """
    let (output, _) = try run(script, in: folder)
    #expect(
      output == """
        moov/trak[1]/mdia/minf/stbl/stsd/hvc1/hvcC 
        moov/trak/mdia/minf/stbl/stsd/avc1/avcC 
        apus: error: both.mp4: has 2 different records (track 2; track 1); \
        select one with --track or --item
        1
        0
        file  @0  45 bytes  avc1.64000A

        """)
  }

  @Test func `it says which record of H.264 cannot be read`() throws {
    let folder = try TestFolder()
    let script = """
      cp $F/avc1.mp4 bad.mp4
      printf '\\177' | dd of=bad.mp4 bs=1 seek=2516 conv=notrunc 2>/dev/null
      apus hvcc show bad.mp4 2>&1; echo $?
      apus hvcc check bad.mp4 2>&1; echo $?
      """
    let (output, _) = try run(script, in: folder)
    #expect(output.contains("stsd/avc1/avcC at byte 2518: nalUnit needs 32536 bytes, has 37"))
    #expect(output.contains("bad.mp4: has no HEVC configuration record\n1\n"))
  }

  @Test func `it builds from sets in files of their own`() throws {
    let folder = try TestFolder()
    let script = """
      apus hvcc show --raw record.bin $F/hvc1.mp4
      head -c 52 record.bin | tail -c 24 > vps.bin
      head -c 98 record.bin | tail -c 41 > sps.bin
      tail -c 6 record.bin > pps.bin
      apus hvcc build pps.bin sps.bin vps.bin sps.bin --length-size 2 -o built.bin 2>&1
      apus hvcc diff record.bin built.bin
      apus hvcc build vps.bin pps.bin -o none.bin 2>&1; echo $?; ls none.bin 2>&1
      apus hvcc build vps.bin --length-size 3 -o none.bin 2>&1; echo $?
      """
    let (output, _) = try run(script, in: folder)
    #expect(output.contains("apus: left out: SPS 0 is given more than once; it is kept once"))
    #expect(output.contains("lengthSizeMinusOne: 3 → 1"))
    #expect(output.contains("cannot build a record: SPS is missing for the base layer\n1\n"))
    #expect(output.contains("cannot access 'none.bin'"))
    #expect(output.contains("--length-size is 3, expected 1, 2 or 4"))
  }

  @Test(arguments: [
    ("hvcc diff $F/hvc1.mp4 $F/hev1-10bit.mp4", 1, "codec strings differ: hvc1.1.6.L30.90 and"),
    ("hvcc diff --json $F/hvc1.mp4 $F/hvc1.mp4", 0, #"{"same":true"#),
    ("hvcc diff $F/hvc1.mp4 $F/avc1.mp4", 1, "avc1.mp4: has no HEVC configuration record"),
    ("hvcc check $F/avc1.mp4", 1, "has no HEVC configuration record"),
    ("hvcc show $F/av01.mp4", 1, "has no HEVC or H.264 configuration record"),
    ("hvcc show $F/README.md", 1, "configuration records exist in"),
    ("hvcc show --raw x $F/hvc1.mp4 $F/hev1.mp4", 2, "--raw and --annexb take one FILE"),
    ("hvcc build $F/stream.hevc", 2, "no output: use -o OUT"),
    ("hvcc show --track 2 $F/hvc1.mp4", 1, "has no such configuration record"),
  ])
  func `it ends with its status`(_ command: String, _ expected: Int32, _ message: String) throws {
    let (output, status) = try run("apus \(command) 2>&1")
    #expect(status == expected)
    #expect(output.contains(message), "\(output)")
  }

  @Test func `it ends with one where there are errors`() throws {
    let folder = try TestFolder()
    let script = """
      apus hvcc show --raw record.bin $F/hvc1.mp4
      # byte 21: lengthSizeMinusOne becomes 2
      printf '\\016' | dd of=record.bin bs=1 seek=21 conv=notrunc 2>/dev/null
      apus hvcc check record.bin
      """
    let (output, status) = try run(script, in: folder)
    #expect(status == 1)
    #expect(output.contains("error file: lengthSizeMinusOne is 2 instead of 0, 1 or 3"))
    #expect(output.contains("length-size (14496-15, 8.3.2.1.3) at byte 21"))
    #expect(output.contains("fix: write the samples with lengths of 4 bytes"))
  }
}
