// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The samples of a track that are waiting for the next fragment.
struct PendingFragment: Sendable {
  /// The number of the track, for errors.
  let number: Int
  private(set) var samples: [NewSample] = []
  /// The number of samples with a final duration.
  private(set) var completeCount = 0
  /// The earliest presentation time so far; the first fragment's determines the start of the movie.
  private(set) var start = Int64.max
  /// The latest end of presentation so far.
  private(set) var end = Int64.min
  /// The size of all waiting samples, in bytes.
  private(set) var size = 0
  /// The amount subtracted from sample times.
  private var origin: Int64?
  private var lead: Int64 = 0
  private var lastDuration: Int64?

  init(number: Int) { self.number = number }

  var isEmpty: Bool { samples.isEmpty }
  var complete: ArraySlice<NewSample> { samples.prefix(completeCount) }

  mutating func add(_ sample: NewSample) throws(SyntaxError) {
    guard sample.decodeTime.magnitude < 1 << 61 else {
      throw refusal("decoding time", "is \(sample.decodeTime), allowed are times below 2^61")
    }
    guard Int32(exactly: sample.compositionOffset) != nil else {
      throw refusal(
        "sample_composition_time_offset",
        "of \(sample.compositionOffset) needs more than 32 bits")
    }
    let shown = sample.decodeTime + sample.compositionOffset
    if let last = samples.last, completeCount < samples.count {
      let duration = sample.decodeTime - last.decodeTime
      guard duration >= 0 else {
        throw refusal("decoding time", "falls by \(duration.magnitude) units; it may only rise")
      }
      complete(lasting: duration)
    }
    samples.append(sample)
    size += sample.payload.count
    start = min(start, shown)
    end = max(end, shown)
  }

  /// Sets the duration of the last sample: its own, that of the previous one, or the default.
  mutating func close(default duration: Int64?) throws(SyntaxError) {
    guard let last = samples.last, completeCount < samples.count else { return }
    let stated = last.duration ?? lastDuration ?? duration ?? 0
    complete(lasting: min(max(0, stated), Int64(UInt32.max)))
  }

  private mutating func complete(lasting duration: Int64) {
    let last = samples.count - 1
    samples[last].duration = duration
    lastDuration = duration
    completeCount = samples.count
    end = max(end, samples[last].decodeTime + samples[last].compositionOffset + duration)
  }

  /// Removes and returns the complete samples.
  mutating func removeComplete() -> [NewSample] {
    let taken = Array(complete)
    samples.removeFirst(completeCount)
    completeCount = 0
    size = samples.reduce(0) { $0 + $1.payload.count }
    return taken
  }

  /// Withholds the last complete sample from the next fragment until `takeBackLast`; returns `false` if it is the only
  /// one.
  mutating func keepLast() -> Bool {
    guard completeCount > 1 else { return false }
    completeCount -= 1
    return true
  }

  mutating func takeBackLast() { completeCount += 1 }

  // MARK: - Times

  /// Determines the form of the track's times when the movie begins. Media times are then those of the movie, with an
  /// edit list only if samples are decoded before the movie begins.
  mutating func begin(at movieStart: RationalTime, per timescale: UInt32) throws(SyntaxError)
    -> TrackTimeline
  {
    guard let movieStart = movieStart.rounded(to: timescale), movieStart.magnitude < 1 << 62 else {
      throw refusal("presentation time", "begins beyond any number")
    }
    var timeline = TrackTimeline()
    origin = movieStart
    guard let first = samples.first else { return timeline }
    lead = max(0, -(samples.map(\.compositionOffset).min() ?? 0))
    let early = max(0, movieStart - (first.decodeTime - lead))
    timeline.mediaStart = early
    origin = movieStart - early
    return timeline
  }

  /// Determines the form of the times with negative composition offsets: media times are then those of the
  /// presentation, and an edit list only hides media before its start.
  mutating func begin(signedAt start: RationalTime, per timescale: UInt32) throws(SyntaxError)
    -> TrackTimeline
  {
    guard let begin = start.rounded(to: timescale), begin.magnitude < 1 << 61 else {
      throw refusal("presentation time", "begins beyond any number")
    }
    var timeline = TrackTimeline()
    origin = begin
    guard let first = samples.first else { return timeline }
    timeline.mediaStart = max(0, begin - self.start)
    origin = begin - timeline.mediaStart
    lead = min(0, first.decodeTime - (begin - timeline.mediaStart))
    return timeline
  }

  /// Returns the `baseMediaDecodeTime` of a sample.
  func mediaTime(of sample: NewSample) throws(SyntaxError) -> UInt64 {
    guard let time = UInt64(exactly: sample.decodeTime - lead - (origin ?? 0)) else {
      throw refusal(
        "decoding time", "is \(sample.decodeTime), before the time at which the movie began")
    }
    return time
  }

  /// Returns the composition offset of a sample; unless signed offsets are used, it is negative only if the first
  /// fragment had no such offset.
  func offset(of sample: NewSample) throws(SyntaxError) -> Int64 {
    let offset = sample.compositionOffset + lead
    guard Int32(exactly: offset) != nil else {
      throw refusal("sample_composition_time_offset", "of \(offset) needs more than 32 bits")
    }
    return offset
  }

  func refusal(_ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(.misuse, field: field, path: "track \(number)", detail: detail)
  }
}
