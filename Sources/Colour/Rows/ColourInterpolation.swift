// SPDX-License-Identifier: MIT

internal import Media

/// How colour samples become as many as luma has: where a luma sample lies between two of them, it gets more of the
/// nearer one, by straight lines. Where a direction has no parts, a colour sample stands for all the luma samples that
/// it belongs to.
struct ColourInterpolation: Hashable, Sendable {
  /// By which part of the way the first luma sample of a pair lies towards the colour sample before its own, and the
  /// second one towards that after it.
  struct Parts: Hashable, Sendable {
    var before: Float
    var after: Float

    /// - Parameter place: of the colour sample, in halves of the distance between the two luma samples.
    init(_ place: Int) {
      before = Float(place) / 4
      after = Float(2 - place) / 4
    }
  }

  private(set) var across: Parts?
  private(set) var down: Parts?

  static let none = ColourInterpolation()

  private init() {}

  /// The directions in which the result has more colour samples are interpolated, and no others: means of samples that
  /// were interpolated would be blurred.
  init(from source: Chroma, at site: ChromaSite, to target: Chroma) {
    if source.shiftX > target.shiftX { across = Parts(site.across) }
    if source.shiftY > target.shiftY { down = Parts(site.down) }
  }
}
