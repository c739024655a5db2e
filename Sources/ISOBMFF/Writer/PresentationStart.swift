// SPDX-License-Identifier: MIT

public import Media

/// At which time of its tracks a presentation begins, where each of them is written on its own.
public enum PresentationStart {
  /// The first presentation of any track, or 0 where some samples lie before it, which are then decoded and not
  /// shown; `nil` without tracks.
  public static func of(_ tracks: [(start: RationalTime, end: RationalTime)]) -> RationalTime? {
    TrackTimeline.origin(of: tracks)
  }
}
