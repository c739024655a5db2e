// SPDX-License-Identifier: MIT

public import Media

/// The time, in that of its tracks, at which a presentation begins when each track is written on its own.
public enum PresentationStart {
  /// Returns the first presentation of any track, or 0 where some samples lie before it, which are then decoded and not
  /// shown; `nil` without tracks.
  public static func of(_ tracks: [(start: RationalTime, end: RationalTime)]) -> RationalTime? {
    TrackTimeline.origin(of: tracks)
  }
}
