// SPDX-License-Identifier: MIT

/// What a person can do about an error or a warning. A library names the choice; a program words it as its own setting.
public enum Remedy: String, Hashable, Sendable {
  /// Code the media anew, so that they are of one kind.
  case coding
  /// Choose between the dialects of HEVC in FLV.
  case dialect
  /// Send the legacy dialect (codec id 12).
  case legacyDialect
  /// Give the frame rate of a stream that does not say it.
  case frameRate
  /// Name one of several items or another item.
  case item
  /// Make a thumbnail where the photo has none.
  case madeThumbnail
  /// Give the outputs of different photos different names.
  case otherName
  /// Read files outside the folder of a playlist.
  case outside
  /// Start from the beginning instead of resuming.
  case restart
  /// Keep what can be read of a damaged input.
  case salvage
  /// Move the parameter sets into the record.
  case setsInRecord
  /// Choose some of the tracks.
  case tracks
}
