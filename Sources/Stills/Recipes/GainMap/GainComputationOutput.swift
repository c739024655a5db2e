// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import Colour
internal import Media
internal import Metadata

/// A pass over an HDR picture that computes a gain map, which reverses tone mapping.
final class GainComputationOutput: FirstPass {
  private let computation: GainComputation
  private let description: GainMapDescription
  private let settings: JPEGSettings
  private let jpeg: JPEGOutput
  private let gathered = MemoryDestination()

  /// - Parameter bandHeight: the number of rows in each band but the last.
  init(_ computation: GainComputation, height: Int, bandHeight: Int, quality: Int)
    throws
  {
    self.computation = computation
    description = try GainMapDescription(computed: computation.parameters)
    let format = computation.mapFormat(height: height)
    var settings = JPEGSettings(
      width: format.width, height: format.height, chroma: .monochrome, quality: quality)
    // Bands are multiples of 16 rows.
    try settings.cut(intoBandsOf: bandHeight / 2)
    self.settings = settings
    jpeg = JPEGOutput(
      settings, segments: PreparedMetadata.gainMapSegments(description), bandHeight: bandHeight / 2)
  }

  func beginning() throws -> [UInt8] { try jpeg.beginning() }
  func ending() throws -> [UInt8] { try jpeg.ending() }
  func write(_ bytes: Span<UInt8>) throws { try gathered.write(bytes) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let map = Picture(computation.mapFormat(height: band.picture.format.height))
    unsafe computation.compute(band.picture.view, into: map)
    return try jpeg.encode(ConvertedBand(index: band.index, picture: map), on: worker)
  }

  func add(to results: inout PassResults) {
    results.gainMap = .made(
      EncodedGainMap(
        bytes: gathered.bytes, width: settings.width, height: settings.height,
        description: description))
  }
}
