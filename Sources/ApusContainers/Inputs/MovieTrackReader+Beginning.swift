// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

extension MovieTrackReader {
  /// Returns the times at which the last key frame that is shown no later than `start` is decoded and shown; `nil` if
  /// there is none.
  func keyFrame(before start: RationalTime) throws -> (
    decoded: RationalTime, shown: RationalTime
  )? {
    var ahead = self
    var found: [TrackSample] = []
    while var run = ahead.pending {
      if run.first.isSync {
        let shown = try clock.presentation(run.first.compositionTime)
        guard !start.isBefore(shown) else { break }
        if run.count > 1, let late = start.floored(to: clock.timescale) {
          let passed = late.subtractingReportingOverflow(shown.value)
          let number = passed.overflow ? 0 : passed.partialValue / max(1, run.first.duration)
          run = run.dropping(min(max(0, Int(clamping: number)), run.count - 1))
        }
        // Audio frames have no NAL units that could confirm it.
        if kind == .audio { found.removeAll(keepingCapacity: true) }
        found.append(run.first)
      }
      try ahead.advance()
    }
    // A sample that the tables call a key frame may not be one.
    for sample in found.reversed() {
      let payload = Extent(source, sample.range)
      let format = formats[sample.descriptionIndex] ?? format
      guard try format.isSync(payload, said: true) else { continue }
      return (
        try clock.decoding(sample.decodeTime), try clock.presentation(sample.compositionTime)
      )
    }
    return nil
  }

  /// Skips samples that are decoded before a time.
  ///
  /// - Parameter coded: the description of the track.
  mutating func skip(to first: RationalTime, of coded: CodedTrack) throws {
    var last: TrackSample?
    while let time, let run = pending, time.isBefore(first) {
      last = run.first
      // The later moments of a long run are kept.
      if run.count > 1, let early = first.floored(to: clock.timescale),
        case (let passed, false) = early.subtractingReportingOverflow(time.value),
        passed / max(1, run.first.duration) < run.count - 1
      {
        let isExact = !RationalTime(early, per: clock.timescale).isBefore(first)
        let number = passed / max(1, run.first.duration)
        let isWhole = isExact && passed % max(1, run.first.duration) == 0
        pending = run.dropping(Int(number) + (isWhole ? 0 : 1))
        try settleTime()
        break
      }
      try advance()
    }
    guard kind != .video, kind != .audio, let last else { return }
    if let rest = try rest(of: last, from: first, coded) {
      begun = rest
      time = rest.decodeTime
    }
  }

  /// Returns the rest of a title or a timecode that began before a time and still applies then.
  private func rest(of sample: TrackSample, from first: RationalTime, _ coded: CodedTrack)
    throws -> CodedSample?
  {
    let start = try clock.decoding(sample.decodeTime)
    guard let begin = first.rounded(to: clock.timescale),
      case (let passed, false) = begin.subtractingReportingOverflow(start.value),
      passed < sample.duration
    else { return nil }
    var payload = Extent(source, sample.range)
    if let entry = coded.details.sampleEntries.first?.node.box as? TimecodeSampleEntry {
      payload = Extent(try entry.counter(payload.bytes(), later: passed, per: clock.timescale))
    }
    var rest = CodedSample(
      track: 0, decodeTime: RationalTime(begin, per: clock.timescale),
      duration: RationalTime(sample.duration - passed, per: clock.timescale), isSync: true,
      payload: payload)
    rest.number = sample.index
    return rest
  }
}
