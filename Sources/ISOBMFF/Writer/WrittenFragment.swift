// SPDX-License-Identifier: MIT

public import Media

/// What a fragment or a segment of one track came to.
public struct WrittenFragment: Hashable, Sendable {
  /// A key frame with all that a decoder needs to read it, from the `moof` to its own last byte.
  public struct KeyFrame: Hashable, Sendable {
    /// The offset from the beginning of the segment.
    public var offset: Int
    /// The size in bytes.
    public var size: Int
    /// The time at which it is shown, in the presentation.
    public var start: RationalTime

    public init(offset: Int, size: Int, start: RationalTime) {
      (self.offset, self.size, self.start) = (offset, size, start)
    }
  }

  /// The size in bytes, with all its boxes.
  public var size: Int
  /// When the first of its samples is shown, in the presentation.
  public var start: RationalTime
  /// When the last of them is over.
  public var end: RationalTime
  public var samples: Int
  /// How long its samples last one after the other, in the order of decoding.
  public var length: RationalTime
  /// The key frames with which its fragments begin.
  public var keyFrames: [KeyFrame] = []
  /// Whether a decoder can begin with its first sample.
  public var startsWithSync: Bool
  /// Whether samples after its first are shown ahead of it, so that they may refer to what came before.
  public var startsWithLeading: Bool
  /// Whether a decoder can begin somewhere in it.
  public var hasSync: Bool

  /// How it begins (`SAP_type`): ISO/IEC 14496-12, Annex I; 0 where no player can begin there.
  var accessType: Int64 { startsWithSync ? (startsWithLeading ? 3 : 1) : 0 }

  /// Its key frames where so many bytes precede it.
  func keyFrames(movedBy bytes: Int) -> [KeyFrame] {
    keyFrames.map { KeyFrame(offset: $0.offset + bytes, size: $0.size, start: $0.start) }
  }

  /// What both are together; `next` follows at once.
  func joined(with next: WrittenFragment) -> WrittenFragment {
    var result = self
    result.keyFrames += next.keyFrames(movedBy: size)
    result.size += next.size
    result.samples += next.samples
    result.hasSync = hasSync || next.hasSync
    // Both count in units of their track.
    result.length = RationalTime(
      length.value &+ next.length.value, per: max(length.timescale, next.length.timescale))
    if next.start.isBefore(start) {
      result.start = next.start
      result.startsWithLeading = true
    }
    if end.isBefore(next.end) { result.end = next.end }
    return result
  }
}
