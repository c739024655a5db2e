// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import ApusMedia

/// A progressive or optimized JPEG, for which the whole picture must be known before its first scan is written.
///
/// It may cross threads because bands are encoded one at a time.
final class JPEGWholeOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: JPEGWholeEncoder
  private let segments: [[UInt8]]

  init(_ settings: JPEGSettings, segments: [[UInt8]]) throws {
    encoder = try JPEGWholeEncoder(settings)
    self.segments = segments
  }

  func beginning() throws -> [UInt8] { try encoder.begin(segments: segments) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    try unsafe encoder.append(band.picture.view)
  }

  func ending() throws -> [UInt8] { try encoder.finish() }
}
