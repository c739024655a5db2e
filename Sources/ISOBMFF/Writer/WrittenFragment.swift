// SPDX-License-Identifier: MIT

public import ApusMedia

/// A description of a written fragment or segment of one track.
public struct WrittenFragment: Hashable, Sendable {
  /// A key frame with everything a decoder needs to read it, from the `moof` to its last byte.
  public struct KeyFrame: Hashable, Sendable {
    /// The offset from the beginning of the segment.
    public var offset: Int
    /// The size in bytes.
    public var size: Int
    /// The presentation time.
    public var start: RationalTime

    /// Creates the description of a key frame.
    public init(offset: Int, size: Int, start: RationalTime) {
      (self.offset, self.size, self.start) = (offset, size, start)
    }
  }

  /// The size in bytes, including all boxes.
  public var size: Int
  /// The time of its first sample, on the timeline of the presentation.
  public var start: RationalTime
  /// The end of its last sample.
  public var end: RationalTime
  /// The number of samples.
  public var samples: Int
  /// The sum of its samples' durations.
  public var length: RationalTime
  /// The key frames at the start of its fragments.
  public var keyFrames: [KeyFrame] = []
  /// Whether decoding can begin with its first sample.
  public var startsWithSync: Bool
  /// Whether samples after its first are presented before it, so that they may refer to earlier data.
  public var startsWithLeading: Bool
  /// Whether decoding can begin within it.
  public var hasSync: Bool

  /// The type of its start (`SAP_type`): ISO/IEC 14496-12, Annex I; 0 if no player can begin there.
  var accessType: Int64 { startsWithSync ? (startsWithLeading ? 3 : 1) : 0 }

  /// Returns its key frames, moved by the bytes before it.
  func keyFrames(movedBy bytes: Int) -> [KeyFrame] {
    keyFrames.map { KeyFrame(offset: $0.offset + bytes, size: $0.size, start: $0.start) }
  }

  /// Returns the combination with `next`, which follows directly.
  func joined(with next: WrittenFragment) -> WrittenFragment {
    var result = self
    result.keyFrames += next.keyFrames(movedBy: size)
    result.size += next.size
    result.samples += next.samples
    result.hasSync = hasSync || next.hasSync
    // Both use the units of their track.
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
