// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF
internal import Media

/// A walk over the tables of a track before anything is written: whether they hold, and what only the whole
/// of them tells.
struct MovieTrackSurvey {
  private let timescale: UInt32
  private(set) var count = 0
  /// The bytes of all samples; those that overlap count each time.
  private(set) var bytes = 0
  /// Where in the file the samples are.
  private(set) var coverage = MediaCoverage()
  /// Samples that are not there whole, and what lies after them; none unless the survey was to pass over them.
  private(set) var lost = 0
  private(set) var loss: (any Error)?
  /// All of them, where they are few enough to be kept; `nil` where they have to be walked again.
  private(set) var runs: [SampleRun]? = []
  private(set) var first: TrackSample?
  /// The sample entry of the first sample.
  var firstEntry: Int { first?.descriptionIndex ?? 1 }
  /// Which sample entries are in use.
  private(set) var descriptions: Set<Int> = []
  /// Whether all samples are small, of one size, last one unit and any of them can be the first.
  private(set) var isUniform = true
  /// The first sync sample of each.
  private(set) var firstSyncs: [Int: TrackSample] = [:]
  /// The sample entry of the last sample, and whether it is a sync sample: most that follow are like it.
  private var lastKind: (description: Int, isSync: Bool)?
  /// The magnitude of the lowest composition offset, where that is below 0.
  private(set) var lead: Int64 = 0
  /// When the sample that is shown first is shown, in media time.
  private(set) var start = Int64.max
  /// When the sample that is shown last is over, and when the last one begins.
  private(set) var end = Int64.min
  private var lastStart = Int64.min
  /// What is wrong with the tables, though each sample can be found, as text.
  private(set) var doubts: [String] = []
  /// The highest composition offset, and the composition times of the last samples.
  private var highestOffset = Int64.min
  private var lastTimes: [Int64] = []
  /// Samples that are shown when another is.
  private var repeatedCount = 0
  /// How long all samples last.
  private var duration: Int64 = 0

  /// - Parameter isSalvaging: whether the track ends with the last sample before the first that is damaged.
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

  /// What of the times shows that they are not those of the track.
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
    // One edit shows nothing for longer than there are samples.
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

  /// How many samples are kept back at most until they are shown.
  private static let window = 16

  private static let mostRuns = 4

  private mutating func add(_ run: SampleRun) {
    let sample = run.first
    count += run.count
    if let known = runs?.count, known < Self.mostRuns { runs?.append(run) } else { runs = nil }
    // Each run lies in the file, and there are no more samples than fit it.
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

  /// Whether the list ends before the last sample begins, and not only before it is over.
  func hidesSamples(behind hidden: RationalTime) -> Bool {
    guard let units = hidden.rounded(to: timescale) else { return true }
    return units > end &- lastStart
  }

  /// How much of the track comes after the end of its edit list, in units of the movie; `nil` where that is no
  /// more than rounding, or the list has no end (8.6.6.1: the last edit of a fragmented movie may last 0).
  /// `timeShift` leads from media time to presentation.
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
  /// How many of them a file of so many bytes holds whole.
  fileprivate func whole(in count: Int) -> Int {
    guard range.upperBound > count else { return self.count }
    guard first.size > 0, first.offset < count else { return 0 }
    return min(self.count, (count - first.offset) / first.size)
  }
}
