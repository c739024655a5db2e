// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusMetadata
internal import ApusPNG

/// A PNG, written row by row, with all metadata of its picture.
///
/// It may cross threads because bands are encoded one at a time.
final class PNGOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: PNGEncoder
  private let chunks: PNGChunks
  var digest: UInt64? { encoder.digest }

  /// - Parameters:
  ///   - colour: code points for `cICP`, if a profile alone is not sufficient.
  ///   - digests: whether a checksum of the samples is computed, for comparison after reading them back.
  init(
    _ layout: SampleLayout, colour decision: ColourDecision, metadata: PreparedMetadata,
    texts: [(keyword: String, text: String)], compression: Int,
    digests: Bool
  ) throws {
    var settings = PNGSettings(
      width: layout.width, height: layout.height, bitDepth: layout.bitsPerChannel,
      kind: layout.channels.kind)
    settings.compression = compression
    encoder = try PNGEncoder(settings, digests: digests)
    var chunks = PNGChunks()
    chunks.profile = metadata.icc
    chunks.exif = metadata.exif
    chunks.xmp = metadata.xmp
    chunks.colour = decision.keptHDR
    chunks.texts = texts.map { PNGChunks.Text($0.keyword, $0.text) }
    self.chunks = chunks
  }

  func beginning() throws -> [UInt8] { try encoder.begin(chunks) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    try unsafe encoder.append(band.picture.view)
  }

  func ending() throws -> [UInt8] { try encoder.finish() }
}
