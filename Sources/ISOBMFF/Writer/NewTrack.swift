// SPDX-License-Identifier: MIT

public import ApusBytes

/// A track to be written, with the properties of its samples.
public struct NewTrack: Sendable {
  /// The type of the handler, such as `vide`, `soun` or `text`.
  public var handler: FourCC
  /// The name of the handler, as shown to users; if empty, a word for the kind of track is written.
  public var name = ""
  /// The creation time of the track and its media, in seconds since 1904; `nil` for that of the movie.
  public var creationTime: UInt64?
  /// The creation time of the media, in seconds since 1904; `nil` for that of the movie.
  public var mediaCreationTime: UInt64?
  /// Whether the track is played unless another one is chosen.
  public var isEnabled = true
  /// The group of alternative tracks; 0 for a track without alternatives.
  public var alternateGroup: Int16 = 0
  /// The stacking order of video; tracks with lower numbers are closer to the viewer.
  public var layer: Int16 = 0
  /// The volume, in 8.8 fixed point.
  public var volume: Int16 = 0
  /// The media header, such as `vmhd`, `smhd` or `gmhd`; if `nil`, the one that suits the handler is written.
  public var mediaHeader: Node?
  /// Further boxes in `mdia`: `elng`.
  public var mediaBoxes: [Node] = []
  /// Further boxes in `trak`: `udta`, `tapt` and others.
  public var boxes: [Node] = []
  /// The tracks that it refers to, given by index among all.
  public var references: [(type: FourCC, tracks: [Int])] = []
  /// The groups of its samples, which are identified by `NewSample.number`.
  public var groupings: [SampleGrouping] = []
  /// An edit list that does more than delay the first sample; `nil` if times are sufficient.
  public var edits: NewEdits?
  /// The units per second of its times.
  public var timescale: UInt32
  /// The language as three letters (ISO 639-2).
  public var language = "und"
  /// A QuickTime language number, which replaces `language`.
  public var languageCode: UInt16?
  /// The displayed width, in 16.16 fixed point; 0 for sound.
  public var width: UInt32 = 0
  /// The displayed height, in 16.16 fixed point; 0 for sound.
  public var height: UInt32 = 0
  /// The placement of pictures when they are displayed.
  public var matrix = TransformationMatrix()
  /// The duration of the only sample if it is not stated.
  public var defaultDuration: Int64?
  /// The entries in `stsd`, which samples refer to by index.
  public var sampleEntries: [Node] = []

  /// Creates a track without sample entries; sound gets the full volume and an alternate group.
  ///
  /// - Parameter timescale: the units per second of its times.
  public init(_ handler: FourCC, timescale: UInt32) {
    self.handler = handler
    self.timescale = timescale
    if handler == "soun" { (volume, alternateGroup) = (0x100, 1) }
  }
}
