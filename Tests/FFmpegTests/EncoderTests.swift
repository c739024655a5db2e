// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusSamples
import Glibc
import TestSupport
import Testing

@Suite struct EncoderTests {
  /// `ffmpeg -f lavfi -i color=size=64x48:rate=25 -frames:v 2 -pix_fmt FORMAT -c:v libx264 -preset veryfast -crf 20
  /// -color_range tv a.mp4`, the body of `avcC`.
  @Test(
    arguments: [
      (
        "yuv420p", 36,
        "0164000affe100186764000aacd9447b011000000300100000030320f122596001000568ef86f2c0fdf8f800"
      ),
      (
        "yuv422p10le", 36,
        "017a000affe10018677a000ab6cd9447b011000003000100000300320f12259601000568ef86f2c0fefafa00"
      ),
      (
        "yuv444p", 36,
        "01f4000affe1001867f4000a919b288f6022000003000200000300641e244b2c01000668ef86c64864fff8f800"
      ),
      (
        "gray", 36,
        "0164000affe100176764000af36511ec0440000003004000000c83c489658001000568ef86f2c0fcf8f800"
      ),
    ] as [(String, Double, String)])
  func `it encodes every form of samples, with the record that another program writes`(
    _ row: (format: String, bound: Double, record: String)
  ) throws {
    let source = try filtered(CodedClip("avc1.mp4").pictures(), row.format)
    var settings = self.settings(row.format)
    settings.crf = 20
    let (encoder, packets) = try encoded(source, settings)
    #expect(encoder.framing == .lengths)
    #expect(
      encoder.configuration == hex(row.record),
      "\(encoder.configuration.map { String($0, radix: 16) })")
    let decoded = try self.decoded(packets, encoder)
    #expect(decoded.map(\.time.value) == source.map { $0.time.rounded(to: 25) })
    for (before, after) in zip(source, decoded) {
      // libavcodec gives H.264 without colour planes that hold none.
      #expect(after.pixelFormat == (row.format == "gray" ? "yuv420p" : row.format))
      let quality = ratio(before, after)
      #expect(quality > row.bound, "\(quality)")
    }
  }

  private func settings(_ format: String) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(
      "libx264", width: 64, height: 48, pixelFormat: format, timescale: 25)
    settings.preset = "veryfast"
    settings.frameRate = Fraction(25, 1)
    settings.threads = 1
    settings.traits.colour = ColourDescription(isFullRange: false)
    settings.traits.sampleAspect = SampleAspect(1, 1)
    return settings
  }

  private func filtered(_ pictures: [VideoFrame], _ format: String) throws -> [VideoFrame] {
    let filter = try VideoFilter("", pixelFormats: [format])
    for picture in pictures { try filter.push(picture) }
    try filter.finish()
    var output: [VideoFrame] = []
    while let picture = try filter.next() { output.append(picture) }
    return output
  }

  private func encoded(
    _ pictures: [VideoFrame], _ settings: VideoEncoderSettings, keys: Set<Int> = []
  ) throws -> (VideoEncoder, [EncodedPacket]) {
    let encoder = try VideoEncoder(settings)
    var packets: [EncodedPacket] = []
    for (index, picture) in pictures.enumerated() {
      try encoder.send(picture, isKey: keys.contains(index))
      while let packet = try encoder.next() { packets.append(packet) }
    }
    try encoder.finish()
    while let packet = try encoder.next() { packets.append(packet) }
    return (encoder, packets)
  }

  private func decoded(_ packets: [EncodedPacket], _ encoder: VideoEncoder) throws -> [VideoFrame] {
    let decoder = try VideoDecoder(
      CodedStream(
        "h264", configuration: encoder.configuration, timescale: encoder.settings.timescale))
    var pictures: [VideoFrame] = []
    for packet in packets {
      try decoder.send(
        packet.bytes, decodeTime: packet.decodeTime.value,
        presentationTime: packet.presentationTime.value, duration: packet.duration)
      while let picture = try decoder.next() { pictures.append(picture) }
    }
    try decoder.finish()
    while let picture = try decoder.next() { pictures.append(picture) }
    return pictures
  }

  /// Peak signal to noise of the luma samples, in dB.
  private func ratio(_ first: VideoFrame, _ second: VideoFrame) -> Double {
    guard let format = first.format else { return 0 }
    let count = format.width * format.height
    let depth = format.bytesPerSample
    let (left, right) = (first.samples, second.samples)
    var error = 0.0
    for index in 0..<count {
      let sample = { (bytes: [UInt8]) in
        depth == 1 ? Int(bytes[index]) : Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
      }
      let difference = Double(sample(left) - sample(right))
      error += difference * difference
    }
    let peak = Double(1 << format.bitDepth) - 1
    return 10 * log10(peak * peak * Double(count) / max(error, 1))
  }

  @Test
  func `it passes times, durations and key frames on`() throws {
    let pictures = try CodedClip("avc1.mp4").pictures()
    // A rate that varies: pictures stand as far apart as their squares do.
    let moved = try pictures.enumerated().map { index, picture in
      try picture.moved(
        to: RationalTime(Int64(index * index * 100), per: 90000),
        duration: Int64((2 * index + 1) * 100))
    }
    var settings = settings("yuv420p")
    settings.timescale = 90000
    settings.keyFrameInterval = 100
    let (_, packets) = try encoded(moved, settings, keys: [6])
    let shown = packets.sorted { $0.presentationTime.value < $1.presentationTime.value }
    #expect(shown.map(\.presentationTime) == moved.map(\.time))
    #expect(shown.map(\.duration) == moved.map(\.duration))
    #expect(shown.indices.filter { shown[$0].isKey } == [0, 6])
    for (before, after) in zip(packets, packets.dropFirst()) {
      #expect(before.decodeTime.value < after.decodeTime.value)
    }
    #expect(packets.allSatisfy { $0.decodeTime.value <= $0.presentationTime.value })
  }

  @Test
  func `it says in the stream what samples mean`() throws {
    let source = try CodedClip("hdr10.mp4").pictures()
    var settings = settings("yuv420p10le")
    settings.traits = try #require(source.first).traits
    settings.traits.sampleAspect = SampleAspect(4, 3)
    let (encoder, packets) = try encoded(source, settings)
    let traits = try #require(decoded(packets, encoder).first).traits
    #expect(traits.colour == settings.traits.colour)
    #expect(traits.sampleAspect == SampleAspect(4, 3))
    // SEI messages 137 and 144, which libavcodec does not read in H.264: the numbers of the recipe of hdr10.mp4.
    let first = try #require(packets.first).bytes
    #expect(contains(first, hex("891833c286c41d4c0bb884d03e803d13404200989680")))
    #expect(contains(first, hex("900403e80190")))
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: [FieldOrder.topFirst, .bottomFirst])
  func `it encodes fields as fields`(_ order: FieldOrder) throws {
    var settings = settings("yuv420p")
    settings.traits.fields = order
    let (encoder, packets) = try encoded(CodedClip("avc1.mp4").pictures(), settings)
    #expect(try decoded(packets, encoder).allSatisfy { $0.traits.fields == order })
  }

  @Test
  func `it meets a bit rate in two passes`() throws {
    let folder = try TestFolder()
    let pictures = try CodedClip("avc1.mp4").pictures()
    var settings = settings("yuv420p")
    settings.bitRate = 100_000
    settings.pass = .first(folder.path + "/statistics")
    _ = try encoded(pictures, settings)
    settings.pass = .second(folder.path + "/statistics")
    let (encoder, packets) = try encoded(pictures, settings)
    #expect(try decoded(packets, encoder).count == pictures.count)
  }

  @Test
  func `it says what it refuses, in the encoder's words`() throws {
    let refusal = { (change: (inout VideoEncoderSettings) -> Void) throws -> String in
      var settings = self.settings("yuv420p")
      change(&settings)
      return #expect(throws: MediaError.self) { try VideoEncoder(settings) }?.message ?? ""
    }
    #expect(try refusal { $0.codec = "nosuch" }.contains("no encoder nosuch"))
    #expect(try refusal { $0.preset = "quick" }.contains("quick"))
    #expect(try refusal { $0.pixelFormat = "nosuch" }.contains("no pixel format nosuch"))
    #expect(try refusal { $0.pixelFormat = "rgb48le" }.contains("rgb48le"))
    #expect(try refusal { $0.options = [.init("nosuch", "1")] }.contains("no option nosuch"))
    #expect(try refusal { $0.width = 0 }.contains("0 × 48"))
    #expect(try refusal { $0.width = 63 }.contains("width not divisible by 2"))
    let encoder = try VideoEncoder(settings("yuv420p"))
    let picture = try #require(CodedClip("slices.mp4").pictures().first)
    #expect(throws: MediaError.self) { try encoder.send(picture) }
    let pictures = try CodedClip("avc1.mp4").pictures()
    try encoder.send(pictures[1])
    #expect(throws: MediaError.self) { try encoder.send(pictures[0]) }
  }

  @Test
  func `it names the pixel formats of an encoder`() throws {
    let facts = try #require(try CodecList().codecs(.encoder, named: ["libx264"]).first)
    let formats = facts.samples.map(\.name)
    #expect(formats.first == "yuv420p")
    #expect(formats.contains("yuv422p10le"))
  }

  @Test
  func `it encodes pictures of our own, of odd sides too`() throws {
    let format = PictureFormat(width: 35, height: 21, chroma: .yuv444, bitDepth: 10)
    var settings = VideoEncoderSettings(
      "libx264", width: 35, height: 21, pixelFormat: "yuv444p10le", timescale: 10)
    settings.options = [.init("qp", "0")]
    let pictures = try (0..<3).map { (index: Int) -> VideoFrame in
      let picture = try VideoFrame(format, time: RationalTime(Int64(index), per: 10), duration: 1)
      for plane in 0..<3 {
        try picture.withMutableRows(ofPlane: plane) { row, bytes throws(MediaError) in
          for place in 0..<format.width {
            let sum = row * 37 + place * 11 + index * 5 + plane * 100
            bytes.storeBytes(of: UInt16(sum & 1023), toByteOffset: 2 * place, as: UInt16.self)
          }
        }
      }
      return picture
    }
    let (encoder, packets) = try encoded(pictures, settings)
    // Without loss.
    #expect(try sum(decoded(packets, encoder)) == sum(pictures))
  }

  @Test
  func `it encodes sound that decodes to what it was, after what primes it`() throws {
    let source = try CodedClip("edit-list.mp4", .audio).sounds()
    var settings = AudioEncoderSettings("aac", sampleRate: 44100, channelLayout: "mono")
    settings.bitRate = 96000
    let encoder = try AudioEncoder(settings)
    let filter = try AudioFilter(output: encoder.input)
    #expect(encoder.frameSize == 1024)
    #expect(encoder.priming == 1024)
    for (index, sound) in source.enumerated() {
      try filter.push(sound.moved(to: RationalTime(Int64(index) * 1024, per: 44100)))
    }
    try filter.finish()
    var packets: [EncodedPacket] = []
    while let sound = try filter.next() {
      try encoder.send(sound)
      while let packet = try encoder.next() { packets.append(packet) }
    }
    try encoder.finish()
    while let packet = try encoder.next() { packets.append(packet) }
    #expect(packets.first?.presentationTime == RationalTime(-1024, per: 44100))
    #expect(packets.first?.duration == 1024)
    // AAC LC, 44,100 Hz, one channel: ISO/IEC 14496-3, 1.6.2.1.
    #expect(encoder.configuration.prefix(2) == [0x12, 0x08])
    let decoder = try AudioDecoder(
      CodedStream("aac", configuration: encoder.configuration, timescale: 44100))
    var samples: [Float] = []
    for packet in packets {
      try decoder.send(packet.bytes, presentationTime: packet.presentationTime.value)
      while let sound = try decoder.next() { samples += values(sound) }
    }
    try decoder.finish()
    while let sound = try decoder.next() { samples += values(sound) }
    let expected = source.flatMap(values)
    let found = samples.dropFirst(encoder.priming)
    #expect(found.count >= expected.count)
    var (signal, noise): (Float, Float) = (0, 0)
    for (before, after) in zip(expected, found) {
      signal += before * before
      noise += (before - after) * (before - after)
    }
    #expect(signal > 100 * noise, "\(signal / noise)")
  }

  private func values(_ sound: AudioFrame) -> [Float] {
    sound.withSamples(ofPlane: 0) { bytes in
      (0..<sound.sampleCount).map {
        unsafe bytes.unsafeLoad(fromByteOffset: 4 * $0, as: Float.self)
      }
    } ?? []
  }

  @Test
  func `it says what sound it refuses`() throws {
    #expect(throws: MediaError.self) {
      try AudioEncoder(.init("aac", sampleRate: 44100, channelLayout: "nosuch"))
    }
    #expect(throws: MediaError.self) {
      try AudioEncoder(.init("nosuch", sampleRate: 44100, channelLayout: "mono"))
    }
    #expect(throws: MediaError.self) {
      try AudioEncoder(.init("aac", sampleRate: 1234, channelLayout: "mono"))
    }
    let encoder = try AudioEncoder(.init("aac", sampleRate: 44100, channelLayout: "stereo"))
    let mono = try #require(CodedClip("edit-list.mp4", .audio).sounds().first)
    #expect(throws: MediaError.self) { try encoder.send(mono) }
  }
}
