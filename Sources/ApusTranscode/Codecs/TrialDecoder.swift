// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// A decoder of pictures or sound that counts its output.
struct TrialDecoder {
  private enum Coder {
    case pictures(VideoDecoder)
    case sound(AudioDecoder)
  }

  private let coder: Coder
  private let timescale: UInt32
  private(set) var count = 0
  private var first: Double?
  private var end = 0.0

  init(_ stream: CodedStream, _ track: CodedTrack) throws(MediaError) {
    timescale = stream.timescale
    coder =
      track.kind == .video
      ? .pictures(try VideoDecoder(stream, traits: track.picture))
      : .sound(try AudioDecoder(stream))
  }

  var name: String {
    switch coder {
    case .pictures(let decoder): decoder.name
    case .sound(let decoder): decoder.name
    }
  }

  /// The seconds from the beginning of the first output to the end of the last.
  var played: Double { first.map { max(0, end - $0) } ?? 0 }

  mutating func decode(_ sample: CodedSample, _ bytes: [UInt8]) throws(MediaError) {
    let shown = sample.presentationTime.rounded(to: timescale) ?? 0
    switch coder {
    case .pictures(let decoder):
      try unsafe decoder.send(
        bytes.span.bytes, decodeTime: sample.decodeTime.rounded(to: timescale) ?? 0,
        presentationTime: shown, duration: sample.duration?.rounded(to: timescale) ?? 0,
        isKey: sample.isSync)
    case .sound(let decoder):
      try unsafe decoder.send(bytes.span.bytes, presentationTime: shown)
    }
    try drain()
  }

  mutating func finish() throws(MediaError) {
    switch coder {
    case .pictures(let decoder): try decoder.finish()
    case .sound(let decoder): try decoder.finish()
    }
    try drain()
  }

  private mutating func drain() throws(MediaError) {
    switch coder {
    case .pictures(let decoder):
      while let frame = try decoder.next() {
        add(frame.time, RationalTime(frame.duration, per: frame.time.timescale))
      }
    case .sound(let decoder):
      while let frame = try decoder.next() { add(frame.time, frame.duration) }
    }
  }

  private mutating func add(_ time: RationalTime, _ duration: RationalTime) {
    count += 1
    let begin = Double(time.value) / Double(max(time.timescale, 1))
    let length = Double(duration.value) / Double(max(duration.timescale, 1))
    first = min(first ?? begin, begin)
    end = max(end, begin + length)
  }
}
