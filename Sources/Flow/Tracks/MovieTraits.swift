// SPDX-License-Identifier: MIT

public import Bytes
public import ISOBMFF

/// What a movie says of a track and another movie takes over, as long as the samples are the same.
public struct MovieTraits: Sendable {
  /// The handler: `vide`, `soun`, `text`, `sbtl`, `tmcd`, `meta` …
  public var handler: FourCC
  /// When the track and its media were made, in seconds since 1904; 0 where unknown.
  public var creationTime: UInt64 = 0
  public var mediaCreationTime: UInt64 = 0
  /// Whether it is QuickTime's form of the format.
  public var isQuickTime = false
  /// The language as `mdhd` has it: letters, or one of QuickTime's own numbers.
  public var language: UInt16 = 0x55c4
  public var isEnabled = true
  public var alternateGroup: Int16 = 0
  public var layer: Int16 = 0
  /// The volume, in 8.8 fixed point.
  public var volume: Int16 = 0
  /// The size as it is shown, in 16.16 fixed point.
  public var width: UInt32 = 0
  public var height: UInt32 = 0
  /// The media header: `vmhd`, `gmhd`, `nmhd` …
  public var mediaHeader: Node?
  /// What else is in `mdia`.
  public var mediaBoxes: [Node] = []
  /// The sample groups, by the numbers of samples (`CodedSample.number`).
  public var groupings: [SampleGrouping] = []
  /// The edit list, where it is carried over: for what times of samples cannot say, and for tracks other than video and
  /// audio.
  public var edits: NewEdits?
  /// What is lost where `edits` are, as text.
  public var editLosses: [String] = []
  /// What is lost where the sample entries are, as text.
  public var entryLosses: [String] = []

  public init(_ handler: FourCC) { self.handler = handler }
}
