// SPDX-License-Identifier: MIT

internal import Colour
internal import HEIF
internal import Media

/// A pass that finds how bright an HDR picture is, and keeps it for the passes that follow.
final class PeakOutput: FirstPass {
  private let meter: PeakMeter
  /// This is `nil` if the picture is decoded again.
  private let kept: KeptBands?

  init(_ meter: PeakMeter, of setup: PictureSetup, options: ConvertOptions, limits: PlanLimits) {
    self.meter = meter
    // What is missing in a picture that is salvaged is reported by the pass that writes it.
    kept = options.salvages ? nil : KeptBands(setup, limits: limits)
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    unsafe meter.add(band.picture.view)
    kept?.keep(band.picture, alpha: band.alpha, ofBand: band.index)
    return []
  }

  func add(to results: inout PassResults) {
    results.peak = ColourPlan.peak(contentLight: nil, measured: meter)
    results.kept = kept
  }
}
