// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusSamples

extension CodedTrack {
  /// FFmpeg's name of the codec; `nil` for codecs that have no name here.
  package var codecName: String? {
    switch format {
    case .hevc: "hevc"
    case .avc: "h264"
    case .aac: "aac"
    case .other(let code, _):
      details.codec.isEmpty ? Self.codecNames[code] ?? PCMForm(self)?.codec : details.codec
    }
  }

  /// The names of codecs by their sample entries, and by the codes of FLV.
  private static let codecNames: [FourCC: String] = [
    "av01": "av1", "vp08": "vp8", "vp09": "vp9", "mp4v": "mpeg4", "jpeg": "mjpeg", "mjpg": "mjpeg",
    "apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores", "ap4h": "prores",
    "ap4x": "prores", "AVdn": "dnxhd", "AVdh": "dnxhd", "m1v ": "mpeg1video", "m2v1": "mpeg2video",
    ".mp3": "mp3", ".mp2": "mp2", "dtsc": "dts", "mlpa": "truehd", "ac-3": "ac3", "ec-3": "eac3",
    "Opus": "opus", "fLaC": "flac", "alac": "alac",
    "sowt": "pcm_s16le", "twos": "pcm_s16be", "ulaw": "pcm_mulaw", "alaw": "pcm_alaw",
  ]
}
