// SPDX-License-Identifier: MIT

internal import Bytes
internal import Containers
internal import FFmpeg
internal import Flow
internal import HEVC

extension CodedStream {
  /// What libavcodec must know of a track; `nil` for codecs that have no name here.
  init?(_ track: CodedTrack) {
    let codec: String
    var configuration: [UInt8]
    switch track.format {
    case .hevc(let record):
      codec = "hevc"
      do {
        configuration = try record.bytes()
      } catch {
        return nil
      }
    case .avc(let bytes): (codec, configuration) = ("h264", bytes)
    case .aac(let bytes): (codec, configuration) = ("aac", bytes)
    case .other(let code, let bytes):
      let plain = PCMForm(track)?.codec
      let known = track.details.codec.isEmpty ? Self.names[code] ?? plain : track.details.codec
      guard let name = known else { return nil }
      (codec, configuration) = (name, bytes)
    }
    self.init(codec, configuration: configuration, timescale: track.timescale)
    (width, height) = (track.width, track.height)
    (sampleRate, channels) = (track.sampleRate, track.channels)
  }

  /// The names of codecs by their sample entries, and by the codes of FLV.
  private static let names: [FourCC: String] = [
    "av01": "av1", "vp08": "vp8", "vp09": "vp9", "mp4v": "mpeg4", "jpeg": "mjpeg", "mjpg": "mjpeg",
    "apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores", "ap4h": "prores",
    "ap4x": "prores",
    ".mp3": "mp3", "ac-3": "ac3", "ec-3": "eac3", "Opus": "opus", "fLaC": "flac", "alac": "alac",
    "sowt": "pcm_s16le", "twos": "pcm_s16be", "ulaw": "pcm_mulaw", "alaw": "pcm_alaw",
  ]
}
