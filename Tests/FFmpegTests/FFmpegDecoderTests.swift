// SPDX-License-Identifier: MIT

import ApusFFmpeg
import ApusMedia
import TestSupport
import Testing

@Suite struct FFmpegDecoderTests {
  private let checks = DecoderChecks { try FFmpegDecoder(salvaging: $0) }

  @Test(arguments: DecoderChecks.forms)
  func `it decodes every chroma form and depth`(_ form: (track: UInt32, chroma: Chroma, depth: Int))
    throws
  {
    try checks.form(form.track, form.chroma, form.depth)
  }

  @Test(arguments: DecoderChecks.frames)
  func `it finds a frame among those that it is predicted from`(
    _ row: (file: String, sums: [UInt32])
  ) throws {
    try checks.frames(of: row.file, row.sums)
  }

  @Test(arguments: Damage.all)
  func `it refuses what is not whole`(_ damage: Damage) throws { try checks.refuses(damage) }

  @Test(arguments: Damage.all)
  func `it hands over what is left`(_ damage: Damage) throws { try checks.salvages(damage) }

  /// `ffmpeg -i avc1.mp4 -fps_mode passthrough -f framecrc -`; `-c:v libaom-av1` for AV1.
  @Test(
    arguments: [
      ("avc1.mp4", 0, 0x6d39_662f), ("avc1.mp4", 9, 0x72ba_6862), ("av01.mp4", 0, 0x95c3_6a68),
    ] as [(String, Int, UInt32)])
  func `it decodes H.264 and AV1`(_ file: String, _ frame: Int, _ sum: UInt32) throws {
    let planes = try DecodedPlanes(CodedFixture.frame(frame, in: file), by: FFmpegDecoder())
    #expect(planes.frameCRC == sum)
  }

  @Test
  func `it refuses an H.264 picture that lost part of its slice`() throws {
    var picture = try CodedFixture.frame(in: "avc1.mp4")
    let last = picture.units.count - 1
    picture.units[last].removeLast(picture.units[last].count / 2)
    let (handed, error) = try DecodedPlanes.salvaged(picture, by: FFmpegDecoder())
    #expect(handed.isEmpty)
    #expect(error != nil)
  }

  @Test
  func `it decodes the same with several threads`() throws {
    let picture = try CodedFixture.frame(in: "slices.mp4")
    let planes = try DecodedPlanes(picture, by: FFmpegDecoder(threads: 2))
    #expect(try planes == DecodedPlanes(picture, by: FFmpegDecoder()))
  }

  @Test
  func `it allocates no more than it is allowed`() throws {
    var picture = try CodedFixture.frame(in: "slices.mp4")
    picture.pixelLimit = 64 * 191
    let (handed, error) = try DecodedPlanes.salvaged(picture, by: FFmpegDecoder(salvaging: true))
    #expect(handed.isEmpty)
    #expect(error != nil)
  }

  @Test(arguments: [false, true])
  func `it passes on what the caller throws, and hands over nothing more`(_ salvaging: Bool) throws
  {
    let picture = try CodedFixture.frame(in: "slices.mp4")
    let refusal = MediaError(.misuse, "not this one")
    var count = 0
    #expect(throws: refusal) {
      try unsafe FFmpegDecoder(salvaging: salvaging).decode(picture) { _ throws(MediaError) in
        count += 1
        throw refusal
      }
    }
    #expect(count == 1)
  }

  @Test
  func `it names a codec that it does not know`() throws {
    let picture = CodedPicture(codec: .item("j2k1"), samples: [[0]])
    #expect(throws: MediaError(.unsupported, "JPEG 2000 cannot be decoded by this libavcodec")) {
      try DecodedPlanes(picture, by: FFmpegDecoder())
    }
  }
}
