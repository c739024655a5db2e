// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

extension VideoSettings {
  /// Returns the configuration of Dolby Vision that a track still has when it was encoded with these settings; `nil` if its
  /// mappings (RPUs) would not fit the pictures, or it has none.
  ///
  /// Mappings stay right for the same samples at the same places: in HEVC, without changes of size, of tones or by filters.
  /// Those of an enhancement layer refer to it, which is not decoded.
  func keptDolbyVision(of track: CodedTrack, _ frameRate: Fraction) -> DolbyVision? {
    guard var vision = track.picture.dolbyVision, vision.hasRPUs, vision.hasBaseLayer,
      !vision.hasEnhancementLayer, [5, 8].contains(vision.profile)
    else { return nil }
    let size = bound ?? SizeBound(track.width, track.height)
    let isSame =
      size.fitted(width: track.width, height: track.height) == (track.width, track.height)
      && crop == nil && filter.isEmpty && !bakes(track.matrix) && !isToneMapped
      && chroma ?? .yuv420 == .yuv420 && bitDepth ?? 10 == 10
    guard isSame else { return nil }
    let rate = Double(frameRate.numerator) / Double(max(frameRate.denominator, 1))
    if let level = DolbyVision.level(width: track.width, height: track.height, rate: rate) {
      vision.level = level
    }
    return vision
  }
}
