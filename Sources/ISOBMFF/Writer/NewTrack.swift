// SPDX-License-Identifier: MIT

public import Bytes

/// A track that will be written, and what its samples are.
public struct NewTrack: Sendable {
  /// The type of the handler: `vide`, `soun`, `text` …
  public var handler: FourCC
  /// The name of the handler, as people see it; where it is empty, a word for the kind of track is written.
  public var name = ""
  /// When the track and its media were made, in seconds since 1904; those of the movie where they are `nil`.
  public var creationTime: UInt64?
  public var mediaCreationTime: UInt64?
  /// Whether it is played unless another is chosen.
  public var isEnabled = true
  /// Tracks with the same number stand for each other; 0 for one that stands for itself.
  public var alternateGroup: Int16 = 0
  public var layer: Int16 = 0
  /// The volume, in 8.8 fixed point.
  public var volume: Int16 = 0
  /// The media header: `vmhd`, `smhd`, `gmhd` …; where it is `nil`, the one that the handler asks for is written.
  public var mediaHeader: Node?
  /// What else is in `mdia`: `elng`.
  public var mediaBoxes: [Node] = []
  /// What else is in `trak`: `udta`, `tapt` and the like.
  public var boxes: [Node] = []
  /// Which other tracks it refers to, by their place among all.
  public var references: [(type: FourCC, tracks: [Int])] = []
  /// The groups of its samples, by the numbers that the samples had (`NewSample.number`).
  public var groupings: [SampleGrouping] = []
  /// An edit list that says more than when the first sample is shown; `nil` where times say it all.
  public var edits: NewEdits?
  /// The number of units of its times in a second.
  public var timescale: UInt32
  /// The language as three letters (ISO 639-2).
  public var language = "und"
  /// One of QuickTime's language numbers, which replaces `language`.
  public var languageCode: UInt16?
  /// The width at which it is shown, in 16.16 fixed point; 0 for sound.
  public var width: UInt32 = 0
  public var height: UInt32 = 0
  public var matrix = TransformationMatrix()
  /// How long the only sample lasts where nothing tells it.
  public var defaultDuration: Int64?
  /// What is in `stsd`; samples name their entry by its place here.
  public var sampleEntries: [Node] = []

  public init(_ handler: FourCC, timescale: UInt32) {
    self.handler = handler
    self.timescale = timescale
    if handler == "soun" { (volume, alternateGroup) = (0x100, 1) }
  }
}
