// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg

/// The codes of movies and Flash Video for the codecs of libavformat.
enum ForeignCodec {
  private static let codes: [String: FourCC] = [
    "hevc": "hvc1", "h264": "avc1", "aac": "mp4a", "aac_latm": "mp4a",
    "av1": "av01", "vp8": "vp08", "vp9": "vp09", "vvc": "vvc1", "mpeg4": "mp4v",
    "mpeg1video": "m1v ", "mpeg2video": "m2v1", "mjpeg": "jpeg", "vc1": "vc-1", "theora": "theo",
    "opus": "Opus", "flac": "fLaC", "ac3": "ac-3", "eac3": "ec-3", "mp3": ".mp3", "mp2": ".mp2",
    "vorbis": "vorb", "dts": "dtsc", "truehd": "mlpa", "alac": "alac", "pcm_alaw": "alaw",
    "pcm_mulaw": "ulaw", "pcm_s16le": "sowt", "pcm_s16be": "twos", "subrip": "text",
    "mov_text": "tx3g", "ass": "ssa ", "webvtt": "wvtt", "dvb_subtitle": "dvbs",
    "hdmv_pgs_subtitle": "pgs ",
  ]

  /// Returns the code of a stream's codec or, if there is none, the first letters of its name.
  ///
  /// - Parameter first: the first packet, for codecs of which it names the kind.
  static func code(of stream: ForeignStream, first: [UInt8] = []) -> FourCC {
    if let code = codes[stream.codec] { return code }
    switch stream.codec {
    case "prores":
      let tag = FourCC(stream.tag.byteSwapped)
      if prores.contains(tag) { return tag }
      if let profile = stream.profile, prores.indices.contains(profile) { return prores[profile] }
    case "dnxhd" where first.count >= 44:
      // DNxHR has other numbers of compression: SMPTE ST 2019-1, 5.1 and Annex A.
      let number = UInt32(bigEndianBytes: first[40..<44])
      return (1270...1274).contains(number) ? "AVdh" : "AVdn"
    default: break
    }
    let letters = Array(stream.codec.utf8.prefix(4)) + [0x20, 0x20, 0x20]
    return FourCC(letters.prefix(4))
  }

  /// The entries of ProRes, in the order of FFmpeg's profiles.
  private static let prores: [FourCC] = ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"]

  /// Returns the name of a stream for users: `vorbis audio`.
  static func name(of stream: ForeignStream) -> String {
    let kind =
      switch stream.kind {
      case .video: stream.disposition.contains(.cover) ? "cover picture" : "video"
      case .audio: "audio"
      case .subtitle: "subtitles"
      case .attachment: "attachment"
      case .data: "data"
      }
    return stream.codec == "none" ? kind : "\(stream.codec) \(kind)"
  }

  /// Returns whether the decoding order of pictures may differ from their presentation order.
  static func reorders(_ stream: ForeignStream) -> Bool {
    !["vp8", "vp9", "av1", "mjpeg", "theora", "prores", "dvvideo", "ffv1", "rawvideo"]
      .contains(stream.codec)
  }
}
