// SPDX-License-Identifier: MIT

/// Pictures of one kind that were not sent.
public struct Drop: Hashable, Sendable {
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

  public var kind: Kind
  public var samples: Int
  public var bytes: Int
  /// Decoding times of the first and the last, in milliseconds of the stream.
  public var times: ClosedRange<Int64>
}

extension [Drop] {
  mutating func add(_ kind: Drop.Kind, bytes: Int, time: Int64) {
    if let index = firstIndex(where: { $0.kind == kind }) {
      self[index].samples += 1
      self[index].bytes += bytes
      let times = self[index].times
      self[index].times = Swift.min(times.lowerBound, time)...Swift.max(times.upperBound, time)
    } else {
      append(Drop(kind: kind, samples: 1, bytes: bytes, times: time...time))
    }
  }
}
