// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import ApusThreads

/// A pass that encodes a gain map as JPEG, over the map itself or over the HDR picture from which it is computed.
final class GainMapOutput: FirstPass {
  let gathered: MemoryDestination? = MemoryDestination()
  private let jpeg: JPEGOutput
  private let format: PictureFormat
  private let description: GainMapDescription
  /// Returns the samples of the map; `nil` if a map that was assumed to be grey has colours.
  private let prepare: @Sendable (ConvertedBand) -> Picture?
  private let hasColours = Monitor(false)

  /// - Parameters:
  ///   - format: the format of the map.
  ///   - bandHeight: the number of rows of the map in each band but the last.
  private init(
    _ format: PictureFormat, bandHeight: Int, description: GainMapDescription, profile: [UInt8]?,
    quality: Int, prepare: @escaping @Sendable (ConvertedBand) -> Picture?
  ) throws {
    self.format = format
    self.description = description
    self.prepare = prepare
    var settings = JPEGSettings(
      width: format.width, height: format.height, chroma: format.chroma, quality: quality)
    try settings.cut(intoBandsOf: bandHeight)
    jpeg = JPEGOutput(
      settings, segments: PreparedMetadata.gainMapSegments(description, profile: profile),
      bandHeight: bandHeight)
  }

  /// Creates the pass for the map of a file, in grey or, if it has colours, with three components.
  ///
  /// - Parameter bandHeight: the band height of the map's canvas.
  convenience init(
    _ conversion: GainMapConversion, bandHeight: Int, description: GainMapDescription,
    profile: [UInt8]?, quality: Int
  ) throws {
    try self.init(
      conversion.format, bandHeight: bandHeight, description: description, profile: profile,
      quality: quality
    ) { conversion.picture(of: $0) }
  }

  /// Creates the pass over an HDR picture that computes a map, which reverses tone mapping.
  ///
  /// - Parameters:
  ///   - height: the height of the picture.
  ///   - bandHeight: the band height of its canvas, a multiple of 16.
  convenience init(computing map: GainComputation, height: Int, bandHeight: Int, quality: Int)
    throws
  {
    try self.init(
      map.mapFormat(height: height), bandHeight: bandHeight / 2,
      description: try GainMapDescription(computed: map.parameters), profile: nil, quality: quality
    ) { band in
      let picture = Picture(map.mapFormat(height: band.picture.format.height))
      unsafe map.compute(band.picture.view, into: picture)
      return picture
    }
  }

  func beginning() throws -> [UInt8] { try jpeg.beginning() }
  func ending() throws -> [UInt8] { try jpeg.ending() }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    guard let picture = prepare(band) else {
      hasColours.withLock { $0 = true }
      return []
    }
    return try jpeg.encode(ConvertedBand(index: band.index, picture: picture), on: worker)
  }

  func add(to results: inout PassResults) {
    guard !hasColours.withLock({ $0 }) else {
      results.mapIsColour = true
      return
    }
    let bytes = gathered?.bytes ?? []
    var map = WrittenGainMap(
      description, width: format.width, height: format.height, bytes: bytes.count)
    map.jpeg = bytes
    results.gainMap = map
  }
}
