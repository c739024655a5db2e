// SPDX-License-Identifier: MIT

/// Samples of a track that follow each other and differ in nothing but their places and times.
public struct SampleRun: Hashable, Sendable {
  public var first: TrackSample
  /// The number of samples, 1 and more.
  public var count: Int

  /// The range of their bytes, which lie one after the other.
  public var range: Range<Int> {
    first.offset..<max(first.offset, first.offset &+ first.size &* count)
  }

  /// When the last is over, in media time, before the edit list.
  public var compositionEnd: Int64 { first.compositionTime &+ first.duration &* Int64(count) }

  /// Returns the first `number` samples, at least one and not more than all.
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
