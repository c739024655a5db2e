// SPDX-License-Identifier: MIT

/// The pictures of a short-term reference picture set, by their distance in picture order count.
public struct ReferencePictureDeltas: Hashable, Sendable {
  /// A picture that may be referred to.
  public struct Picture: Hashable, Sendable {
    /// `DeltaPocS0` or `DeltaPocS1`.
    public var deltaPOC: Int
    /// Whether the current picture itself may refer to it, instead of only later ones.
    public var isUsed: Bool
  }

  /// The pictures earlier in output order, nearest first (`S0`).
  public var negative: [Picture] = []
  /// The pictures later in output order, nearest first (`S1`).
  public var positive: [Picture] = []

  /// `NumDeltaPocs`.
  public var count: Int { negative.count + positive.count }
  /// The number of pictures that the current picture may refer to.
  public var usedCount: Int {
    negative.count(where: \.isUsed) + positive.count(where: \.isUsed)
  }

  init() {}

  init(
    negative: [ShortTermReferencePictureSet.Neighbour],
    positive: [ShortTermReferencePictureSet.Neighbour]
  ) {
    self.negative = Self.pictures(negative, sign: -1)
    self.positive = Self.pictures(positive, sign: 1)
  }

  private static func pictures(
    _ neighbours: [ShortTermReferencePictureSet.Neighbour], sign: Int
  ) -> [Picture] {
    var distance = 0
    return neighbours.map { neighbour in
      distance += Int(neighbour.deltaPOCMinus1) + 1
      return Picture(deltaPOC: sign * distance, isUsed: neighbour.usedByCurrPicFlag)
    }
  }

  /// Returns the set that is predicted from this one: ITU-T H.265, (7-61) and (7-62).
  ///
  /// - Parameter flags: one for each picture of this set, and a last one for the picture that it belongs to.
  func shifted(
    by delta: Int, _ flags: [ShortTermReferencePictureSet.Predicted]
  ) -> ReferencePictureDeltas {
    guard flags.count == count + 1 else { return ReferencePictureDeltas() }
    var result = ReferencePictureDeltas()
    let s0 = zip(negative, flags).map { ($0.deltaPOC + delta, $1) }
    let s1 = zip(positive, flags.dropFirst(negative.count)).map { ($0.deltaPOC + delta, $1) }
    let own = [(delta, flags[count])]
    for (distance, flag) in s1.reversed() + own + s0 where distance < 0 && flag.useDeltaFlag {
      result.negative.append(Picture(deltaPOC: distance, isUsed: flag.usedByCurrPicFlag))
    }
    for (distance, flag) in s0.reversed() + own + s1 where distance > 0 && flag.useDeltaFlag {
      result.positive.append(Picture(deltaPOC: distance, isUsed: flag.usedByCurrPicFlag))
    }
    return result
  }
}
