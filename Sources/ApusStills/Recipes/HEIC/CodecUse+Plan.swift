// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEIF

extension CodecUse {
  /// Determines the encoder of a picture, without decoding the picture. Throws if there is none.
  init(encoding plan: PicturePlan, _ options: ConvertOptions) throws {
    let colour = try ColourDecision(plan, options)
    let layout = TileLayout(colour.format, options.heic)
    let encoder = TileEncoder(
      colour.format, layout, colour: colour.description, quality: options.quality,
      choices: options.heic, workers: 1)
    self = try encoder.use
    pictures = layout.columns * layout.rows
  }
}
