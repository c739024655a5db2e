// SPDX-License-Identifier: MIT

public import ApusMedia
public import ISOBMFF

/// Options for writing movies.
public struct MovieOptions: Hashable, Sendable {
  /// The brand of the format: MP4 or QuickTime.
  public var style = MovieStyle.mp4
  /// The duration of each chunk of a track in a plain file; chunks of the tracks alternate.
  public var chunkDuration = RationalTime.milliseconds(500)
  /// The longest duration of a fragment; a fragmented file loses no more than this when its writer is killed.
  public var longestFragment = RationalTime.milliseconds(2000)
  /// The duration that a fragment must have reached for a key frame to begin the next one.
  public var shortestFragment = RationalTime.milliseconds(250)
  /// The time after which nothing is shown, even if there are samples.
  public var end: RationalTime?

  /// Creates the default options.
  public init() {}
}
