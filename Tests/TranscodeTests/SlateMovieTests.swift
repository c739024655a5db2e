// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusSamples
import Testing

@testable import ApusTranscode

@Suite struct SlateMovieTests {
  private static func track(_ configuration: [UInt8], rate: Int = 0, channels: Int = 0)
    -> CodedTrack
  {
    var track = CodedTrack(.audio, .aac(configuration), timescale: 48000)
    (track.sampleRate, track.channels) = (rate, channels)
    return track
  }

  /// The bytes are 5 bits of the object type, 4 of the frequency's index, 4 of the speakers', and flags: ISO/IEC 14496-3,
  /// 1.6.2.1.
  @Test(arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 8)])
  func `libavcodec hears silence in every frame`(_ layout: Int, _ channels: Int) throws {
    let configuration = [0x11, UInt8(0x80 | layout << 3)]
    let sound = try #require(try SilentSound(following: Self.track(configuration)))
    #expect(sound.configuration == configuration)
    #expect((sound.sampleRate, sound.channels) == (48000, channels))
    let decoder = try AudioDecoder(
      CodedStream("aac", configuration: configuration, timescale: 48000))
    var heard: [AudioFrame] = []
    for index in 0..<8 {
      try decoder.send(sound.frame, presentationTime: Int64(index * SilentSound.frameLength))
      while let frame = try decoder.next() { heard.append(frame) }
    }
    try decoder.finish()
    while let frame = try decoder.next() { heard.append(frame) }
    #expect(heard.count == 8)
    for frame in heard {
      #expect((frame.channels, frame.sampleRate, frame.sampleCount) == (channels, 48000, 1024))
      for channel in 0..<channels {
        let isSilent = frame.withSamples(ofPlane: channel) { samples in
          (0..<samples.byteCount).allSatisfy {
            unsafe samples.unsafeLoad(fromByteOffset: $0, as: UInt8.self) & 0x7f == 0
          }
        }
        #expect(isSilent == true)
      }
    }
  }

  @Test func `silence has a configuration of its own where that of the input is not plain`() throws
  {
    // HE-AAC of 24 to 48 kHz in stereo; frames of 960 samples; a rate that has no number.
    for (bytes, rate) in [([0x2b, 0x11, 0x88, 0x00], 48000), ([0x12, 0x14], 44100)] {
      let sound = try #require(
        try SilentSound(following: Self.track(bytes.map(UInt8.init), rate: rate, channels: 2)))
      #expect(sound.configuration == (rate == 48000 ? [0x11, 0x90] : [0x12, 0x10]))
      #expect((sound.sampleRate, sound.channels) == (rate, 2))
    }
    let odd = try SilentSound(sampleRate: 47999, channels: 9)
    #expect((odd.sampleRate, odd.channels) == (48000, 2))
    let other = CodedTrack(.audio, .other("Opus", []), timescale: 48000)
    #expect(try SilentSound(following: other) == nil)
  }

  @Test(arguments: [VideoSettings.Codec.hevc, .h264])
  func `it goes on without an end, with a key frame every two seconds`(_ codec: VideoSettings.Codec)
    throws
  {
    let picture = try SlatePicture(
      width: 40, height: 30, samples: [UInt8](repeating: 200, count: 40 * 30 * 3))
    let form = SlateMovie.Form(
      [codec], width: 65, height: 64, sounds: [try SilentSound(), try SilentSound()])
    var movie = try SlateMovie(picture, form)
    #expect(movie.tracks.map(\.kind) == [.video, .audio, .audio])
    #expect((movie.tracks[0].width, movie.tracks[0].height) == (64, 64))
    var samples: [CodedSample] = []
    while samples.last?.decodeTime.rounded(to: 1000) ?? 0 < 4100 {
      guard case .sample(let sample) = try movie.next() else { break }
      samples.append(sample)
    }
    let times = samples.compactMap { $0.decodeTime.rounded(to: 48000) }
    #expect(times == times.sorted())
    let pictures = samples.filter { $0.track == 0 }
    #expect(
      pictures.map { $0.decodeTime.rounded(to: 1000) } == pictures.indices.map { Int64($0 * 100) })
    #expect(pictures.indices.filter { pictures[$0].isSync } == [0, 20, 40])
    for track in 1...2 {
      let sound = samples.filter { $0.track == track }
      #expect(sound.map(\.decodeTime.value) == sound.indices.map { Int64($0 * 1024) })
      #expect((190...194).contains(sound.count))
    }
  }

  /// The numbers are those of ITU-R BT.709-6, Table 4: white 235, black 16; and of primary red.
  @Test func `a picture lies in the middle of black`() throws {
    var samples: [UInt8] = []
    for _ in 0..<4 { samples += [UInt8](repeating: 255, count: 6) + [255, 0, 0, 255, 0, 0] }
    let picture = try SlatePicture(width: 4, height: 4, samples: samples)
    let format = PictureFormat(width: 8, height: 4, chroma: .yuv420, bitDepth: 8)
    let frame = try picture.frame(format, traits: PictureTraits())
    var rows: [[UInt8]] = []
    for plane in 0..<3 {
      try frame.withMutableRows(ofPlane: plane) { row, bytes in
        guard row == 0 else { return }
        rows.append(
          (0..<format.width(ofPlane: plane)).map {
            unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
          })
      }
    }
    #expect(rows[0] == [16, 16, 235, 235, 63, 63, 16, 16])
    #expect(rows[1] == [128, 128, 102, 128])
    #expect(rows[2] == [128, 128, 240, 128])
  }
}
