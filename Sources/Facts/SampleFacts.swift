// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// What a walk over all samples of a track tells, without looking into them.
public struct SampleFacts: Hashable, Sendable {
  public var count = 0
  public var bytes = 0
  public var largest = 0
  /// The duration of all samples, in media time.
  public var duration: Int64 = 0
  /// The shortest and the longest duration of all samples but the last, which many writers round.
  public var shortest: Int64?
  public var longest: Int64?
  public var keyCount = 0
  /// The greatest number of samples from one key sample to the next.
  public var longestGroup = 0
  /// How many samples lie beyond the end of the file.
  public var missing = 0

  /// Walks as far as the tables go; the error says where they end too early.
  ///
  /// - Parameter look: what else is done with each sample.
  static func gather(
    _ track: Track, in source: any ByteSource, look: (TrackSample) -> Void
  ) -> (SampleFacts, SyntaxError?) {
    var facts = SampleFacts()
    var cursor = track.samples()
    var lastKey = 0
    var lastDuration: Int64?
    do throws(SyntaxError) {
      while let sample = try cursor.next() {
        if let last = lastDuration {
          facts.shortest = min(facts.shortest ?? last, last)
          facts.longest = max(facts.longest ?? last, last)
        }
        lastDuration = sample.duration
        if sample.isSync {
          if facts.keyCount > 0 {
            facts.longestGroup = max(facts.longestGroup, facts.count - lastKey)
          }
          lastKey = facts.count
          facts.keyCount += 1
        }
        facts.add(sample, end: source.count)
        look(sample)
        // Tables of a few bytes can announce billions of samples that are nowhere.
        guard facts.missing < 1 << 20 else {
          throw SyntaxError(
            .limit, field: "samples", path: track.path, offset: track.located.node.start,
            detail: "are announced that the file cannot hold")
        }
      }
    } catch {
      return (facts.closed(lastKey), error)
    }
    return (facts.closed(lastKey), nil)
  }

  private mutating func add(_ sample: TrackSample, end: Int) {
    count += 1
    duration += sample.duration
    if sample.range.upperBound > end { missing += 1 }
    // What several samples share is counted for each; a sum beyond 2^63 says nothing.
    bytes = bytes.addingReportingOverflow(sample.size).overflow ? .max : bytes + sample.size
    largest = max(largest, sample.size)
  }

  private func closed(_ lastKey: Int) -> SampleFacts {
    var facts = self
    if keyCount > 0 { facts.longestGroup = max(longestGroup, count - lastKey) }
    return facts
  }
}
