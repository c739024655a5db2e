// SPDX-License-Identifier: MIT

internal import Media

extension CodedTrack {
  /// What is lost where only the samples go on, as text; `nil` for what is not Dolby Vision.
  ///
  /// - Parameter container: what they go into, which cannot hold a configuration.
  package func dolbyVisionLoss(in container: String) -> String? {
    guard let vision = picture.dolbyVision else { return nil }
    let rest = vision.hasRPUs ? "; the RPUs in its pictures stay" : ""
    return "\(name) is \(vision.name), whose configuration \(container) cannot hold" + rest
  }

  /// The losses when its pictures are re-encoded, as text; `nil` for what is not Dolby Vision.
  package var dolbyVisionLossInCoding: String? {
    guard let vision = picture.dolbyVision else { return nil }
    let colours =
      vision.isExclusive
      ? ", and its colours will be wrong, because only its RPUs describe them" : ""
    return "\(name) is \(vision.name), which is lost in re-encoding" + colours
  }

  /// Why it is nothing by itself; `nil` where it is no enhancement layer, or a movie says what it belongs to.
  package var loneEnhancementLayer: String? {
    guard let vision = picture.dolbyVision, !vision.hasBaseLayer, details.movie == nil else {
      return nil
    }
    return
      "is the enhancement layer of \(vision.name), and nothing says which base layer it belongs "
      + "to"
  }
}
