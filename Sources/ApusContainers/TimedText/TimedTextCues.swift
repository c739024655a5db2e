// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusMedia
package import ApusSamples

/// Converts titles that come and go, none or several at a time, into samples that follow each other without gaps: a
/// sample of timed text holds everything that is shown while it lasts.
package struct TimedTextCues: Sendable {
  private let markup: TextMarkup
  private let timescale: UInt32
  private let track: Int
  /// The titles that are shown, and the time at which each ends; `nil` until something else is shown.
  private var shown: [(text: StyledText, end: Int64?)] = []
  /// The sample for what was shown last, which a title with the same time may still replace.
  private var pending: CodedSample?
  private var last = Int64.min
  private var beginning: Int64?

  /// - Parameter index: the index of the track.
  package init?(_ track: CodedTrack, index: Int) {
    guard let markup = TextMarkup(track) else { return nil }
    self.markup = markup
    self.track = index
    timescale = max(track.timescale, 1000)
  }

  /// Sets the time at which the presentation begins. A gap before the first title is a sample, too: readers of edit
  /// lists disagree about tracks that begin with nothing.
  package mutating func begin(at time: RationalTime) {
    if beginning == nil { beginning = time.rounded(to: timescale) }
  }

  /// Adds a title and returns the samples that precede it.
  package mutating func add(_ sample: CodedSample) throws -> [CodedSample] {
    let text = markup.text(try sample.payload.bytes())
    guard let start = sample.presentationTime.rounded(to: timescale) else { throw beyond }
    let begin = max(start, last)
    var ready: [CodedSample] = []
    if last == .min, let beginning, beginning < begin { ready += show(at: beginning) }
    ready += pass(begin)
    let length = sample.duration.flatMap { $0.rounded(to: timescale) }
    var end: Int64?
    if let length, length > 0 {
      let (sum, overflow) = start.addingReportingOverflow(length)
      guard !overflow else { throw beyond }
      end = sum
    }
    shown.removeAll { title in title.end.map { $0 <= begin } ?? true }
    if !text.isEmpty, end.map({ $0 > begin }) ?? true { shown.append((text, end)) }
    ready += show(at: begin)
    return ready
  }

  /// Returns the samples that end before samples of other tracks are decoded.
  mutating func advance(to time: RationalTime) -> [CodedSample] {
    guard let now = time.floored(to: timescale) else { return [] }
    var ready = pass(now)
    // A gap is written only if something follows it.
    if let sample = pending, sample.decodeTime.value < now, !shown.isEmpty {
      ready.append(sample)
      pending = nil
    }
    return ready
  }

  /// Returns the remaining samples. The end of the last title is marked by a sample without a duration.
  package mutating func finish() -> [CodedSample] {
    var ready = pass(.max)
    if let sample = pending { ready.append(sample) }
    pending = nil
    return ready
  }

  /// Returns the samples for the changes before a time that are caused by titles ending.
  private mutating func pass(_ time: Int64) -> [CodedSample] {
    var ready: [CodedSample] = []
    while let end = shown.compactMap(\.end).min(), end < time {
      shown.removeAll { $0.end == end }
      ready += show(at: end)
    }
    return ready
  }

  /// Begins a sample with all titles that are shown now, and returns the previous one.
  private mutating func show(at time: Int64) -> [CodedSample] {
    var text = StyledText()
    for title in shown { text.append(line: title.text) }
    var sample = CodedSample(
      track: track, decodeTime: RationalTime(time, per: timescale), isSync: true,
      payload: Extent(text.sample))
    // A gap lasts until something follows it.
    let end = shown.compactMap(\.end).min()
    sample.duration = end.map { RationalTime($0 - time, per: timescale) }
    if shown.isEmpty { sample.duration = RationalTime(0, per: timescale) }
    last = time
    defer { pending = sample }
    guard let before = pending, before.decodeTime.value < time else { return [] }
    return [before]
  }

  private var beyond: MediaError {
    MediaError(.invalid, of: .part("time"), "of a title is out of range")
  }
}
