// SPDX-License-Identifier: MIT

internal import Media
internal import Metadata
internal import PNG

/// A PNG, row by row, with everything that its picture brings along.
///
/// May cross threads because bands are encoded one at a time.
final class PNGOutput: PictureEncoder, @unchecked Sendable {
  let isSequential = true
  private let encoder: PNGEncoder
  private let chunks: PNGChunks

  /// - Parameters:
  ///   - bitDepth: 8 or 16.
  ///   - colour: code points for `cICP`, where a profile alone would not do.
  init(
    width: Int, height: Int, bitDepth: Int, colour decision: ColourDecision,
    metadata: PreparedMetadata
  ) throws(PictureError) {
    let kind: PNGSettings.Kind =
      decision.hasAlpha
      ? (decision.isGrey ? .grayAlpha : .rgba) : (decision.isGrey ? .gray : .rgb)
    encoder = try PNGEncoder(
      PNGSettings(width: width, height: height, bitDepth: bitDepth, kind: kind))
    var chunks = PNGChunks()
    chunks.profile = metadata.icc
    chunks.exif = metadata.exif
    // Some packets end with a zero, which the text of a PNG cannot hold.
    chunks.xmp = metadata.xmp.map { Array($0.prefix { $0 != 0 }) }
    chunks.colour = decision.keptHDR
    self.chunks = chunks
  }

  func beginning() throws(PictureError) -> [UInt8] { try encoder.begin(chunks) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws(PictureError) -> [UInt8] {
    try unsafe encoder.append(band.picture.view)
  }

  func ending() throws(PictureError) -> [UInt8] { try encoder.finish() }
}
