// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples

/// A sample from a foreign container: whole, with the times from the container.
struct ForeignSample: Sendable {
  var payload: Extent
  var isSync: Bool
  /// The times in units of its stream.
  var presentationTime: Int64?
  var decodeTime: Int64?
  /// The duration; 0 where unknown.
  var duration: Int64
  /// The new format from here on, if it changes.
  var format: CodedTrack.Format?
  /// The order from its slices, which is only read if times are missing.
  var order: PictureOrder?
}

/// The place of a picture among those around it, according to its slices.
struct PictureOrder: Hashable, Sendable {
  var count: Int
  /// Whether all pictures before it are shown before it.
  var startsSequence: Bool
  var bounds: OutputOrder.Bounds
}
