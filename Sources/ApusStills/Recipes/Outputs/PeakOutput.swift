// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import HEIF

/// A pass that measures the peak brightness of an HDR picture, and keeps the picture for the following passes.
final class PeakOutput: FirstPass {
  private let meter: PeakMeter
  /// The kept bands; `nil` if the picture is decoded again.
  private let kept: KeptBands?

  init(_ meter: PeakMeter, of setup: PictureSetup, options: ConvertOptions, limits: PlanLimits) {
    self.meter = meter
    // Damage in a salvaged picture is reported by the pass that writes it.
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
