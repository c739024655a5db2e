// SPDX-License-Identifier: MIT

public import Media

/// The canvas of a picture before a part of it was kept. Colours at the edges of the part come from samples beyond them,
/// too, where they are interpolated.
struct UncutCanvas: Sendable {
  var width: Int
  var height: Int
  var pieces: [PlannedPiece]
  /// What the pieces show, where that is not what the pieces of the part show.
  var sources: [PlannedSource] = []
  /// The part that was kept.
  var part: PixelRect

  /// The same after a part of that part was kept.
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
  /// The plan of a part of the canvas that reaches further than what was kept of it, by two or three luma samples on each
  /// side where there are as many, and what was kept in it.
  ///
  /// - Parameter margins: how far it reaches on the left and at the top.
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
      // Alpha of other sides is scaled, and does not say what lies beyond it.
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
