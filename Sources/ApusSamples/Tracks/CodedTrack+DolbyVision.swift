// SPDX-License-Identifier: MIT

internal import ApusMedia

extension CodedTrack {
  /// Returns what is lost if only the samples are kept, as text; `nil` for anything but Dolby Vision.
  ///
  /// - Parameter container: the target, which cannot hold a configuration.
  package func dolbyVisionLoss(in container: String) -> String? {
    guard let vision = picture.dolbyVision else { return nil }
    let rest = vision.hasRPUs ? "; the RPUs in its pictures stay" : ""
    return "\(name) is \(vision.name), whose configuration \(container) cannot hold" + rest
  }

  /// The losses when its pictures are re-encoded, as text; `nil` for anything but Dolby Vision.
  package var dolbyVisionLossInCoding: String? {
    guard let vision = picture.dolbyVision else { return nil }
    let colours =
      vision.isExclusive
      ? ", and its colours will be wrong, because only its RPUs describe them" : ""
    return "\(name) is \(vision.name), which is lost in re-encoding" + colours
  }

  /// The reason why the track is useless by itself; `nil` if it is not an enhancement layer, or a movie says to which
  /// track it belongs.
  package var loneEnhancementLayer: String? {
    guard let vision = picture.dolbyVision, !vision.hasBaseLayer, details.movie == nil else {
      return nil
    }
    return
      "is the enhancement layer of \(vision.name), and nothing says which base layer it belongs "
      + "to"
  }
}
