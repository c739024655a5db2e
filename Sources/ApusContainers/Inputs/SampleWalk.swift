// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The samples of a track that was surveyed. If there are few, the survey kept them, so that very many short tracks
/// need neither a second walk nor the tables for it; otherwise the tables are walked again.
struct SampleWalk: Sendable {
  private var kept: ArraySlice<SampleRun>
  private var cursor: SampleCursor?

  init(_ track: Track, _ survey: MovieTrackSurvey) {
    kept = survey.runs?[...] ?? []
    cursor = survey.runs == nil ? track.samples() : nil
  }

  /// Returns the next sample with the similar ones after it; `nil` after the last.
  ///
  /// - Parameter most: the most samples to return, at least 1.
  mutating func nextRun(upTo most: Int) throws -> SampleRun? {
    guard let run = kept.first else { return try cursor?.nextRun(upTo: most) }
    guard run.count > most else { return kept.removeFirst() }
    kept[kept.startIndex] = run.dropping(most)
    return run.prefix(most)
  }

  /// Frees everything that only further samples would need.
  mutating func end() { (kept, cursor) = ([], nil) }
}
