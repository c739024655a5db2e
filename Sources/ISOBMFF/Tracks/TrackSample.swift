// SPDX-License-Identifier: MIT

/// One sample: where its bytes are, and when it is decoded and shown.
public struct TrackSample: Hashable, Sendable {
  /// The index of the sample, counted from 0 through the sample table and all fragments.
  public var index: Int
  /// The offset from the start of the file that holds it.
  public var offset: Int
  public var size: Int
  /// The time at which it is decoded, in media time.
  public var decodeTime: Int64
  public var compositionOffset: Int64
  public var duration: Int64
  /// Whether decoding may begin here.
  public var isSync: Bool
  /// The sample entry, counted from 1.
  public var descriptionIndex: Int

  /// When it is shown, in media time, before the edit list.
  public var compositionTime: Int64 { decodeTime &+ compositionOffset }

  public var range: Range<Int> { offset..<max(offset, offset &+ size) }
}
