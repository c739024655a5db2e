// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import Media
internal import X265

/// Encodes the tiles of one picture, each by an encoder of its own, so that what comes of it depends on nothing else.
struct TileEncoder: Sendable {
  let layout: TileLayout
  private let settings: X265Settings

  /// - Parameters:
  ///   - format: of the whole picture.
  ///   - quality: 1 to 100.
  ///   - workers: how many threads may encode one tile that stands alone.
  init(
    _ format: PictureFormat, _ layout: TileLayout, colour: ColourDescription, quality: Int,
    choices: HEICChoices, workers: Int
  ) {
    self.layout = layout
    var tile = format
    (tile.width, tile.height, tile.isRGB) = (layout.tileWidth, layout.tileHeight, false)
    var settings = X265Settings.still(tile, quantizer: 0)
    settings.preset = choices.speed.rawValue
    // Samples that are near those of the picture, not ones that only look as sharp.
    settings.tune = "ssim"
    settings.frameRate = (1, 1)
    settings.traits.colour = colour
    settings.parameters.removeAll { ["qp", "ipratio"].contains($0.name) }
    if let rate = choices.frameRate {
      settings.frameRate = (UInt32(clamping: rate.numerator), UInt32(clamping: rate.denominator))
      // Where every picture must be a key frame x265 writes Main Intra, which few devices play.
      settings.parameters.removeAll { ["total-frames", "keyint"].contains($0.name) }
      settings.parameters += [
        X265Settings.Parameter("keyint", "2"), X265Settings.Parameter("ipratio", "1"),
      ]
    }
    // Rows of blocks are encoded side by side where a picture is large, whoever may do it: that changes the bytes.
    let isDivided =
      layout.columns * layout.rows == 1 && max(tile.width, tile.height) > TileLayout.side
    settings.parameters += [
      X265Settings.Parameter("wpp", isDivided ? "1" : "0"),
      X265Settings.Parameter("pools", isDivided ? "\(max(workers, 1))" : "none"),
    ]
    if choices.isLossless {
      settings.parameters.append(X265Settings.Parameter("lossless"))
    } else {
      settings.parameters += Self.rate(quality) + Self.search(choices.speed)
    }
    self.settings = settings
  }

  /// Qualities are those of libheif. The mean quantizer of every tile is the same (`qcomp`), so that no edge between
  /// tiles shows; without that x265 gives smooth tiles a finer one.
  private static func rate(_ quality: Int) -> [X265Settings.Parameter] {
    let quantizer = Double(100 - quality) / 2
    return [
      X265Settings.Parameter("crf", "\(quantizer)"), X265Settings.Parameter("qcomp", "1"),
    ]
  }

  /// In pictures that are predicted from no other, `rd` says little but how many of the best directions of a block are
  /// coded to compare them: 3 to 5 rather than 6 to 8 with "slow" save a fifth of the time and cost some 0.05 dB. Who
  /// asks for one of the slowest presets gets all of it.
  private static func search(_ speed: HEICChoices.Speed) -> [X265Settings.Parameter] {
    switch speed {
    case .slower, .veryslow, .placebo: []
    default: [X265Settings.Parameter("rd", "1")]
    }
  }

  /// Throws where there is no encoder for such pictures.
  func check() throws(PictureError) { try X265Encoder.check(bitDepth: settings.bitDepth) }

  /// Encodes a tile of a band whose rows are those of the tile.
  ///
  /// - Parameter column: which tile, from the left.
  func encode(_ band: Picture, column: Int) throws(PictureError) -> EncodedTile {
    let encoder = try X265Encoder(settings)
    let tile = TileCut(band, x: column * layout.tileWidth, format: settings.format)
    // The cut owns the samples of a tile that is not whole.
    var pictures = try unsafe encoder.encode(tile.view, time: 0)
    pictures += try encoder.finish()
    withExtendedLifetime(tile) {}
    guard pictures.count == 1, let picture = pictures.first else {
      throw PictureError(.corrupt, "libx265 made \(pictures.count) pictures of one")
    }
    return EncodedTile(payload: picture.payload, headers: encoder.headers)
  }
}

/// A tile as it was encoded.
struct EncodedTile: Sendable {
  /// NAL units behind their lengths, without parameter sets.
  var payload: [UInt8]
  /// Parameter sets and messages for the whole stream.
  var headers: [[UInt8]]
}
