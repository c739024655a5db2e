// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Named settings.
public enum TranscodePreset: String, Hashable, Sendable, CaseIterable {
  case hevc1080p = "hevc-1080p"
  case hevc2160p = "hevc-2160p"
  case hevcHighest = "hevc-highest"
  case h264Highest = "h264-highest"
  case h2641080p = "h264-1080p"
  case copy

  /// The settings of this name, which may be changed before use.
  public var settings: TranscodeSettings {
    var settings = TranscodeSettings()
    settings.video.chroma = .yuv420
    switch self {
    case .hevc1080p, .hevc2160p:
      settings.video.codecs = [.hevc]
      settings.video.rate = .quality(24)
      settings.video.bound = self == .hevc1080p ? SizeBound(1920, 1080) : SizeBound(3840, 2160)
    case .hevcHighest:
      settings.video.codecs = [.hevc]
      settings.video.rate = .quality(18)
      settings.video.speed = "slow"
    case .h264Highest:
      settings.video.codecs = [.h264]
      settings.video.rate = .quality(17)
      settings.video.speed = "slow"
      // Players of H.264 support no more.
      settings.video.bitDepth = 8
    case .h2641080p:
      settings.video.codecs = [.h264]
      settings.video.rate = .quality(21)
      settings.video.bound = SizeBound(1920, 1080)
      settings.video.bitDepth = 8
    case .copy:
      settings.video.chroma = nil
      settings.video.codecs = [.copy]
      settings.audio.codec = .copy
    }
    return settings
  }
}
