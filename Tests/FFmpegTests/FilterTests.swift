// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusSamples
import TestSupport
import Testing

@Suite struct FilterTests {
  /// `ffmpeg -i avc1.mp4 -vf FILTER -fps_mode passthrough -f md5 -`, and the lines of `-f framemd5`.
  @Test(
    arguments: [
      ("", 10, "f46a4fec736a2889ac668518b025f316"),
      ("crop=40:30:6:4", 10, "455743e5aebb4344f54be46631bcc635"),
      ("scale=32:24:flags=bitexact+accurate_rnd", 10, "1abb696214212536f9bb9c4fdd44628b"),
      (
        "scale=128:-2:flags=bitexact+accurate_rnd,format=yuv422p10le", 10,
        "3879d0e58b88b34115c50a7534dce182"
      ),
      ("fps=50", 20, "eb2e2bc7788b7b0a2979654825b2d1ce"),
      ("fps=30000/1001", 12, "8a62353dc7ae7536427b7e6d59cb3eb1"),
      ("yadif=0:0:0", 10, "96787f39b30282dd18c0bcdcf2356d2c"),
      ("hflip,vflip", 10, "86fbf48dc5eea8757e473f45c1dbfe7e"),
      ("eq=brightness=0.1", 10, "f50b28f77dc8bc9d285c9b598c8c6f51"),
      ("split[a][b];[b]hflip[c];[a][c]hstack", 10, "acc60f38546c847842854a2b44a60fa4"),
    ] as [(String, Int, String)])
  func `it filters pictures`(_ row: (filter: String, count: Int, sum: String)) throws {
    let pictures = try filtered(CodedClip("avc1.mp4").pictures(), VideoFilter(row.filter))
    #expect(pictures.count == row.count)
    #expect(sum(pictures) == row.sum)
  }

  private func filtered(_ input: [VideoFrame], _ filter: VideoFilter) throws -> [VideoFrame] {
    var output: [VideoFrame] = []
    for picture in input {
      try filter.push(picture)
      while let picture = try filter.next() { output.append(picture) }
    }
    try filter.finish()
    while let picture = try filter.next() { output.append(picture) }
    return output
  }

  @Test
  func `it times pictures exactly where it changes their rate`() throws {
    let filter = try VideoFilter("fps=30000/1001")
    let pictures = try filtered(CodedClip("avc1.mp4").pictures(), filter)
    #expect(filter.frameRate == Fraction(30000, 1001))
    for (index, picture) in pictures.enumerated() {
      #expect(picture.time == RationalTime(Int64(index) * 1001, per: 30000))
      #expect(picture.duration == 1001)
    }
  }

  @Test
  func `it keeps times and durations otherwise`() throws {
    let pictures = try CodedClip("avc1.mp4").pictures()
    let output = try filtered(pictures, VideoFilter("scale=32:24"))
    #expect(output.map(\.time) == pictures.map(\.time))
    #expect(output.map(\.duration) == pictures.map(\.duration))
    #expect(output.allSatisfy { $0.duration > 0 })
  }

  @Test
  func `it gives the pixel formats that are wanted, with the same colour`() throws {
    let pictures = try CodedClip("hdr10.mp4").pictures()
    let output = try filtered(pictures, VideoFilter("", pixelFormats: ["yuv420p", "nv12"]))
    #expect(output.allSatisfy { $0.pixelFormat == "yuv420p" })
    #expect(output.last?.traits == pictures.last?.traits)
  }

  @Test
  func `it goes on with pictures of another size`() throws {
    let small = try CodedClip("avc1.mp4").pictures()
    let large = try CodedClip("slices.mp4").pictures()
    let moved = try large.map { try $0.moved(to: RationalTime(1, per: 1), duration: 1) }
    let output = try filtered(small + moved, VideoFilter("hflip"))
    #expect(output.map(\.height) == small.map(\.height) + [192])
  }

  @Test(
    arguments: [
      ("nosuchfilter", "nosuchfilter"), ("scale=-5:nonsense=1", "nonsense"), ("[a]", "refused"),
      ("split", "one input and one output"), ("scale=10:", "scale"), ("testsrc", "one input"),
    ])
  func `it refuses a description that is none`(_ row: (description: String, words: String)) throws {
    let error = #expect(throws: MediaError.self) { try VideoFilter.check(row.description) }
    #expect(error?.message.contains(row.words) == true, "\(error?.message ?? "")")
  }

  @Test(
    arguments: [
      "movie=a.mp4[x];[in][x]overlay", "null,movie=a.mp4,null", "m\\ovie=a", "'movie'=a",
      "null[a];[a]zmq", " lut3d=a.cube", "sendcmd=f=a", "subtitles@x=a.srt",
      "sws_flags=bicubic;movie=a", "curves=psfile=a.acv", "metadata=print:a:b:same_str:1:o.txt",
      "drawtext=a.ttf:text=b", "psnr=a.log", "metadata=mode=print:fi\\le=a",
      "fsync=a", "split[a][b];[a][b]xpsnr=a.log", "split[a][b];[a][b]ssim360=f=a.log",
    ])
  func `it opens no file, device or connection`(_ description: String) throws {
    let error = #expect(throws: MediaError.self) { try VideoFilter.check(description) }
    #expect(error?.message.contains("is refused: it opens") == true, "\(error?.message ?? "")")
    #expect(throws: MediaError.self) { try VideoFilter(description) }
  }

  @Test(
    arguments: ["curves=vintage", "metadata=mode=add:key=movie:value=x", "drawtext=text=movie"])
  func `it takes what only looks like that`(_ description: String) throws {
    try VideoFilter.check(description)
  }

  @Test
  func `it resamples sound and cuts it into frames`() throws {
    let sounds = try CodedClip("edit-list.mp4", .audio).sounds()
    var output = AudioFilter.Output()
    output.sampleFormat = "s16"
    output.sampleRate = 22050
    output.channelLayout = "stereo"
    output.frameSize = 1000
    let filter = try AudioFilter("volume=0.5", output: output)
    var frames: [AudioFrame] = []
    for sound in sounds { try filter.push(sound) }
    try filter.finish()
    while let frame = try filter.next() { frames.append(frame) }
    let samples = sounds.reduce(0) { $0 + $1.sampleCount }
    #expect(sounds.allSatisfy { $0.sampleRate == 44100 && $0.sampleFormat == "fltp" })
    #expect(frames.allSatisfy { $0.channelLayout == "stereo" && $0.sampleFormat == "s16" })
    #expect(frames.dropLast().allSatisfy { $0.sampleCount == 1000 })
    #expect(abs(frames.reduce(0) { $0 + $1.sampleCount } - samples / 2) <= 16)
    for (before, after) in zip(frames, frames.dropFirst()) {
      #expect(after.time.value - before.time.value == 1000)
    }
  }

  @Test
  func `it refuses a description for sound that is none`() throws {
    #expect(throws: MediaError.self) { try AudioFilter.check("scale=10:10") }
    #expect(throws: MediaError.self) { try AudioFilter.check("amovie=a.wav") }
    #expect(throws: MediaError.self) { try AudioFilter.check("nosuchfilter") }
  }
}
