// SPDX-License-Identifier: MIT

/// The rungs of a ladder that are made from pictures of a given size: a rung larger than the pictures is left out if
/// another one of its codec is about as large as they are.
struct LadderPlan: Sendable {
  private(set) var rungs: [Ladder.Rung] = []
  private(set) var leftOut: [(rung: Ladder.Rung, reason: String)] = []

  /// The part of the source's width that a smaller rung must reach for a larger rung to be left out.
  private static let nearness = 0.8

  /// - Parameters:
  ///   - width: the width of the decoded pictures after cropping; 0 if unknown.
  init(_ ladder: Ladder, width: Int, height: Int) {
    for rung in ladder.rungs {
      let others = ladder.rungs.filter { $0.codec == rung.codec && $0.height < rung.height }
      let isLarger = width > 0 && height > 0 && rung.bound.isLarger(than: width, height)
      if isLarger, let other = others.first(where: { Self.reaches($0, width, height) }) {
        leftOut.append(
          (rung, "is larger than the video, and \(other.name) is about as large as the video"))
      } else if rungs.contains(where: { $0.codec == rung.codec && $0.height == rung.height }) {
        leftOut.append((rung, "is given twice"))
      } else {
        rungs.append(rung)
      }
    }
  }

  private static func reaches(_ rung: Ladder.Rung, _ width: Int, _ height: Int) -> Bool {
    let size = rung.bound.fitted(width: width, height: height)
    return Double(size.width) >= nearness * Double(width)
  }
}

extension SizeBound {
  /// Returns whether pictures fit with room on both sides.
  fileprivate func isLarger(than width: Int, _ height: Int) -> Bool {
    max(width, height) < longSide && min(width, height) < shortSide
  }
}
