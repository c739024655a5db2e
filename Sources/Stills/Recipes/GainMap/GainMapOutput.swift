// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import Bytes
internal import Media
internal import Metadata
internal import Threads

/// A pass over a gain map that encodes it as JPEG, in grey or, if it has colours, with three components.
final class GainMapOutput: FirstPass {
  private let jpeg: JPEGOutput
  private let settings: JPEGSettings
  private let description: GainMapDescription
  private let conversion: GainMapConversion
  private let hasColours = Monitor(false)
  private let gathered = MemoryDestination()

  /// - Parameter bandHeight: the band height of the map's canvas.
  init(
    _ conversion: GainMapConversion, bandHeight: Int, description: GainMapDescription,
    profile: [UInt8]?, quality: Int
  ) throws {
    self.description = description
    self.conversion = conversion
    let format = conversion.format
    var settings = JPEGSettings(
      width: format.width, height: format.height, chroma: format.chroma, quality: quality)
    try settings.cut(intoBandsOf: bandHeight)
    self.settings = settings
    jpeg = JPEGOutput(
      settings, segments: PreparedMetadata.gainMapSegments(description, profile: profile),
      bandHeight: bandHeight)
  }

  func beginning() throws -> [UInt8] { try jpeg.beginning() }
  func ending() throws -> [UInt8] { try jpeg.ending() }
  func write(_ bytes: Span<UInt8>) throws { try gathered.write(bytes) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    guard let picture = conversion.picture(of: band) else {
      hasColours.withLock { $0 = true }
      return []
    }
    return try jpeg.encode(ConvertedBand(index: band.index, picture: picture), on: worker)
  }

  func add(to results: inout PassResults) {
    results.gainMap =
      hasColours.withLock { $0 }
      ? .isColour
      : .made(
        EncodedGainMap(
          bytes: gathered.bytes, width: settings.width, height: settings.height,
          description: description))
  }
}
