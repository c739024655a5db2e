// SPDX-License-Identifier: MIT

/// The two ways in which HEVC is put into FLV and RTMP. Neither is Adobe's, so the user has to choose one.
public enum HEVCDialect: String, Hashable, Sendable, CaseIterable {
  /// `hvc1` in Enhanced RTMP's tags.
  case enhanced
  /// The codec id 12 of Chinese networks.
  case legacy

  /// The value of `videocodecid` in `onMetaData`.
  public var videoCodecID: Double {
    switch self {
    case .enhanced: 1_752_589_105
    case .legacy: 12
    }
  }
}
