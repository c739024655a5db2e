// SPDX-License-Identifier: MIT

public import ApusMedia

/// The canvas of a picture before it was cropped. Colours at the edges of the part are interpolated with samples beyond
/// them.
struct UncutCanvas: Sendable {
  var width: Int
  var height: Int
  var pieces: [PlannedPiece]
  /// The sources that the pieces need.
  var sources: [PlannedSource] = []
  /// The part that was kept.
  var part: PixelRect

  /// Returns the canvas with a further crop of the part.
  func cut(to rect: PixelRect) -> UncutCanvas {
    var canvas = self
    canvas.part = PixelRect(
      x: part.x + rect.x, y: part.y + rect.y, width: rect.width, height: rect.height)
    return canvas
  }

  func laid(_ next: Orientation) -> UncutCanvas {
    var canvas = self
    canvas.pieces = pieces.map { $0.laid(next, inWidth: width, height: height) }
    canvas.part = part.laid(next, inWidth: width, height: height)
    if next.swapsSides { swap(&canvas.width, &canvas.height) }
    return canvas
  }
}

extension PicturePlan {
  /// Returns the plan of a part of the canvas that extends two or three luma samples beyond the crop on each side,
  /// where possible, and the rectangle of the crop in it.
  ///
  /// - Parameter margins: the extension on the left and at the top.
  public func uncut(by margins: (left: Int, top: Int)) -> (plan: PicturePlan, kept: PixelRect)? {
    guard let uncut else { return nil }
    let kept = uncut.part
    let left = max(kept.x - margins.left, 0)
    let top = max(kept.y - margins.top, 0)
    let wide = PixelRect(
      x: left, y: top, width: min(kept.maxX + 2, uncut.width) - left,
      height: min(kept.maxY + 2, uncut.height) - top)
    var plan = self
    plan.uncut = nil
    (plan.width, plan.height) = (wide.width, wide.height)
    plan.sources = uncut.sources
    plan.pieces = uncut.pieces.compactMap {
      $0.moved(x: -wide.x, y: -wide.y, inWidth: wide.width, height: wide.height)
    }
    plan.alpha = []
    for alpha in alpha {
      // Alpha with another size is scaled, and has no samples beyond the crop.
      guard let other = alpha.uncut, (other.width, other.height) == (uncut.width, uncut.height),
        other.part == kept, let wide = alpha.uncut(by: margins)
      else { return nil }
      plan.alpha.append(wide.plan)
    }
    return (
      plan,
      PixelRect(
        x: kept.x - left, y: kept.y - top, width: kept.width, height: kept.height)
    )
  }
}
