// SPDX-License-Identifier: MIT

/// The dynamic range in playlists (`VIDEO-RANGE`): RFC 8216bis, 4.4.6.2.
public enum VideoRange: String, Hashable, Sendable, CaseIterable {
  case standard = "SDR"
  case hybridLogGamma = "HLG"
  case perceptualQuantizer = "PQ"

  /// Creates the range of a transfer function.
  ///
  /// - Parameter transfer: a code point of ITU-T H.273; `nil` if unspecified.
  public init(transfer: Int?) {
    switch transfer {
    case 16: self = .perceptualQuantizer
    case 18: self = .hybridLogGamma
    default: self = .standard
    }
  }

  /// Creates the range of Dolby Vision pictures. The base layer's own description takes precedence, except in profiles
  /// whose base layer only Dolby's decoders can interpret.
  ///
  /// - Parameters:
  ///   - profile: the value of `dv_profile`.
  ///   - compatibility: the value of `dv_bl_signal_compatibility_id`.
  public init(dolbyVision profile: Int, compatibility: Int, transfer: Int?) {
    let base = VideoRange(transfer: transfer)
    let isAlone = profile == 5 || (profile == 10 && compatibility == 0)
    if isAlone {
      self = .perceptualQuantizer
    } else if base != .standard {
      self = base
    } else {
      switch compatibility {
      case 1, 6: self = .perceptualQuantizer
      case 4: self = .hybridLogGamma
      default: self = .standard
      }
    }
  }
}
