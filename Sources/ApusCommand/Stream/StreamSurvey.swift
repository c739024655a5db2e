// SPDX-License-Identifier: MIT

import Bytes
import Flow
import HEVC
import Media

/// What the tracks of a stream are like, as far as that is known before it begins.
struct StreamSurvey {
  struct Video: Hashable {
    /// The codec, as services name it: `h264`, `h265`.
    var codec: String
    var width: Int
    var height: Int
    /// Pictures in a second; `nil` where unknown.
    var frameRate: FrameRate?
    /// Bits in a second; `nil` where unknown.
    var bitRate: Int?
  }

  struct Sound: Hashable {
    /// The codec, as services name it: `aac`.
    var codec: String
    /// This is 0 where unknown.
    var channels: Int
    /// Bits in a second; `nil` where unknown.
    var bitRate: Int?
  }

  var videos: [Video]
  var sounds: [Sound]

  /// The seconds of a file that are looked at.
  private static let seconds: Int64 = 10
  private static let mostSamples = 20_000
  private static let usual: [(UInt64, UInt64)] = [
    (24, 1), (25, 1), (30, 1), (48, 1), (50, 1), (60, 1), (120, 1), (24000, 1001), (30000, 1001),
    (60000, 1001),
  ]

  /// - Parameters:
  ///   - source: is read where its copies give the same samples again.
  ///   - frameRate: of all video, where it is known.
  ///   - bitRate: of the video that is coded, where it is known.
  init(
    of source: any SampleSource & Sendable, canBeReadAgain: Bool, frameRate: FrameRate?,
    bitRate: Int?
  ) throws {
    var spans: [Int: Span] = [:]
    if canBeReadAgain {
      var ahead = source
      var left = Self.mostSamples
      while left > 0, let event = try ahead.next() {
        guard case .sample(let sample) = event else { continue }
        left -= 1
        spans[sample.track, default: Span()].add(sample)
        if spans[sample.track]?.milliseconds ?? 0 > Self.seconds * 1000 { break }
      }
    }
    videos = source.tracks.indices.filter { source.tracks[$0].kind == .video }.map { index in
      let track = source.tracks[index]
      let codec =
        switch track.format {
        case .hevc: "h265"
        case .avc: "h264"
        case .aac, .other: "\(track.format.codec)"
        }
      return Video(
        codec: codec, width: track.width, height: track.height,
        frameRate: spans[index]?.frameRate ?? frameRate,
        bitRate: spans[index]?.bitRate ?? bitRate)
    }
    sounds = source.tracks.indices.filter { source.tracks[$0].kind == .audio }.map { index in
      let track = source.tracks[index]
      let codec = if case .aac = track.format { "aac" } else { "\(track.format.codec)" }
      return Sound(codec: codec, channels: track.channels, bitRate: spans[index]?.bitRate)
    }
  }

  private struct Span {
    var first: Int64?
    var last: Int64 = 0
    var count = 0
    var bytes = 0

    mutating func add(_ sample: CodedSample) {
      guard let time = sample.decodeTime.rounded(to: 1_000_000) else { return }
      first = first ?? time
      last = max(last, time)
      count += 1
      bytes += sample.payload.count
    }

    var milliseconds: Int64 { (last - (first ?? last)) / 1000 }

    /// Pictures in a second by the time from the first to the last.
    private var rate: Double? {
      guard let first, last > first, count > 1 else { return nil }
      return Double(count - 1) * 1e6 / Double(last - first)
    }

    var frameRate: FrameRate? {
      guard let rate else { return nil }
      let near = StreamSurvey.usual.compactMap { FrameRate($0.0, $0.1) }
        .min { abs($0.framesPerSecond - rate) < abs($1.framesPerSecond - rate) }
      if let near, abs(near.framesPerSecond - rate) < near.framesPerSecond * 0.0005 { return near }
      return FrameRate(UInt64((rate * 1000).rounded()), 1000)
    }

    var bitRate: Int? {
      rate.map { Int(Double(bytes) * 8 / Double(count) * $0) }
    }
  }
}
