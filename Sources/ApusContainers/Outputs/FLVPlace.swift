// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
public import ApusSamples
public import FLV
internal import HEVC

/// The place of a track of coded media in FLV.
public enum FLVPlace: Hashable, Sendable {
  case video(UInt8)
  case audio(UInt8)

  /// Returns the place of each track, in order: the first of a kind where every player looks, further ones in Enhanced
  /// RTMP's multitrack packets, which the legacy dialect does not have. The text of an error follows the name of the
  /// track.
  public static func places(of tracks: [CodedTrack], _ dialect: HEVCDialect?)
    -> [Result<FLVPlace, MediaError>]
  {
    var counts: [CodedTrack.Kind: UInt8] = [:]
    return tracks.map { track in
      if let reason = refusal(of: track, dialect) {
        return .failure(MediaError(.unsupported, reason))
      }
      let id = counts[track.kind, default: 0]
      guard id == 0 || (dialect != .legacy && hasFourCC(track)) else {
        return .failure(
          MediaError(
            .unsupported, "is the second \(track.kind) track, of which FLV holds one in this form"))
      }
      guard id < 255 else { return .failure(MediaError(.limit, "is one of too many tracks")) }
      counts[track.kind] = id + 1
      return .success(track.kind == .video ? .video(id) : .audio(id))
    }
  }

  private static func refusal(of track: CodedTrack, _ dialect: HEVCDialect?) -> String? {
    guard track.kind == .video || track.kind == .audio else { return "cannot be stored in FLV" }
    if let reason = track.loneEnhancementLayer { return reason }
    switch track.format {
    case .hevc:
      return dialect == nil ? "needs a dialect: enhanced (hvc1) or legacy (codec id 12)" : nil
    case .avc, .aac: return nil
    case .other(let code, let config):
      if track.kind == .video {
        guard ["av01", "vp08", "vp09", "vvc1"].contains(code) else {
          return "cannot be stored in FLV"
        }
        return config.isEmpty && needsConfiguration.contains(code) ? "has no configuration" : nil
      }
      if legacy(track) != nil { return nil }
      guard enhancedAudio.contains(code) else { return "cannot be stored in FLV" }
      return config.isEmpty && needsConfiguration.contains(code) ? "has no configuration" : nil
    }
  }

  private static let enhancedAudio: Set<FourCC> = ["Opus", "fLaC", "ac-3", "ec-3", ".mp3"]
  private static let needsConfiguration: Set<FourCC> = ["Opus", "fLaC", "av01", "vvc1"]

  private static func hasFourCC(_ track: CodedTrack) -> Bool {
    guard case .other(let code, _) = track.format, track.kind == .audio else { return true }
    return enhancedAudio.contains(code)
  }

  // MARK: - Tracks

  package static func videoTrack(_ track: CodedTrack, id: UInt8) -> VideoTrack {
    var video =
      switch track.format {
      case .hevc(let record): VideoTrack(.hevc(record), id: id)
      case .avc(let record): VideoTrack(.avc(record), id: id)
      case .aac(let config): VideoTrack(.other("mp4a", config), id: id)
      case .other(let code, let config): VideoTrack(.other(code, config), id: id)
      }
    (video.width, video.height) = (track.width, track.height)
    video.language = track.language
    video.title = track.details.givenTitle ?? ""
    return video
  }

  package static func audioTrack(_ track: CodedTrack, id: UInt8) -> AudioTrack {
    var audio = audioFormat(of: track, id: id)
    audio.language = track.language
    audio.title = track.details.givenTitle ?? ""
    return audio
  }

  private static func audioFormat(of track: CodedTrack, id: UInt8) -> AudioTrack {
    if id == 0, let legacy = legacy(track) { return AudioTrack(legacy, id: id) }
    switch track.format {
    case .aac(let config): return AudioTrack(.aac(config), id: id)
    case .other(let code, let config):
      // Each frame of these identifies its format.
      let isBare = code == "ac-3" || code == "ec-3" || code == ".mp3"
      return AudioTrack(.other(code, isBare ? [] : config), id: id)
    case .hevc(_): return AudioTrack(.other("hvc1", []), id: id)
    case .avc(let record): return AudioTrack(.other("avc1", record), id: id)
    }
  }

  /// Returns the older form of a track, if it has one for the sample rate.
  private static func legacy(_ track: CodedTrack) -> AudioTrack.Format? {
    guard case .other(let code, _) = track.format, (1...2).contains(track.channels) else {
      return nil
    }
    let isStereo = track.channels == 2
    let rates = [5512, 11025, 22050, 44100]
    let rate = rates.firstIndex(of: track.sampleRate).map { UInt8($0) }
    switch code {
    case ".mp3":
      guard let rate, rate > 0 else { return nil }
      return .legacy(.mp3, rate: rate, is16Bit: true, isStereo: isStereo)
    case "alaw", "ulaw":
      // These always have a rate of 8 kHz, whatever the field contains.
      guard track.sampleRate == 8000 else { return nil }
      return .legacy(
        code == "alaw" ? .aLaw : .muLaw, rate: 0, is16Bit: true, isStereo: isStereo)
    default: return nil
    }
  }
}
