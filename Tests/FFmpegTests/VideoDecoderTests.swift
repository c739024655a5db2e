// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusSamples
import TestSupport
import Testing

@Suite struct VideoDecoderTests {
  /// `ffmpeg -i FILE -map 0:v:0 -fps_mode passthrough -f md5 -`, and the lines of `-f framemd5`.
  static let files: [(name: String, count: Int, sum: String)] = [
    ("hvc1.mp4", 10, "9902fe4741d66a5d7ed070cf7c8594d9"),
    ("hev1.mp4", 10, "9902fe4741d66a5d7ed070cf7c8594d9"),
    ("hvc1-10bit.mp4", 10, "a27ce4c25ffeedf8b8d849a760839ba8"),
    ("hev1-10bit.mp4", 10, "80bd28910b2849733f31a7ee7c365323"),
    ("slices.mp4", 1, "5c6c5dc5c0640c75d5cb3ea77e64cf43"),
    ("avc1.mp4", 10, "f46a4fec736a2889ac668518b025f316"),
    ("av01.mp4", 1, "de9751ee586a10166afc691642b3fed2"),
    ("hdr10.mp4", 10, "cdea167e8d11387b399e902c91c39599"),
    ("stream.hevc", 6, "8e8ffecf0690d21db7cd0b71a2596151"),
  ]

  @Test(arguments: files, [0, 1, 3])
  func `it decodes every picture in its order`(
    _ row: (name: String, count: Int, sum: String), threads: Int
  ) throws {
    let clip = try CodedClip(row.name)
    var options = DecoderOptions()
    options.threads = threads
    let pictures = try clip.pictures(options)
    #expect(pictures.count == row.count)
    #expect(sum(pictures) == row.sum)
    let times = clip.samples.map(\.presentationTime.value).sorted()
    #expect(pictures.map(\.time.value) == times)
  }

  @Test
  func `it decodes again after it was restarted`() throws {
    let row = Self.files[0]
    let clip = try CodedClip(row.name)
    let decoder = try VideoDecoder(clip.stream)
    _ = try clip.pictures(by: decoder)
    decoder.restart()
    #expect(try sum(clip.pictures(by: decoder)) == row.sum)
  }

  @Test(arguments: ["hdr10.mp4", "hdr10-boxes.mp4"])
  func `it says what samples mean`(_ name: String) throws {
    let picture = try #require(CodedClip(name).pictures().first)
    let traits = picture.traits
    #expect(picture.pixelFormat == "yuv420p10le")
    #expect(
      traits.colour
        == ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false))
    #expect(traits.masteringDisplay?.green == .init(13250, 34500))
    #expect(traits.masteringDisplay?.white == .init(15635, 16450))
    #expect(traits.masteringDisplay?.maximumLuminance == 10_000_000)
    #expect(traits.masteringDisplay?.minimumLuminance == 50)
    #expect(traits.contentLight == ContentLight(maximum: 1000, maximumAverage: 400))
    #expect(traits.fields == .progressive)
  }

  @Test
  func `it takes from the container what the stream leaves open`() throws {
    var clip = try CodedClip("hvc1-10bit.mp4")
    clip.traits.colour = ColourDescription(
      primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
    clip.traits.sampleAspect = SampleAspect(4, 3)
    clip.traits.contentLight = ContentLight(maximum: 500, maximumAverage: 200)
    let traits = try #require(clip.pictures().last).traits
    #expect(traits.colour?.primaries == 12)
    #expect(traits.colour?.transfer == 13)
    #expect(traits.sampleAspect == SampleAspect(4, 3))
    #expect(traits.contentLight?.maximumAverage == 200)
  }

  @Test
  func `it begins at a random access point without the pictures that lead it`() throws {
    var clip = try CodedClip("hvc1.mp4")
    let keys = clip.samples.indices.filter { clip.samples[$0].isSync }
    let start = try #require(keys.dropFirst().first)
    let key = clip.samples[start].presentationTime.value
    clip.samples.removeFirst(start)
    #expect(clip.samples.contains { $0.presentationTime.value < key })
    let pictures = try clip.pictures()
    #expect(pictures.first?.time.value == key)
    #expect(sum(pictures) == sum(try CodedClip("hvc1.mp4").pictures().suffix(pictures.count)))
  }

  @Test(
    arguments: ["hvc1.mp4", "avc1.mp4"], [1, 3])
  func `it throws where a picture that others are predicted from is missing, with the time`(
    _ name: String, threads: Int
  ) throws {
    var clip = try CodedClip(name)
    let removed = clip.samples.remove(at: 1)
    let error = #expect(throws: MediaError.self) {
      var options = DecoderOptions()
      options.threads = threads
      _ = try clip.pictures(options)
    }
    #expect(error?.kind == .incomplete || error?.kind == .corrupt)
    let time = try #require(error?.time)
    #expect(abs(time.value - removed.presentationTime.value) <= Int64(time.timescale) / 5)
  }

  @Test(arguments: ["hvc1.mp4", "avc1.mp4"])
  func `it counts damage and goes on when it salvages`(_ name: String) throws {
    var clip = try CodedClip(name)
    clip.samples.remove(at: 1)
    var options = DecoderOptions()
    options.isSalvaging = true
    let decoder = try VideoDecoder(clip.stream, options: options)
    let pictures = try clip.pictures(by: decoder)
    #expect(pictures.count >= 8)
    #expect(decoder.damageCount > 0)
  }

  @Test(arguments: ["hvc1.mp4", "avc1.mp4", "slices.mp4"])
  func `it throws where a slice lost its end`(_ name: String) throws {
    var clip = try CodedClip(name)
    let bytes = try clip.samples[0].payload.bytes()
    clip.samples[0].payload = clip.samples[0].payload.prefix(bytes.count - bytes.count / 4)
    #expect(throws: MediaError.self) { _ = try clip.pictures() }
  }

  @Test
  func `it refuses what it cannot decode`() throws {
    #expect(throws: MediaError.self) { try VideoDecoder(CodedStream("none", timescale: 25)) }
    var options = DecoderOptions()
    options.pixelLimit = 64
    #expect(throws: MediaError.self) { _ = try CodedClip("hvc1.mp4").pictures(options) }
    let clip = try CodedClip("hvc1.mp4")
    let decoder = try VideoDecoder(clip.stream)
    try decoder.finish()
    #expect(throws: MediaError.self) {
      try decoder.send([1, 2, 3], decodeTime: 0, presentationTime: 0)
    }
  }

  @Test
  func `it writes to samples of its own`() throws {
    let clip = try CodedClip("avc1.mp4")
    let pictures = try clip.pictures()
    let picture = pictures[0]
    let kept = try picture.moved(to: RationalTime(7, per: 10), duration: 1)
    try picture.withMutableRows(ofPlane: 1) { row, bytes throws(MediaError) in
      for index in 0..<bytes.byteCount {
        bytes.storeBytes(of: UInt8(row), toByteOffset: index, as: UInt8.self)
      }
    }
    #expect(kept.time == RationalTime(7, per: 10))
    #expect(sum([kept] + pictures.dropFirst()) == "f46a4fec736a2889ac668518b025f316")
    let plane = 64 * 48
    #expect(Array(picture.samples[plane + 32..<plane + 64]) == [UInt8](repeating: 1, count: 32))
  }
}
