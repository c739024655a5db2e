// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The interpolation of colour samples to the resolution of luma: a luma sample between two colour samples gets a
/// linear mixture of them. If a direction has no parts, a colour sample applies to all luma samples that it belongs to.
struct ColourInterpolation: Hashable, Sendable {
  /// The fractions of the way by which the first luma sample of a pair is moved towards the previous colour sample, and
  /// the second one towards the next.
  struct Parts: Hashable, Sendable {
    var before: Float
    var after: Float

    /// - Parameter place: the position of the colour sample, in halves of the distance between the two luma samples.
    init(_ place: Int) {
      before = Float(place) / 4
      after = Float(2 - place) / 4
    }
  }

  private(set) var across: Parts?
  private(set) var down: Parts?

  static let none = ColourInterpolation()

  private init() {}

  /// Determines the interpolated directions: only those in which the result has more colour samples, because means of
  /// interpolated samples would be blurred.
  init(from source: Chroma, at site: ChromaSite, to target: Chroma) {
    if source.shiftX > target.shiftX { across = Parts(site.across) }
    if source.shiftY > target.shiftY { down = Parts(site.down) }
  }
}
