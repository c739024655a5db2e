// SPDX-License-Identifier: MIT

internal import HEVC

/// How a HEIC is coded; `ConvertOptions` says what it has in common with other outputs.
public struct HEICChoices: Hashable, Sendable {
  /// The bit depth, 8 or 10; where it is `nil`, that of the source, up to 10.
  public var bitDepth: Int?
  /// Whether samples come back as they were handed to the encoder.
  public var isLossless = false
  public var encoder = EncoderChoice.auto
  /// How long an encoder looks for a smaller file: a preset of libx265. Our own encoder has three speeds: presets up to
  /// `fast` are its fast one, those from `slow` on its slow one.
  public var speed = Speed.medium
  /// Whether the picture is coded as one rather than in tiles of 512 samples; not every device opens a large one.
  public var isSingle = false
  /// Leaves alpha out, and the colours as they are.
  public var dropsAlpha = false
  /// The longer side of an embedded small picture; none where it is `nil`.
  public var thumbnailSide: Int?

  /// How the gain map of an HDR photo is kept.
  public var gainMap = GainMapForm.iso

  /// The frame rate of the sequence that the picture is part of, which the profile of a still picture rules out.
  var frameRate: FrameRate?

  /// The quality where no other is asked for.
  public static let usualQuality = 60

  public enum Speed: String, Hashable, Sendable, CaseIterable {
    case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow, placebo
  }

  /// What says how a gain map is applied.
  public enum GainMapForm: String, Hashable, Sendable, CaseIterable {
    /// A `tmap` item with the parameters of ISO 21496-1.
    case iso
    /// An auxiliary picture with the headroom in its XMP, which devices before iOS 18 know.
    case apple
  }

  public init() {}
}

/// The encoder of the HEVC of a HEIC.
public enum EncoderChoice: String, Hashable, Sendable, CaseIterable {
  /// Our own, and libx265 for what ours does not support.
  case auto
  /// Our own encoder, which opens no library.
  case own
  case x265
}
