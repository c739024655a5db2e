// SPDX-License-Identifier: MIT

public import ApusMedia
internal import HEVC

/// The coding of a HEIC, in addition to the options in `ConvertOptions` for all formats.
public struct HEICChoices: Hashable, Sendable {
  /// The bit depth, 8, 10 or 12; `nil` for that of the source, up to 10.
  public var bitDepth: Int?
  /// Whether decoding restores exactly the samples that were encoded.
  public var isLossless = false
  /// The encoder of the HEVC.
  public var encoder = EncoderChoice.auto
  /// The effort that an encoder makes for a smaller file, as a preset of libx265. The built-in encoder has three
  /// speeds: presets up to `fast` select its fast one, those from `slow` its slow one.
  public var speed = Speed.medium
  /// Whether the picture is coded as one instead of in tiles; not every device opens large pictures.
  public var isSingle = false
  /// The side of the tiles, a multiple of 64; `nil` for 512.
  public var tileSide: Int?
  /// The colour description to write instead of the source's. Samples are coded with its matrix and range; its
  /// primaries and its transfer function are only stated.
  public var colour: ColourDescription?
  /// Whether alpha is omitted, with the colours unchanged.
  public var dropsAlpha = false
  /// The longer sides of the embedded thumbnails.
  public var thumbnailSides: [Int] = []

  /// The form in which the gain map of an HDR photo is kept.
  public var gainMap = GainMapForm.iso

  /// The frame rate of the sequence that the picture is part of; a sequence cannot use the profile for still pictures.
  var frameRate: FrameRate?

  /// The default quality.
  public static let usualQuality = 60

  /// The presets of libx265, from the fastest to the slowest.
  public enum Speed: String, Hashable, Sendable, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
  }

  /// The metadata that describes how to apply a gain map.
  public enum GainMapForm: String, Hashable, Sendable, CaseIterable {
    /// A `tmap` item with the parameters of ISO 21496-1.
    case iso
    /// An auxiliary picture with the headroom in its XMP, as supported by devices before iOS 18.
    case apple
    /// Both, for one map with Apple's codes, as iPhones have written it since iOS 18.
    case both
  }

  public init() {}
}

/// The encoder of the HEVC of a HEIC.
public enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  /// The built-in encoder, and libx265 for what it does not support.
  case auto
  /// The built-in encoder, which loads no library.
  case own
  case x265
}
