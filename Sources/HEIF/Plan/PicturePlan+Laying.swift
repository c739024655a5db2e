// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

extension PicturePlan {
  /// Returns the plan with the whole canvas rotated: upright with the Exif orientation, or as stored with
  /// `orientation.inverse`.
  public func laid(_ next: Orientation) -> PicturePlan {
    var plan = self
    plan.pieces = pieces.map { $0.laid(next, inWidth: width, height: height) }
    plan.alpha = alpha.map { $0.laid(next) }
    plan.uncut = uncut?.laid(next)
    if next.swapsSides { swap(&plan.width, &plan.height) }
    plan.orientation = orientation.then(next)
    return plan
  }

  /// Returns the plan of a part of the canvas, which must be within it. Sources that only other parts need are dropped.
  public func cropped(to rect: PixelRect) -> PicturePlan {
    var plan = self
    let bounds = PixelRect(width: width, height: height)
    if rect != bounds {
      let uncut =
        uncut
        ?? UncutCanvas(
          width: width, height: height, pieces: pieces, sources: sources, part: bounds)
      plan.uncut = uncut.cut(to: rect)
    }
    plan.pieces = pieces.compactMap {
      $0.moved(x: -rect.x, y: -rect.y, inWidth: rect.width, height: rect.height)
    }
    plan.alpha = alpha.map { $0.cropped(to: rect) }
    (plan.width, plan.height) = (rect.width, rect.height)
    return plan
  }

  /// The cost of the picture, including its alpha.
  public var cost: PlanCost {
    var cost = PlanCost()
    for plan in [self] + alpha {
      cost.sources += plan.sources.count
      cost.pieces += plan.pieces.count
      for source in plan.sources {
        cost.decodedPixels += source.format.width * source.format.height * source.samples.count
        cost.codedBytes += source.samples.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
      }
      cost.paintedPixels += plan.pieces.reduce(0) { $0 + $1.place.width * $1.place.height }
    }
    return cost
  }
}

/// The cost of a plan.
public struct PlanCost: Hashable, Sendable {
  /// The number of coded pictures, without those that are only references of others.
  public var sources = 0
  /// The number of pieces that are painted.
  public var pieces = 0
  /// The number of luma samples in everything that is decoded.
  public var decodedPixels = 0
  /// The number of luma samples in all pieces, including those that later pieces cover.
  public var paintedPixels = 0
  /// The size of the coded data, in bytes.
  public var codedBytes = 0

  public init() {}
}
