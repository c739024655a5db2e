// SPDX-License-Identifier: MIT

internal import Colour
internal import Media

/// A pass that finds how bright an HDR picture is.
final class PeakOutput: FirstPass {
  let wantsConvertedSamples = false
  private let meter: PeakMeter

  init(_ meter: PeakMeter) { self.meter = meter }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    unsafe meter.add(band.picture.view)
    return []
  }

  func add(to results: inout PassResults) {
    results.peak = ColourPlan.peak(contentLight: nil, measured: meter)
  }
}
