// SPDX-License-Identifier: MIT

/// A sample: the range of its bytes, and its decoding and presentation times.
public struct TrackSample: Hashable, Sendable {
  /// The index of the sample, from 0 across the sample table and all fragments.
  public var index: Int
  /// The offset from the start of the file.
  public var offset: Int
  /// The size in bytes.
  public var size: Int
  /// The decoding time, in media time.
  public var decodeTime: Int64
  /// The time from decoding to presentation, in media time; may be negative.
  public var compositionOffset: Int64
  /// The duration, in media time.
  public var duration: Int64
  /// Whether decoding may begin here.
  public var isSync: Bool
  /// The number of the sample entry, from 1.
  public var descriptionIndex: Int

  /// The presentation time, in media time, before the edit list.
  public var compositionTime: Int64 { decodeTime &+ compositionOffset }

  /// The range of its bytes in the file; empty for a size that is invalid.
  public var range: Range<Int> { offset..<max(offset, offset &+ size) }
}
