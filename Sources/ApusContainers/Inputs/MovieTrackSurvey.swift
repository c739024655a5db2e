// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// A walk over the tables of a track before anything is written: checks them, and collects the facts that need the
/// whole of them.
struct MovieTrackSurvey {
  private let timescale: UInt32
  private(set) var count = 0
  /// The number of bytes in all samples; those that overlap count each time.
  private(set) var bytes = 0
  /// The places of the samples in the file.
  private(set) var coverage = MediaCoverage()
  /// The number of samples that are incomplete, or come after one that is; 0 unless the survey was to skip them.
  private(set) var lost = 0
  private(set) var loss: (any Error)?
  /// All runs of samples, if there are few enough to be kept; `nil` if they have to be walked again.
  private(set) var runs: [SampleRun]? = []
  private(set) var first: TrackSample?
  /// The sample entry of the first sample.
  var firstEntry: Int { first?.descriptionIndex ?? 1 }
  /// The sample entries that are in use.
  private(set) var descriptions: Set<Int> = []
  /// Whether all samples are small, of one size, last one unit and are sync samples without a composition offset.
  private(set) var isUniform = true
  /// The first sync sample of each sample entry.
  private(set) var firstSyncs: [Int: TrackSample] = [:]
  /// The sample entry of the last sample, and whether it is a sync sample: most samples after it have the same.
  private var lastKind: (description: Int, isSync: Bool)?
  /// The magnitude of the lowest composition offset, where that is below 0.
  private(set) var lead: Int64 = 0
  /// The earliest composition time of a sample, in media time.
  private(set) var start = Int64.max
  /// The time at which the sample that is shown last ends, and the time at which the last one begins.
  private(set) var end = Int64.min
  private var lastStart = Int64.min
  /// The faults in the tables, as text, although each sample can be found.
  private(set) var doubts: [String] = []
  /// The highest composition offset, and the composition times of the last samples.
  private var highestOffset = Int64.min
  private var lastTimes: [Int64] = []
  /// The number of samples that are shown at the time of another one.
  private var repeatedCount = 0
  /// The total duration of all samples.
  private var duration: Int64 = 0

  /// - Parameter isSalvaging: whether the track ends with the last sample before the first damaged one.
  init(_ track: Track, in source: any ByteSource, isSalvaging: Bool = false) throws {
    timescale = track.timescale
    do {
      try walk(track, in: source)
    } catch {
      var failure = MediaError(error)
      guard isSalvaging, failure.kind != .io else {
        if failure.isDamage { failure.remedy = .salvage }
        throw failure
      }
      loss = error
      lost = max(0, track.sampleCount - count)
    }
  }

  private mutating func walk(_ track: Track, in source: any ByteSource) throws {
    var cursor = track.samples()
    var last: Int64?
    while let run = try cursor.nextRun(upTo: .max) {
      let sample = run.first
      let whole = run.whole(in: source.count)
      // Tables of a few bytes can announce billions of samples without bytes.
      guard count < source.count + 1 << 20, whole < source.count + 1 << 20 else {
        throw MediaError(
          .limit, of: .part("samples"), "are announced that the file cannot hold",
          at: .byte(nil, in: track.path))
      }
      if let last, sample.decodeTime < last {
        throw SyntaxError(
          .invalid, field: "", path: track.path, offset: sample.offset,
          detail: "sample \(sample.index + 1) is decoded before the one ahead of it")
      }
      if whole > 0 { add(run.prefix(whole)) }
      guard whole == run.count else {
        let place = sample.offset + whole * sample.size
        throw SyntaxError(
          .truncated, field: "", path: track.path, offset: place,
          detail: "sample \(sample.index + whole + 1) needs \(sample.size) bytes; the file ends at "
            + "\(source.count)")
      }
      last = sample.decodeTime &+ sample.duration &* Int64(run.count - 1)
    }
    doubts += cursor.contradictions
    addDoubts(track, cursor)
  }

  /// Adds doubts about times that cannot be those of the track.
  private mutating func addDoubts(_ track: Track, _ cursor: SampleCursor) {
    guard timescale > 0, count > 0 else { return }
    func milliseconds(_ units: Int64) -> Int64 {
      RationalTime(units, per: timescale).rounded(to: 1000) ?? .max
    }
    let gaps = milliseconds(cursor.gaps.units)
    if cursor.gaps.count > 0, gaps >= 100 {
      doubts.append("fragments do not begin where the previous ones end, by \(gaps) ms in total")
    }
    if repeatedCount > 0 {
      doubts.append("of \(count) samples, \(repeatedCount) are shown at the time of another one")
    }
    let spread = milliseconds(highestOffset &+ lead)
    if spread > 10_000 {
      doubts.append("a sample is shown \(spread) ms after it is decoded")
    }
    guard !track.isFragmented else { return }
    let lasts = milliseconds(duration)
    if let said = track.duration.flatMap(Int64.init(exactly:)),
      milliseconds(said &- duration).magnitude >= 1000
    {
      doubts.append(
        "mdhd has a duration of \(milliseconds(said)) ms, but its samples last \(lasts) ms")
    }
    // Reports an edit that is longer than all samples.
    let edits = ((try? track.edits()) ?? []).filter { $0.mediaTime >= 0 }
    if edits.count == 1, track.movieTimescale > 0,
      let length = Int64(exactly: edits[0].segmentDuration),
      let shown = RationalTime(length, per: track.movieTimescale).rounded(to: 1000),
      shown &- lasts >= 1000
    {
      doubts.append("its edit list shows \(shown) ms, but its samples last \(lasts) ms")
    }
  }

  private mutating func note(_ sample: TrackSample) {
    highestOffset = max(highestOffset, sample.compositionOffset)
    guard sample.compositionOffset != 0 || !lastTimes.isEmpty else { return }
    if lastTimes.contains(sample.compositionTime) { repeatedCount += 1 }
    if lastTimes.count == Self.window { lastTimes.removeFirst() }
    lastTimes.append(sample.compositionTime)
  }

  /// The number of composition times that are remembered to find repeated ones.
  private static let window = 16

  private static let mostRuns = 4

  private mutating func add(_ run: SampleRun) {
    let sample = run.first
    count += run.count
    if let known = runs?.count, known < Self.mostRuns { runs?.append(run) } else { runs = nil }
    // Each run is inside the file, and there are no more samples than fit it.
    bytes = bytes.addingReportingOverflow(run.range.count).partialValue
    coverage.add(run.range)
    note(sample)
    if first == nil { first = sample }
    isUniform =
      isUniform && sample.size == first?.size && sample.size <= 256 && sample.duration == 1
      && sample.compositionOffset == 0 && sample.isSync
    if lastKind?.description != sample.descriptionIndex || lastKind?.isSync != sample.isSync {
      lastKind = (sample.descriptionIndex, sample.isSync)
      descriptions.insert(sample.descriptionIndex)
      if sample.isSync, firstSyncs[sample.descriptionIndex] == nil {
        firstSyncs[sample.descriptionIndex] = sample
      }
    }
    duration = duration &+ sample.duration &* Int64(run.count)
    start = min(start, sample.compositionTime)
    end = max(end, run.compositionEnd)
    lastStart = max(lastStart, run.compositionEnd &- sample.duration)
    lead = max(lead, -sample.compositionOffset)
  }

  /// Returns whether the list ends before the last sample begins, rather than only before it ends.
  func hidesSamples(behind hidden: RationalTime) -> Bool {
    guard let units = hidden.rounded(to: timescale) else { return true }
    return units > end &- lastStart
  }

  /// Returns the duration of the track after the end of its edit list, in units of the movie; `nil` where that is no
  /// more than a rounding error, or the list has no end (8.6.6.1: the last edit of a fragmented movie may last 0).
  /// `timeShift` converts media time to presentation time.
  func hidden(behind edits: [EditList.Edit], of track: Track, timeShift: Int64)
    -> RationalTime?
  {
    guard let last = edits.last, last.segmentDuration > 0 else { return nil }
    var length: UInt64 = 0
    for edit in edits {
      length = length.addingReportingOverflow(edit.segmentDuration).partialValue
    }
    let scale = track.movieTimescale
    guard length > 0, scale > 0, let shown = Int64(exactly: length),
      let all = RationalTime(end &+ timeShift, per: track.timescale).floored(to: scale),
      case (let hidden, false) = all.subtractingReportingOverflow(shown), hidden > 1
    else { return nil }
    return RationalTime(hidden, per: scale)
  }
}

extension SampleRun {
  /// Returns the number of samples of the run that a file of this many bytes holds whole.
  fileprivate func whole(in count: Int) -> Int {
    guard range.upperBound > count else { return self.count }
    guard first.size > 0, first.offset < count else { return 0 }
    return min(self.count, (count - first.offset) / first.size)
  }
}
