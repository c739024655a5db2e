// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// Maps the times of an input to the clock of a stream: it begins at 0, and never decreases within a track.
struct Timeline: Sendable {
  /// Milliseconds that are added to the times of the input.
  private var shift: Int64?
  /// The last decoding time of each track, in nanoseconds.
  private var last: [Int: Int64] = [:]
  /// The duration of a track's last sample.
  private var step: [Int: Int64] = [:]
  /// The number of times that the clock of the input jumped back and was joined.
  private(set) var joins = 0

  /// The jump back, in nanoseconds, above which the input is assumed to have been restarted, as encoders are.
  private static let jump: Int64 = 1_000_000_000

  /// Returns the sample with its new times, and its decoding time in nanoseconds.
  mutating func place(_ sample: CodedSample) throws -> (sample: CodedSample, time: Int64) {
    let first = try milliseconds(sample.decodeTime)
    var placed = try Self.moved(sample, by: shift ?? -first)
    if shift == nil { shift = -first }
    var time = try nanoseconds(placed.decodeTime)
    let before = last[sample.track] ?? 0
    if before - time > Self.jump {
      joins += 1
      let newest = (last.values.max() ?? 0) + (step[sample.track] ?? 0)
      shift = newest / 1_000_000 - first + 1
      placed = try Self.moved(sample, by: shift ?? 0)
      time = try nanoseconds(placed.decodeTime)
    } else if time < before {
      placed.decodeTime = RationalTime(before, per: 1_000_000_000)
      time = before
    } else if last[sample.track] != nil, time > before {
      step[sample.track] = min(time - before, Self.jump)
    }
    last[sample.track] = max(time, before)
    return (placed, time)
  }

  /// Returns the sample with its times moved by this number of milliseconds.
  static func moved(_ sample: CodedSample, by milliseconds: Int64) throws -> CodedSample {
    var moved = sample
    guard let decode = sample.decodeTime.moved(by: milliseconds),
      let presentation = sample.presentationTime.moved(by: milliseconds)
    else { throw beyond(sample.decodeTime) }
    (moved.decodeTime, moved.presentationTime) = (decode, presentation)
    return moved
  }

  private func milliseconds(_ time: RationalTime) throws -> Int64 {
    guard let milliseconds = time.floored(to: 1000), milliseconds.magnitude < 1 << 60 else {
      throw Self.beyond(time)
    }
    return milliseconds
  }

  private func nanoseconds(_ time: RationalTime) throws -> Int64 {
    guard let nanoseconds = time.nanoseconds, nanoseconds.magnitude < 1 << 62 else {
      throw Self.beyond(time)
    }
    return nanoseconds
  }

  private static func beyond(_ time: RationalTime) -> MediaError {
    MediaError(
      .invalid, of: .part("decoding time"),
      "of \(time.value)/\(time.timescale) s is out of range")
  }
}
