// SPDX-License-Identifier: MIT

/// One of the eight ways to lay a picture down: left and right may change places, then it is turned clockwise.
public struct Orientation: Hashable, Sendable {
  public var isMirrored: Bool
  /// Clockwise, after mirroring: 0 to 3.
  public var quarterTurns: Int

  public static let upright = Orientation()

  public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
    self.isMirrored = isMirrored
    self.quarterTurns = quarterTurns & 3
  }

  /// How a picture must be turned to be seen upright, by the value of the Orientation tag: Exif 2.32, 4.6.4.
  public init?(exif value: Int) {
    guard let index = Self.exifOrder.firstIndex(where: { $0.value == value }) else { return nil }
    self = Self.exifOrder[index].orientation
  }

  public var exif: Int { Self.exifOrder.first { $0.orientation == self }?.value ?? 1 }

  /// Whether width and height change places.
  public var swapsSides: Bool { quarterTurns % 2 == 1 }

  public var inverse: Orientation {
    Orientation(
      isMirrored: isMirrored, quarterTurns: isMirrored ? quarterTurns : 4 - quarterTurns)
  }

  /// This and then another.
  public func then(_ next: Orientation) -> Orientation {
    // Mirroring after a turn is turning the other way after mirroring.
    let turns = next.isMirrored ? 4 - quarterTurns : quarterTurns
    return Orientation(
      isMirrored: isMirrored != next.isMirrored, quarterTurns: turns + next.quarterTurns)
  }

  private static let exifOrder: [(value: Int, orientation: Orientation)] = [
    (1, Orientation()),
    (2, Orientation(isMirrored: true)),
    (3, Orientation(quarterTurns: 2)),
    (4, Orientation(isMirrored: true, quarterTurns: 2)),
    (5, Orientation(isMirrored: true, quarterTurns: 3)),
    (6, Orientation(quarterTurns: 1)),
    (7, Orientation(isMirrored: true, quarterTurns: 1)),
    (8, Orientation(quarterTurns: 3)),
  ]
}
