// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The formats that a container of libavformat can hold.
struct ForeignPlace {
  let target: RemuxTarget

  init(_ target: RemuxTarget) { self.target = target }

  var container: ForeignMuxer.Container {
    switch target {
    case .ts: .mpegts
    case .webm: .webm
    default: .matroska
    }
  }

  /// Returns the reason why a track cannot be stored; `nil` if it can.
  func refusal(of track: CodedTrack) -> String? {
    let known =
      switch target {
      case .ts: Self.transport
      case .webm: Self.web
      default: Self.matroska
      }
    let codec = track.details.codec
    guard track.kind == .video || track.kind == .audio || track.kind == .subtitle,
      known.contains(codec) || (target == .mkv && codec.hasPrefix("pcm_"))
    else { return "cannot be stored in \(target.title)" }
    if needsConfiguration(track) { return "has no configuration that \(target.title) can hold" }
    if target == .ts, case .aac(let bytes) = track.format { return transportRefusal(of: bytes) }
    return nil
  }

  /// Returns the reason why AAC with this configuration cannot be stored in a transport stream, or `nil`: ADTS has a
  /// header for the first four object types only, whatever is built on them (ISO/IEC 14496-3, 1.A.2).
  private func transportRefusal(of bytes: [UInt8]) -> String? {
    let config = try? AudioSpecificConfig(bytes)
    let isPlain = config.map { (1...5).contains($0.objectType) || $0.objectType == 29 } ?? false
    return isPlain ? nil : "is of a kind of AAC that cannot be stored in \(target.title)"
  }

  /// Returns whether the decoder configuration of a track is in a form of movies that cannot be converted.
  private func needsConfiguration(_ track: CodedTrack) -> Bool {
    guard case .other(_, let bytes) = track.format else { return false }
    switch track.details.codec {
    case "opus", "flac", "vorbis", "theora", "alac", "av1": return bytes.isEmpty
    case "mpeg4", "ffv1", "dvd_subtitle": return track.details.movie != nil || bytes.isEmpty
    default: return false
    }
  }

  private static let matroska: Set<String> = [
    "hevc", "h264", "av1", "vp8", "vp9", "mpeg1video", "mpeg2video", "mpeg4", "mjpeg", "theora",
    "prores", "dnxhd", "ffv1",
    "aac", "ac3", "eac3", "mp2", "mp3", "opus", "flac", "vorbis", "alac", "dts", "truehd", "tta",
    "wavpack",
    "subrip", "ass", "ssa", "webvtt", "dvd_subtitle", "dvb_subtitle", "hdmv_pgs_subtitle",
  ]
  private static let web: Set<String> = ["vp8", "vp9", "av1", "opus", "vorbis", "webvtt"]
  private static let transport: Set<String> = [
    "hevc", "h264", "mpeg1video", "mpeg2video", "aac", "ac3", "eac3", "mp2", "mp3", "opus", "dts",
    "dvb_subtitle",
  ]
}

extension TransformationMatrix {
  /// Whether it only rotates pictures by quarters; the translation, which puts them back in place, is ignored.
  var isTurn: Bool {
    let unit: Int32 = 0x10000
    let quarters: [(Int32, Int32)] = [(unit, 0), (0, unit), (-unit, 0), (0, -unit)]
    return a == d && b == 0 &- c && quarters.contains { $0 == (a, b) }
      && u == 0 && v == 0 && w == TransformationMatrix().w
  }
}
