// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import ApusMedia

/// A JPEG in which bands consist of whole restart intervals, so that any worker can encode any band.
final class JPEGOutput: PictureEncoder {
  private let settings: JPEGSettings
  private let segments: [[UInt8]]
  private let bandHeight: Int

  /// - Parameter segments: the segments before the picture: Exif, XMP, ICC.
  init(_ settings: JPEGSettings, segments: [[UInt8]], bandHeight: Int) {
    self.settings = settings
    self.segments = segments
    self.bandHeight = bandHeight
  }

  func beginning() throws -> [UInt8] {
    try settings.header(segments: segments)
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    try unsafe worker.jpegEncoder(settings)
      .encode(band.picture.view, at: band.index * bandHeight)
  }

  func ending() throws -> [UInt8] { JPEGSettings.trailer }
}
