// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import HEVC

extension VideoSettings {
  /// Returns the configuration of Dolby Vision that a track still has when it was encoded with these settings; `nil` if its
  /// mappings (RPUs) would not fit the pictures, or it has none.
  ///
  /// Mappings stay right for the same colours: in HEVC of 10 bits, without changes of tones or by filters. Areas that they
  /// name are moved with crops and sizes. What refers to an enhancement layer, which is not decoded, is left out.
  func keptDolbyVision(of track: CodedTrack, _ frameRate: Fraction) -> DolbyVision? {
    guard var vision = track.picture.dolbyVision, vision.hasRPUs, vision.hasBaseLayer,
      [5, 7, 8].contains(vision.profile)
    else { return nil }
    guard filter.isEmpty, !bakes(track.matrix), !isToneMapped, chroma ?? .yuv420 == .yuv420,
      bitDepth ?? 10 == 10
    else { return nil }
    if vision.profile == 7 {
      // The base layer is HDR10 by itself.
      (vision.profile, vision.compatibility) = (8, 1)
      vision.hasEnhancementLayer = false
    }
    guard !vision.hasEnhancementLayer else { return nil }
    let seen = crop.map { ($0.width, $0.height) } ?? (track.width, track.height)
    let size = (bound ?? SizeBound(seen.0, seen.1)).fitted(width: seen.0, height: seen.1)
    let rate = Double(frameRate.numerator) / Double(max(frameRate.denominator, 1))
    if let level = DolbyVision.level(width: size.width, height: size.height, rate: rate) {
      vision.level = level
    }
    return vision
  }

  /// Returns the way of decoded pictures to those that are encoded; `nil` if both have the same places.
  func frame(
    of decoded: (width: Int, height: Int), as coded: (width: Int, height: Int)
  ) -> ReferenceProcessingUnit.Frame? {
    let part = crop ?? PixelRect(x: 0, y: 0, width: decoded.width, height: decoded.height)
    var (width, height) = (part.width, part.height)
    // A size that is odd by one loses a column or a row.
    if width - coded.width < 2, height - coded.height < 2 { (width, height) = coded }
    guard crop != nil || (width, height) != decoded || (width, height) != coded else { return nil }
    return ReferenceProcessingUnit.Frame(
      left: part.x, right: decoded.width - part.x - width, top: part.y,
      bottom: decoded.height - part.y - height, width: width, height: height,
      newWidth: coded.width, newHeight: coded.height)
  }
}
