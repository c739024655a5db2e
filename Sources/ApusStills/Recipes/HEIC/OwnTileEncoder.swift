// SPDX-License-Identifier: MIT

internal import ApusIntra
internal import ApusMedia
internal import HEVC

/// Encodes tiles with the built-in encoder.
struct OwnTileEncoder: Sendable {
  private let format: PictureFormat
  private let settings: StillSettings

  /// - Parameter format: the format of a tile.
  init(
    _ format: PictureFormat, colour: ColourDescription, site: ChromaSite?, quality: Int,
    _ choices: HEICChoices
  ) throws {
    guard !choices.isLossless else {
      throw MediaError(
        .unsupported, "the built-in encoder does not support lossless coding; libx265 does")
    }
    guard choices.frameRate == nil else {
      throw MediaError(
        .unsupported, "the built-in encoder does not support sequences; libx265 does")
    }
    if let reason = StillEncoder.refusal(of: format) {
      throw MediaError(
        .unsupported, "the built-in encoder does not support a picture that \(reason)")
    }
    self.format = format
    var settings = StillSettings(quality: quality, speed: Self.speed(choices.speed))
    settings.colour = colour
    settings.chromaSite = site
    self.settings = settings
  }

  /// Returns the speed of the built-in encoder that corresponds to a preset of x265.
  private static func speed(_ preset: HEICChoices.Speed) -> StillSpeed {
    switch preset {
    case .ultrafast, .superfast, .veryfast, .faster, .fast: .fast
    case .medium: .medium
    case .slow, .slower, .veryslow, .placebo: .slow
    }
  }

  /// - Parameter tile: a tile with the format given at initialization.
  @unsafe func encode(_ tile: PictureView) throws(MediaError) -> EncodedTile {
    var settings = settings
    settings.skipsTransforms = unsafe ScreenDetector(tile).isScreen
    let encoder = try StillEncoder(format, settings)
    let output = try unsafe encoder.encode(tile)
    let count = output.slice.count
    let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    return EncodedTile(payload: length + output.slice, headers: output.parameterSets)
  }
}
