// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// The properties of a track that another movie takes over, as long as the samples are the same.
public struct MovieTraits: Sendable {
  /// The handler: `vide`, `soun`, `text`, `sbtl`, `tmcd`, `meta` …
  public var handler: FourCC
  /// The times at which the track and its media were created, in seconds since 1904; 0 where unknown.
  public var creationTime: UInt64 = 0
  /// The time at which the media were created, in seconds since 1904; 0 where unknown.
  public var mediaCreationTime: UInt64 = 0
  /// Whether it is QuickTime's form of the format.
  public var isQuickTime = false
  /// The language as stored in `mdhd`: letters, or one of QuickTime's numbers.
  public var language: UInt16 = 0x55c4
  /// Whether the track is played unless the user chooses otherwise (`track_enabled`).
  public var isEnabled = true
  /// The number of the group of which a player chooses one track; 0 for no group.
  public var alternateGroup: Int16 = 0
  /// The stacking order of video; tracks with lower numbers are closer to the viewer.
  public var layer: Int16 = 0
  /// The volume, in 8.8 fixed point.
  public var volume: Int16 = 0
  /// The size at which it is shown, in 16.16 fixed point.
  public var width: UInt32 = 0
  /// The height at which it is shown, in 16.16 fixed point.
  public var height: UInt32 = 0
  /// The media header: `vmhd`, `gmhd`, `nmhd` …
  public var mediaHeader: Node?
  /// The other boxes in `mdia`.
  public var mediaBoxes: [Node] = []
  /// The sample groups, by the indices of samples (`CodedSample.number`).
  public var groupings: [SampleGrouping] = []
  /// The edit list, where it is carried over: for effects that the times of samples cannot express, and for tracks
  /// other than video and audio.
  public var edits: NewEdits?
  /// The losses if `edits` are not carried over, as text.
  public var editLosses: [String] = []
  /// The losses if the sample entries are not carried over, as text.
  public var entryLosses: [String] = []

  /// Creates the properties of a track that has no boxes to carry over.
  public init(_ handler: FourCC) { self.handler = handler }
}
