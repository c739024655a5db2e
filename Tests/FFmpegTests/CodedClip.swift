// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFFmpeg
import ApusMedia
import ApusSamples
import HEVC
import TestSupport

/// The samples of one track of a fixture.
struct CodedClip {
  var stream: CodedStream
  var traits: PictureTraits
  var samples: [CodedSample] = []

  init(_ name: String, _ kind: CodedTrack.Kind = .video) throws {
    var source = try MediaInput.open(Fixture.source(name)).source
    guard let index = source.tracks.firstIndex(where: { $0.kind == kind }) else {
      throw MediaError(.misuse, "\(name) has no such track")
    }
    let track = source.tracks[index]
    traits = track.picture
    stream = try Self.stream(track)
    while let event = try source.next() {
      if case .sample(let sample) = event, sample.track == index { samples.append(sample) }
    }
  }

  private static func stream(_ track: CodedTrack) throws -> CodedStream {
    let scale = track.timescale
    switch track.format {
    case .hevc(let record):
      return try CodedStream("hevc", configuration: record.bytes(), timescale: scale)
    case .avc(let bytes): return CodedStream("h264", configuration: bytes, timescale: scale)
    case .aac(let bytes): return CodedStream("aac", configuration: bytes, timescale: scale)
    case .other(_, let bytes): return CodedStream("av1", configuration: bytes, timescale: scale)
    }
  }

  /// Every picture, in the order in which they are shown.
  func pictures(_ options: DecoderOptions = DecoderOptions()) throws -> [VideoFrame] {
    try pictures(by: VideoDecoder(stream, traits: traits, options: options))
  }

  func pictures(by decoder: VideoDecoder) throws -> [VideoFrame] {
    var pictures: [VideoFrame] = []
    for sample in samples {
      try decoder.send(
        sample.payload.bytes(), decodeTime: sample.decodeTime.value,
        presentationTime: sample.presentationTime.value, duration: sample.duration?.value ?? 0,
        isKey: sample.isSync)
      while let picture = try decoder.next() { pictures.append(picture) }
    }
    try decoder.finish()
    while let picture = try decoder.next() { pictures.append(picture) }
    return pictures
  }

  func sounds() throws -> [AudioFrame] {
    let decoder = try AudioDecoder(stream)
    var sounds: [AudioFrame] = []
    for sample in samples {
      try decoder.send(
        sample.payload.bytes(), presentationTime: sample.presentationTime.value)
      while let sound = try decoder.next() { sounds.append(sound) }
    }
    try decoder.finish()
    while let sound = try decoder.next() { sounds.append(sound) }
    return sounds
  }
}

extension VideoFrame {
  /// The samples of all planes, without what stands between rows.
  var samples: [UInt8] {
    var samples: [UInt8] = []
    unsafe withView { view in
      let format = unsafe view.format
      for plane in 0..<format.planeCount {
        let count = format.width(ofPlane: plane) * format.bytesPerSample
        for row in 0..<format.height(ofPlane: plane) {
          let start = unsafe view.planes[plane].base + row * view.planes[plane].stride
          unsafe samples.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        }
      }
    }
    return samples
  }
}

/// As `ffmpeg -f md5` has it.
func sum(_ pictures: [VideoFrame]) -> String {
  MD5.digest(of: pictures.flatMap(\.samples))
    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
