// SPDX-License-Identifier: MIT

/// What a remux writes.
public enum RemuxTarget: String, Hashable, Sendable, CaseIterable {
  case flv, mp4, mov
  /// An MP4 file in fragments, which can be played while it grows.
  case fmp4
  /// A bare stream (Annex B) of the video alone.
  case hevc
  /// Playlists and segments for HTTP Live Streaming, which `HLSJob` writes.
  case hls

  /// Creates the target for the ending of a file's name, without the dot; `nil` for other endings.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "flv", "f4v": self = .flv
    case "mp4", "m4v", "m4a": self = .mp4
    case "mov", "qt": self = .mov
    case "hevc", "h265", "265", "h264", "264", "avc": self = .hevc
    case "m3u8": self = .hls
    default: return nil
    }
  }

  /// The ending of files that it writes.
  public var pathExtension: String {
    switch self {
    case .fmp4: "mp4"
    case .hls: "m3u8"
    case .flv, .mp4, .mov, .hevc: rawValue
    }
  }

  /// Whether it can be written from its beginning to its end without going back.
  public var canStream: Bool { self == .flv || self == .fmp4 || self == .hevc }

  package var isMovie: Bool { self == .mp4 || self == .mov || self == .fmp4 }
}
