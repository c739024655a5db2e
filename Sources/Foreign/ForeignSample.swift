// SPDX-License-Identifier: MIT

internal import Bytes
internal import Flow

/// A sample on its way out of a foreign container: whole, with the times that the container gave it.
struct ForeignSample: Sendable {
  var payload: Extent
  var isSync: Bool
  /// The times in units of its stream.
  var presentationTime: Int64?
  var decodeTime: Int64?
  /// The duration; 0 where unknown.
  var duration: Int64
  /// The format from here on, where it changes.
  var format: CodedTrack.Format?
  /// What its slices say of its order; only asked where times are missing.
  var order: PictureOrder?
}

/// The place of a picture among those around it, as its slices say it.
struct PictureOrder: Hashable, Sendable {
  var count: Int
  /// Whether all pictures before it are shown before it.
  var startsSequence: Bool
  var bounds: OutputOrder.Bounds
}
