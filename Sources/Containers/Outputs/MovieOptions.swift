// SPDX-License-Identifier: MIT

public import ISOBMFF
public import Media

/// How movies are written.
public struct MovieOptions: Hashable, Sendable {
  public var style = MovieStyle.mp4
  /// How much of a track lies together in a plain file before the next track's turn comes.
  public var chunkDuration = RationalTime.milliseconds(500)
  /// A fragment is no longer than this, and what a fragmented file loses when its writer dies is no more.
  public var longestFragment = RationalTime.milliseconds(2000)
  /// A key frame begins a fragment where the one before is at least as long as this.
  public var shortestFragment = RationalTime.milliseconds(250)
  /// The time from which on nothing is shown, whatever samples there are.
  public var end: RationalTime?

  public init() {}
}
