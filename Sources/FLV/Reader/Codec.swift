// SPDX-License-Identifier: MIT

public import ApusBytes

/// The codec of a packet, by one name for both forms of a tag.
public enum Codec: Hashable, Sendable {
  /// `hvc1`, `avc1`, `mp4a`, `.mp3` and the other codes of Enhanced RTMP, also for the older form of tags.
  case fourCC(FourCC)
  /// A `CodecID` without a four-character code.
  case video(UInt8)
  /// A `SoundFormat` without a four-character code.
  case audio(SoundFormat)

  /// HEVC, in either form.
  public static let hevc = Codec.fourCC("hvc1")
  /// AVC, in either form.
  public static let avc = Codec.fourCC("avc1")
  /// AAC, in either form.
  public static let aac = Codec.fourCC("mp4a")
  /// MP3, in either form.
  public static let mp3 = Codec.fourCC(".mp3")

  /// Creates the codec for a `CodecID` of a legacy video tag.
  public init(codecID: UInt8) {
    switch codecID {
    case LegacyVideo.avc: self = .avc
    case LegacyVideo.hevc: self = .hevc
    default: self = .video(codecID)
    }
  }

  /// Creates the codec for the `SoundFormat` of a legacy audio tag.
  public init(_ format: SoundFormat) {
    switch format {
    case .aac: self = .aac
    case .mp3: self = .mp3
    default: self = .audio(format)
    }
  }

  /// Whether its frames consist of NAL units: HEVC, AVC and VVC.
  public var hasNALUnits: Bool { self == .hevc || self == .avc || self == .fourCC("vvc1") }
}

extension Codec: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fourCC("hvc1"): "HEVC"
    case .fourCC("avc1"): "AVC"
    case .fourCC("vvc1"): "VVC"
    case .fourCC("av01"): "AV1"
    case .fourCC("vp08"): "VP8"
    case .fourCC("vp09"): "VP9"
    case .fourCC("mp4a"): "AAC"
    case .fourCC("fLaC"): "FLAC"
    case .fourCC("ac-3"): "AC-3"
    case .fourCC("ec-3"): "E-AC-3"
    case .fourCC(".mp3"): "MP3"
    case .fourCC(let code): code.description
    case .video(2): "Sorenson H.263"
    case .video(3): "Screen video"
    case .video(4): "VP6"
    case .video(5): "VP6 with alpha"
    case .video(6): "Screen video 2"
    case .video(let id): "codec id \(id)"
    case .audio(let format): format.description
    }
  }
}
