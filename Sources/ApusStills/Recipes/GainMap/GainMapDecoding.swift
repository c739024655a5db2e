// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata

/// A pass over a gain map that keeps all of it, to be applied.
final class GainMapDecoding: FirstPass {
  let conversion: SampleConversion?
  private let samples: GainMapSamples
  private let bandHeight: Int
  private let isTowardsSDR: Bool

  /// - Parameter isTowardsSDR: whether the map turns an HDR picture into its SDR version.
  init(
    _ format: PictureFormat, colour: ColourDescription, site: ChromaSite, bandHeight: Int,
    description: GainMapDescription, isTowardsSDR: Bool = false
  ) throws {
    let plan = try ColourPlan(
      ColourDescription(
        primaries: 1, transfer: 13, matrix: colour.matrix, isFullRange: colour.isFullRange))
    let isGrey = format.chroma == .monochrome || description.origin.hasAppleCodes
    conversion = try SampleConversion.between(
      format, plan, site: site, target: isGrey ? .grey8 : .rgb8)
    samples = GainMapSamples(
      width: format.width, height: format.height, channels: isGrey ? 1 : 3,
      parameters: description.parameters,
      appleHeadroom: description.origin.hasAppleCodes ? description.headroom : nil)
    self.bandHeight = bandHeight
    self.isTowardsSDR = isTowardsSDR
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    unsafe samples.fill(band.picture.view, at: band.index * bandHeight)
    return []
  }

  func add(to results: inout PassResults) {
    if isTowardsSDR { results.mapTowardsSDR = samples } else { results.appliedMap = samples }
  }
}
