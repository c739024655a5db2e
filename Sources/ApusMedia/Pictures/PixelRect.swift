// SPDX-License-Identifier: MIT

/// A rectangle of whole luma samples.
public struct PixelRect: Hashable, Sendable {
  /// The column of the left edge.
  public var x: Int
  /// The row of the top edge.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  public init(x: Int = 0, y: Int = 0, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The first column to the right of the rectangle.
  public var maxX: Int { x + width }
  /// The first row below the rectangle.
  public var maxY: Int { y + height }
  /// Whether the rectangle contains no samples.
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
