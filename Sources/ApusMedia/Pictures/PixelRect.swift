// SPDX-License-Identifier: MIT

/// A rectangle of whole luma samples.
public struct PixelRect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var maxX: Int { x + width }
  public var maxY: Int { y + height }
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns the intersection of both; empty if they do not overlap.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(min(maxX, other.maxX) - left, 0),
      height: max(min(maxY, other.maxY) - top, 0))
  }

  /// Returns the rectangle after an orientation was applied to the surrounding picture, which has this size.
  public func laid(_ orientation: Orientation, inWidth width: Int, height: Int) -> PixelRect {
    var rect = self
    var sides = (width, height)
    if orientation.isMirrored { rect.x = width - maxX }
    for _ in 0..<orientation.quarterTurns {
      rect = PixelRect(
        x: sides.1 - rect.maxY, y: rect.x, width: rect.height, height: rect.width)
      sides = (sides.1, sides.0)
    }
    return rect
  }
}
