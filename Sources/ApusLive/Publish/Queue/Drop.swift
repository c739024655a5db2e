// SPDX-License-Identifier: MIT

/// Pictures of one kind that were not sent.
public struct Drop: Hashable, Sendable {
  /// The reason for dropping pictures.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// RASL and RADL pictures.
    case leading
    /// Pictures to which no other refers.
    case nonReference = "non-reference"
    /// The highest temporal sub-layer.
    case sublayer = "sub-layer"
    /// All up to the next random access picture.
    case untilKeyFrame = "until-key-frame"
    /// Pictures that cannot be decoded without others that were dropped.
    case dependent
    /// Pictures whose time passed while there was no connection; sound is counted here too.
    case outage
  }

  /// The reason for dropping them.
  public var kind: Kind
  /// The number of samples dropped.
  public var samples: Int
  /// Their size in bytes.
  public var bytes: Int
  /// Decoding times in the stream, of the first and the last.
  public var times: ClosedRange<Duration>
}

extension [Drop] {
  /// Adds a drop to the one of the same kind.
  package mutating func merge(_ drop: Drop) {
    guard let index = firstIndex(where: { $0.kind == drop.kind }) else { return append(drop) }
    self[index].samples += drop.samples
    self[index].bytes += drop.bytes
    let (old, new) = (self[index].times, drop.times)
    self[index].times =
      Swift.min(old.lowerBound, new.lowerBound)...Swift.max(old.upperBound, new.upperBound)
  }

  mutating func add(_ kind: Drop.Kind, bytes: Int, time: Duration) {
    merge(Drop(kind: kind, samples: 1, bytes: bytes, times: time...time))
  }
}
