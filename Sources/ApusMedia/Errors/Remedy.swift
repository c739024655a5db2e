// SPDX-License-Identifier: MIT

/// An action that a user can take about an error or a warning. A library states the choice; a program words it as one
/// of its settings.
public enum Remedy: String, Hashable, Sendable, Codable {
  /// Transcode the media to a common format.
  case coding
  /// Choose between the dialects of HEVC in FLV.
  case dialect
  /// Send the legacy dialect (codec id 12).
  case legacyDialect
  /// Specify the frame rate of a stream without one.
  case frameRate
  /// Select one of several items, or another item.
  case item
  /// Make a thumbnail if the photo has none.
  case madeThumbnail
  /// Give different names to the outputs of different photos.
  case otherName
  /// Read files outside the folder of a playlist.
  case outside
  /// Start from the beginning instead of resuming.
  case restart
  /// Keep the readable parts of a damaged input.
  case salvage
  /// Move the parameter sets into the record.
  case setsInRecord
  /// Select some of the tracks.
  case tracks
}
