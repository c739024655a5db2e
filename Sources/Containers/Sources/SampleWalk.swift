// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// The samples of a track that was surveyed. Those of a track that has few were kept by the survey, so that very many short
/// tracks cost neither a second walk nor the tables that it needs; those of other tracks are walked again.
struct SampleWalk: Sendable {
  private var kept: ArraySlice<SampleRun>
  private var cursor: SampleCursor?

  init(_ track: Track, _ survey: MovieTrackSurvey) {
    kept = survey.runs?[...] ?? []
    cursor = survey.runs == nil ? track.samples() : nil
  }

  /// The next sample with those after it that are like it; `nil` after the last.
  ///
  /// - Parameter most: 1 and more.
  mutating func nextRun(upTo most: Int) throws -> SampleRun? {
    guard let run = kept.first else { return try cursor?.nextRun(upTo: most) }
    guard run.count > most else { return kept.removeFirst() }
    kept[kept.startIndex] = run.dropping(most)
    return run.prefix(most)
  }

  /// Lets go of what only further samples would need.
  mutating func end() { (kept, cursor) = ([], nil) }
}
