// SPDX-License-Identifier: MIT

/// How brightness is coded, as playlists name it (`VIDEO-RANGE`): RFC 8216bis, 4.4.6.2.
public enum VideoRange: String, Hashable, Sendable, CaseIterable {
  case standard = "SDR"
  case hybridLogGamma = "HLG"
  case perceptualQuantizer = "PQ"

  /// Creates the range of a transfer function.
  ///
  /// - Parameter transfer: a code point of ITU-T H.273; `nil` where nothing says it.
  public init(transfer: Int?) {
    switch transfer {
    case 16: self = .perceptualQuantizer
    case 18: self = .hybridLogGamma
    default: self = .standard
    }
  }

  /// Creates the range of pictures that Dolby Vision comes with. What the base layer says of itself comes first, but
  /// for profiles whose base layer only Dolby's decoders understand.
  ///
  /// - Parameters:
  ///   - profile: `dv_profile`.
  ///   - compatibility: `dv_bl_signal_compatibility_id`.
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
