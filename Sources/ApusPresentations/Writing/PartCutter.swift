// SPDX-License-Identifier: MIT

/// Determines where the parts of a track end: after the last whole sample within the limit. Times are microseconds of
/// decoding.
struct PartCutter: Sendable {
  /// The longest duration of a part; `nil` while it is unknown.
  var limit: Int64?
  /// The approximate duration of parts, where the first part determines the limit; `nil` where another track does.
  private let wanted: Int64?
  /// The number in the name of the next part.
  var nextNumber: Int
  /// The time at which the part being gathered begins.
  var start: Int64?
  /// The decoding time of the last sample.
  private(set) var last: Int64?
  /// The duration of the sample before it.
  private var step: Int64?
  /// The segment that contains something too long for a part.
  private var brokenSegment: Int?

  init(limit: Int64?, wanted: Int64?, nextNumber: Int) {
    self.limit = limit
    self.wanted = wanted
    self.nextNumber = nextNumber
  }

  /// A cutter for a track that does not lead.
  var following: PartCutter { PartCutter(limit: limit, wanted: nil, nextNumber: nextNumber) }

  private var longest: Int64? { (limit ?? wanted).map { $0 + SegmentBoundaries.tolerance } }

  /// Returns whether all samples before the next one, at `time`, are too long for a part, and there are several.
  func isTooLong(until time: Int64) -> Bool {
    guard let longest, let start, let last, last > start else { return false }
    return time - start > longest
  }

  /// Records a sample that is decoded at this time.
  mutating func note(sampleAt time: Int64) {
    step = last.map { time - $0 }
    last = time
  }

  /// Returns whether the part ends before the sample at `time`, which is expected to last as long as the shorter one of
  /// the two before it.
  func isDue(at time: Int64) -> Bool {
    guard let longest, let start, let last else { return false }
    return time - start + min(time - last, step ?? .max) > longest
  }

  /// Returns the duration of a part for the playlist; `nil` where it is too long to be a part. The rest of its segment
  /// is then not published in parts either, because nothing may be missing between parts.
  mutating func duration(ofPart length: Int64, in segment: Int) -> Int64? {
    settle(length)
    guard let limit, brokenSegment != segment else { return nil }
    guard length <= limit + SegmentBoundaries.tolerance else {
      brokenSegment = segment
      return nil
    }
    // Times of connections are rounded to milliseconds.
    return min(length, limit)
  }

  /// Sets the limit from the first part. All later ones must last at least 85 % of it (RFC 8216bis, 4.4.4.9), which the
  /// requested duration may not allow where there are few pictures per second.
  private mutating func settle(_ length: Int64) {
    guard limit == nil, let wanted else { return }
    let isUsable = length >= wanted / 2 && length <= wanted * 2
    let isNear = length >= wanted * 85 / 100 && length <= wanted
    limit = isNear || !isUsable ? wanted : (length + 1999) / 1000 * 1000
  }

  /// Returns whether the parts of a segment that has ended contain all of it.
  func isWhole(segment: Int) -> Bool { limit != nil && brokenSegment != segment }
}
