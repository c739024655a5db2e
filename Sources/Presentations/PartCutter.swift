// SPDX-License-Identifier: MIT

/// Decides where the parts of a track end: with the last whole sample within the limit. Times are microseconds of decoding.
struct PartCutter: Sendable {
  /// No part is longer; `nil` while that is not known.
  var limit: Int64?
  /// About how long parts shall be, where the first one decides on the limit; `nil` where another track does.
  private let wanted: Int64?
  /// The number in the name of the next part.
  var nextNumber: Int
  /// When the part that is gathered begins.
  var start: Int64?
  /// When the last sample that came is decoded.
  private(set) var last: Int64?
  /// How long the sample before it lasted.
  private var step: Int64?
  /// The segment that has something in it that is too long for a part.
  private var brokenSegment: Int?

  init(limit: Int64?, wanted: Int64?, nextNumber: Int) {
    self.limit = limit
    self.wanted = wanted
    self.nextNumber = nextNumber
  }

  /// The same for a track that does not lead.
  var following: PartCutter { PartCutter(limit: limit, wanted: nil, nextNumber: nextNumber) }

  private var longest: Int64? { (limit ?? wanted).map { $0 + SegmentBoundaries.tolerance } }

  /// Whether all samples before the next one, at `time`, are too long for a part, and there are several.
  func isTooLong(until time: Int64) -> Bool {
    guard let longest, let start, let last, last > start else { return false }
    return time - start > longest
  }

  /// A sample came that is decoded at this time.
  mutating func note(sampleAt time: Int64) {
    step = last.map { time - $0 }
    last = time
  }

  /// Whether the part ends before the sample at `time`, which is expected to last as long as the shorter one of the two
  /// before it.
  func isDue(at time: Int64) -> Bool {
    guard let longest, let start, let last else { return false }
    return time - start + min(time - last, step ?? .max) > longest
  }

  /// What a playlist says of the length of a part; `nil` where it is too long to be one. What follows it in its segment is
  /// no part either, for nothing may be missing between parts.
  mutating func duration(ofPart length: Int64, in segment: Int) -> Int64? {
    settle(length)
    guard let limit, brokenSegment != segment else { return nil }
    guard length <= limit + SegmentBoundaries.tolerance else {
      brokenSegment = segment
      return nil
    }
    // Times of connections are milliseconds.
    return min(length, limit)
  }

  /// Decides on the limit by the first part. All later ones have at least 85 % of it (RFC 8216bis, 4.4.4.9), which does not
  /// hold for what was wanted where few pictures come in a second.
  private mutating func settle(_ length: Int64) {
    guard limit == nil, let wanted else { return }
    let isUsable = length >= wanted / 2 && length <= wanted * 2
    let isNear = length >= wanted * 85 / 100 && length <= wanted
    limit = isNear || !isUsable ? wanted : (length + 1999) / 1000 * 1000
  }

  /// Whether the parts of a segment that has ended are all that it holds.
  func isWhole(segment: Int) -> Bool { limit != nil && brokenSegment != segment }
}
