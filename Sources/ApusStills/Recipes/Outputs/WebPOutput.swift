// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusMetadata
internal import ApusWebP

/// A WebP, for which the whole picture must be known before it is encoded.
///
/// It may cross threads because bands are encoded one at a time.
final class WebPOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: WebPEncoder
  private let metadata: WebPMetadata

  init(_ settings: WebPSettings, metadata: PreparedMetadata) throws {
    encoder = try WebPEncoder(settings)
    self.metadata = WebPMetadata(
      profile: metadata.icc, exif: metadata.exif, xmp: metadata.xmp)
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    unsafe encoder.append(band.picture.view)
    return []
  }

  func ending() throws -> [UInt8] { try encoder.finish(metadata) }
}
