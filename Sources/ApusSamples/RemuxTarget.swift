// SPDX-License-Identifier: MIT

/// The formats that a remux can write.
public enum RemuxTarget: String, Hashable, Sendable, CaseIterable {
  case flv, mp4, mov
  /// A fragmented MP4 file, which can be played while it grows.
  case fmp4
  /// A bare stream (Annex B) of the video only.
  case hevc
  /// Playlists and segments for HTTP Live Streaming, which `HLSJob` writes.
  case hls
  /// Matroska.
  case mkv
  /// Matroska with the codecs of the web only.
  case webm
  /// An MPEG transport stream.
  case ts

  /// Creates the target for a file name extension, without the dot; `nil` for other extensions.
  public init?(pathExtension: String) {
    switch pathExtension.lowercased() {
    case "flv", "f4v": self = .flv
    case "mp4", "m4v", "m4a": self = .mp4
    case "mov", "qt": self = .mov
    case "hevc", "h265", "265", "h264", "264", "avc": self = .hevc
    case "m3u8": self = .hls
    case "mkv", "mka", "mk3d": self = .mkv
    case "webm": self = .webm
    case "ts", "m2ts", "mts", "m2t": self = .ts
    default: return nil
    }
  }

  /// The extension of files that it writes.
  public var pathExtension: String {
    switch self {
    case .fmp4: "mp4"
    case .hls: "m3u8"
    case .flv, .mp4, .mov, .hevc, .mkv, .webm, .ts: rawValue
    }
  }

  /// Whether it can be written from its beginning to its end without going back.
  public var canStream: Bool { self != .mp4 && self != .mov && self != .hls }

  package var isMovie: Bool { self == .mp4 || self == .mov || self == .fmp4 }
  /// Whether it is Matroska, with all codecs or only those of the web.
  public var isMatroska: Bool { self == .mkv || self == .webm }
  /// Whether a muxer of a library writes it.
  public var isMuxed: Bool { isMatroska || self == .ts }

  /// The common name, where it differs from the extension.
  package var title: String {
    switch self {
    case .mkv: "Matroska"
    case .webm: "WebM"
    case .ts: "MPEG-TS"
    default: rawValue
    }
  }
}
