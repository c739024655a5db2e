// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF
internal import Media

/// A walk over the tables of a track before anything is written: whether they hold, and what only the whole
/// of them tells.
struct MovieTrackSurvey {
  private(set) var first: TrackSample?
  /// Which sample entries are in use.
  private(set) var descriptions: Set<Int> = []
  /// The first sync sample of each.
  private(set) var firstSyncs: [Int: TrackSample] = [:]
  /// The magnitude of the lowest composition offset, where that is below 0.
  private(set) var lead: Int64 = 0
  /// When the sample that is shown first is shown, in media time.
  private(set) var start = Int64.max
  /// When the sample that is shown last is over.
  private(set) var end = Int64.min

  init(_ track: Track, in source: any ByteSource) throws(SyntaxError) {
    var cursor = track.samples()
    var last: Int64?
    var count = 0
    while let sample = try cursor.next() {
      count += 1
      guard sample.range.upperBound <= source.count else {
        throw SyntaxError(
          .truncated, field: "", path: track.path, offset: sample.offset,
          detail: "sample \(sample.index + 1) needs \(sample.size) bytes; the file ends at "
            + "\(source.count)")
      }
      // Tables of a few bytes can announce billions of samples without bytes.
      guard count <= source.count + 1 << 20 else {
        throw SyntaxError(
          .limit, field: "samples", path: track.path, offset: 0,
          detail: "are announced that the file cannot hold")
      }
      if let last, sample.decodeTime < last {
        throw SyntaxError(
          .invalid, field: "", path: track.path, offset: sample.offset,
          detail: "sample \(sample.index + 1) is decoded before the one ahead of it")
      }
      last = sample.decodeTime
      if first == nil { first = sample }
      descriptions.insert(sample.descriptionIndex)
      if sample.isSync, firstSyncs[sample.descriptionIndex] == nil {
        firstSyncs[sample.descriptionIndex] = sample
      }
      start = min(start, sample.compositionTime)
      end = max(end, sample.compositionTime &+ sample.duration)
      lead = max(lead, -sample.compositionOffset)
    }
  }

  /// How many milliseconds of the track stand behind the end of its edit list, where that is more than
  /// rounding; `timeShift` leads from media time to presentation.
  func hidden(behind track: Track, timeShift: Int64) -> Int64? {
    var length: UInt64 = 0
    for edit in track.edits {
      length = length.addingReportingOverflow(edit.segmentDuration).partialValue
    }
    guard length > 0, track.movieTimescale > 0, let value = Int64(exactly: length),
      let shown = RationalTime(value, per: track.movieTimescale).rounded(to: 1000),
      let all = RationalTime(end &+ timeShift, per: track.timescale).rounded(to: 1000)
    else { return nil }
    let (hidden, overflow) = all.subtractingReportingOverflow(shown)
    return overflow || hidden < 100 ? nil : hidden
  }
}
