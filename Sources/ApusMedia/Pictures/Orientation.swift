// SPDX-License-Identifier: MIT

/// One of the eight orientations: an optional swap of left and right, followed by a clockwise rotation.
public struct Orientation: Hashable, Sendable {
  /// Whether left and right are swapped before the rotation.
  public var isMirrored: Bool
  /// The clockwise quarter turns after mirroring, 0 to 3.
  public var quarterTurns: Int

  /// The orientation that changes nothing.
  public static let upright = Orientation()

  /// Creates an orientation; quarter turns outside 0 to 3 are reduced to that range.
  public init(isMirrored: Bool = false, quarterTurns: Int = 0) {
    self.isMirrored = isMirrored
    self.quarterTurns = quarterTurns & 3
  }

  /// Creates the orientation that makes a picture upright, from the value of the Orientation tag: Exif 2.32, 4.6.4.
  public init?(exif value: Int) {
    guard let index = Self.exifOrder.firstIndex(where: { $0.value == value }) else { return nil }
    self = Self.exifOrder[index].orientation
  }

  /// The value of the Orientation tag, 1 to 8: Exif 2.32, 4.6.4.
  public var exif: Int { Self.exifOrder.first { $0.orientation == self }?.value ?? 1 }

  /// Whether width and height are swapped.
  public var swapsSides: Bool { quarterTurns % 2 == 1 }

  /// The orientation that reverses this one.
  public var inverse: Orientation {
    Orientation(
      isMirrored: isMirrored, quarterTurns: isMirrored ? quarterTurns : 4 - quarterTurns)
  }

  /// Returns the combination of this orientation and a following one.
  public func then(_ next: Orientation) -> Orientation {
    // Mirroring after a rotation equals rotating the other way after mirroring.
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
