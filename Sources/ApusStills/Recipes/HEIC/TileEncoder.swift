// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusX265
internal import HEVC

/// Encodes the tiles of one picture, each with a separate encoder, so that the result depends on nothing else.
struct TileEncoder: Sendable {
  let layout: TileLayout
  private let format: PictureFormat
  /// Whether tiles of screens may get separate headers.
  private let looksForScreens: Bool
  private let coding: Coding

  private enum Coding {
    case own(OwnTileEncoder, CodecUse)
    case x265(X265Settings, CodecUse)
    /// No encoder supports such pictures.
    case none(any Error)
  }

  /// - Parameters:
  ///   - format: the format of the whole picture.
  ///   - site: the position of colour samples to state in the stream; `nil` to state none.
  ///   - quality: the quality from 1 to 100.
  ///   - workers: the number of threads that may encode a tile if it is the only one.
  init(
    _ format: PictureFormat, _ layout: TileLayout, colour: ColourDescription,
    site: ChromaSite? = nil, quality: Int, choices: HEICChoices, workers: Int
  ) {
    self.layout = layout
    var tile = format
    (tile.width, tile.height, tile.isRGB) = (layout.tileWidth, layout.tileHeight, false)
    self.format = tile
    looksForScreens = !choices.isLossless && choices.frameRate == nil
    var own: Result<OwnTileEncoder, any Error> {
      Result { try OwnTileEncoder(tile, colour: colour, site: site, quality: quality, choices) }
    }
    var x265: Result<String, any Error> {
      Result { try X265Encoder.check(bitDepth: tile.bitDepth) }
    }
    var settings = Self.settings(
      tile, layout, colour: colour, quality: quality, choices: choices, workers: workers)
    settings.traits.chromaSite = site
    switch choices.encoder {
    case .own:
      coding =
        switch own {
        case .success(let encoder): .own(encoder, CodecUse(name: "own", pictures: 1))
        case .failure(let error): .none(error)
        }
    case .x265:
      coding =
        switch x265 {
        case .success(let name): .x265(settings, CodecUse(name: name, pictures: 1))
        case .failure(let error): .none(error)
        }
    case .auto:
      switch own {
      case .success(let encoder):
        coding = .own(encoder, CodecUse(name: "own", pictures: 1))
      case .failure(let reason):
        coding =
          switch x265 {
          case .success(let name):
            .x265(settings, CodecUse(name: name, pictures: 1, reason: "\(reason)"))
          case .failure(let error): .none(error)
          }
      }
    }
  }

  private static func settings(
    _ tile: PictureFormat, _ layout: TileLayout, colour: ColourDescription, quality: Int,
    choices: HEICChoices, workers: Int
  ) -> X265Settings {
    var settings = X265Settings.still(tile, quantizer: 0)
    settings.preset = choices.speed.rawValue
    // Optimizes for accuracy instead of apparent sharpness.
    settings.tune = "ssim"
    settings.frameRate = (1, 1)
    settings.traits.colour = colour
    settings.parameters.removeAll { ["qp", "ipratio"].contains($0.name) }
    if let rate = choices.frameRate {
      settings.frameRate = (UInt32(clamping: rate.numerator), UInt32(clamping: rate.denominator))
      // If every picture must be a key frame, x265 writes Main Intra, which few devices play.
      settings.parameters.removeAll { ["total-frames", "keyint"].contains($0.name) }
      settings.parameters.append(X265Settings.Parameter("keyint", "2"))
    }
    // For a large picture, rows of blocks are encoded in parallel by any number of threads, which changes the bytes.
    let isDivided =
      layout.columns * layout.rows == 1 && max(tile.width, tile.height) > TileLayout.side
    settings.parameters += [
      X265Settings.Parameter("wpp", isDivided ? "1" : "0"),
      X265Settings.Parameter("pools", isDivided ? "\(max(workers, 1))" : "none"),
    ]
    if choices.isLossless {
      settings.parameters.append(X265Settings.Parameter("lossless"))
    } else {
      settings.parameters += rate(quality) + search(choices.speed)
      if looksAtFewer(choices.speed) { settings.quantizerOffset = finer(quality) }
    }
    return settings
  }

  /// Returns the parameters for a quality on the scale of libheif, with its rate factor and its adaptive quantization:
  /// the smoother a block of 16 samples is, the finer its quantizer, regardless of its surroundings (`aq-mode` 1). So
  /// the blocks of all tiles follow one rule, and no edge between tiles is visible. With a rate factor, x265 chooses
  /// the quantizer of the first picture without analysing it, and every tile is the first picture of its encoder.
  private static func rate(_ quality: Int) -> [X265Settings.Parameter] {
    let factor = Double(100 - quality) / 2
    return [
      X265Settings.Parameter("crf", "\(factor)"), X265Settings.Parameter("aq-mode", "1"),
    ]
  }

  /// Returns the settings of a less thorough search. In intra pictures, `rd` mainly determines how many of the best
  /// directions of a block are coded for comparison: 3 to 5 instead of 6 to 8 with "slow" saves a fifth of the time and
  /// costs some 0.1 dB, which `finer` recovers for 1 % of the bytes. The slowest presets keep the full search.
  private static func search(_ speed: HEICChoices.Speed) -> [X265Settings.Parameter] {
    looksAtFewer(speed) ? [X265Settings.Parameter("rd", "1")] : []
  }

  /// Allows transforms to be skipped, for tiles of screens, text and drawings: this saves a fifth of their bytes and
  /// takes a third more time. x265 skips transforms only from `rd` 3, and silently ignores the setting below that.
  private static func skipTransforms(_ settings: inout X265Settings) {
    if let index = settings.parameters.firstIndex(where: { $0.name == "rd" }) {
      settings.parameters[index].value = "3"
    }
    settings.parameters.append(X265Settings.Parameter("tskip"))
  }

  /// Returns an offset for the quantizer of every block, which compensates for directions that are not tried and, with
  /// coarse quantizers, for the effect of libheif's psychovisual terms.
  private static func finer(_ quality: Int) -> Float {
    let coarse = max(Float(60 - quality) / 2, 0)
    return -0.1875 - 0.015 * coarse
  }

  private static func looksAtFewer(_ speed: HEICChoices.Speed) -> Bool {
    switch speed {
    case .slower, .veryslow, .placebo: false
    default: true
    }
  }

  /// The encoder of a tile. Throws if none supports such pictures.
  var use: CodecUse {
    get throws {
      switch coding {
      case .own(_, let use), .x265(_, let use): return use
      case .none(let error): throw error
      }
    }
  }

  /// Throws if no encoder supports such pictures.
  func check() throws { _ = try use }

  /// Encodes a tile of a band whose rows are those of the tile.
  ///
  /// - Parameter column: the index of the tile from the left.
  func encode(_ band: Picture, column: Int) throws -> EncodedTile {
    let tile = TileCut(band, x: column * layout.tileWidth, format: format)
    // The cut owns the samples of an incomplete tile.
    defer { withExtendedLifetime(tile) {} }
    switch coding {
    case .own(let encoder, _): return try unsafe encoder.encode(tile.view)
    case .x265(var settings, _):
      if looksForScreens, unsafe ScreenDetector(tile.view).isScreen {
        Self.skipTransforms(&settings)
      }
      return try unsafe Self.encode(tile.view, settings)
    case .none(let error): throw error
    }
  }

  private static func encode(_ tile: PictureView, _ settings: X265Settings) throws(MediaError)
    -> EncodedTile
  {
    let encoder = try X265Encoder(settings)
    var pictures = try unsafe encoder.encode(tile, time: 0)
    pictures += try encoder.finish()
    guard pictures.count == 1, let picture = pictures.first else {
      throw MediaError(.corrupt, "libx265 returned \(pictures.count) pictures for one")
    }
    return EncodedTile(payload: picture.payload, headers: encoder.headers)
  }
}

/// An encoded tile.
struct EncodedTile: Sendable {
  /// The NAL units with length prefixes, without parameter sets.
  var payload: [UInt8]
  /// The parameter sets and messages for the whole stream.
  var headers: [[UInt8]]
}
