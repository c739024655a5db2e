// SPDX-License-Identifier: MIT

public import ApusMedia

/// The time, on the timeline of its tracks, at which a presentation begins if each track is written separately.
public enum PresentationStart {
  /// Returns the earliest presentation time of any track, or 0 if some samples are earlier, which are then decoded but
  /// not presented; `nil` without tracks.
  public static func of(_ tracks: [(start: RationalTime, end: RationalTime)]) -> RationalTime? {
    TrackTimeline.origin(of: tracks)
  }
}
