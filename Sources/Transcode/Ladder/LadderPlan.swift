// SPDX-License-Identifier: MIT

/// The rungs of a ladder that are made of pictures of a size: none is larger than these, nor nearly as large as another
/// of its codec that is made.
struct LadderPlan: Sendable {
  private(set) var rungs: [Ladder.Rung] = []
  private(set) var leftOut: [(rung: Ladder.Rung, reason: String)] = []

  /// How much of the source's sides a smaller rung has to have so that none of the source's own size is made.
  private static let nearness = 0.8

  /// - Parameters:
  ///   - width: of the decoded pictures, with what is cut off left out; 0 where it is not known.
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
  /// Whether pictures fit with room on both sides.
  fileprivate func isLarger(than width: Int, _ height: Int) -> Bool {
    max(width, height) < longSide && min(width, height) < shortSide
  }
}
