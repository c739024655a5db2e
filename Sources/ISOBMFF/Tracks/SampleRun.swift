// SPDX-License-Identifier: MIT

/// Consecutive samples of a track that differ only in their offsets and times.
public struct SampleRun: Hashable, Sendable {
  /// The first sample, whose size and duration apply to all.
  public var first: TrackSample
  /// The number of samples, at least 1.
  public var count: Int

  /// The range of their bytes, which are contiguous.
  public var range: Range<Int> {
    first.offset..<max(first.offset, first.offset &+ first.size &* count)
  }

  /// The end of the last sample's presentation, in media time, before the edit list.
  public var compositionEnd: Int64 { first.compositionTime &+ first.duration &* Int64(count) }

  /// Returns the first `number` samples, at least one and at most all.
  public func prefix(_ number: Int) -> SampleRun { SampleRun(first: first, count: number) }

  /// Returns the samples without the first `number`, which must be fewer than all.
  public func dropping(_ number: Int) -> SampleRun {
    var rest = self
    rest.count -= number
    rest.first.index += number
    rest.first.offset += number * first.size
    rest.first.decodeTime += Int64(number) * first.duration
    return rest
  }
}
