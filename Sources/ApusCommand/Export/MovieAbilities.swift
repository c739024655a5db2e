// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusForeign
import ApusMedia
import ApusRecords
import ApusSamples
import HEVC

/// The requirements of a movie on its player.
struct MovieAbilities: Sendable {
  struct Pictures: Sendable {
    var codec: String
    var width = 0
    var height = 0
    var bitDepth: Int?
    var isHDR = false
    /// Whether it can be decoded.
    var isDecodable = true
    /// The reasons why Apple's software does not play its HEVC.
    var appleProblems: [String] = []
  }

  /// The container, by its word in `Receiver.containerWords`.
  var container: String
  var video: [Pictures] = []
  var audio: [String] = []

  init(_ container: String, audio: [String]) {
    self.container = container
    self.audio = audio
  }

  init(_ overview: Overview) {
    container = overview.brands.first == "qt  " || overview.brands.isEmpty ? "mov" : "mp4"
    for track in overview.tracks {
      let type = track.entryTypes.first ?? "    "
      if let facts = track.video, track.handler == "vide" {
        var pictures = Pictures(codec: Self.videoCodec(type))
        pictures.width = facts.displaySize.width
        pictures.height = facts.displaySize.height
        pictures.bitDepth = facts.format.bitDepth
        pictures.isDecodable = Receiver.videoWords.contains(pictures.codec)
        pictures.isHDR = facts.colour.dynamicRange != nil
        pictures.appleProblems = track.apple?.reasons ?? []
        video.append(pictures)
      } else if track.sound != nil {
        audio.append(Self.audioCodec(type, track.codec ?? ""))
      }
    }
  }

  /// Reads the tracks of a container that the video modules open.
  init(_ container: String, tracksOf source: any ByteSource, _ limits: Limits) throws {
    self.container = container
    var options = MediaInput.Options()
    options.limits = limits
    options.openers = [ForeignOpener()]
    for track in try MediaInput.open(source, options: options).source.tracks {
      switch track.kind {
      case .video:
        var pictures = Pictures(codec: Self.codec(track))
        pictures.isDecodable =
          !track.details.codec.isEmpty || Receiver.videoWords.contains(pictures.codec)
        (pictures.width, pictures.height) = (track.width, track.height)
        if case .hevc(let record) = track.format {
          pictures.bitDepth = Int(max(record.bitDepthLuma, record.bitDepthChroma))
        }
        video.append(pictures)
      case .audio: audio.append(Self.codec(track))
      case .subtitle, .timecode, .data: break
      }
    }
  }

  /// The container and its codecs as text: `mov with hevc and aac`.
  var name: String {
    let codecs = video.map(\.codec) + audio
    return codecs.isEmpty ? container : "\(container) with \(codecs.joined(separator: " and "))"
  }

  private static func codec(_ track: CodedTrack) -> String {
    switch track.format {
    case .hevc: return "hevc"
    case .avc: return "h264"
    case .aac: return "aac"
    case .other(let type, _):
      if !track.details.codec.isEmpty { return track.details.codec }
      let video = videoCodec(type)
      return video == type.description ? audioCodec(type, "") : video
    }
  }

  private static func videoCodec(_ type: FourCC) -> String {
    switch type {
    case "hvc1", "hev1", "dvh1", "dvhe": "hevc"
    case "avc1", "avc3", "dva1", "dvav": "h264"
    case "av01": "av1"
    case "vp08": "vp8"
    case "vp09": "vp9"
    case "apch", "apcn", "apcs", "apco", "ap4h", "ap4x": "prores"
    case "mp4v": "mpeg4"
    case "jpeg", "mjpa", "mjpb": "mjpeg"
    default: type.description
    }
  }

  /// - Parameter codec: the codec string, which distinguishes the codecs of `mp4a`.
  private static func audioCodec(_ type: FourCC, _ codec: String) -> String {
    switch type {
    case "mp4a" where ["mp4a.69", "mp4a.6B"].contains(codec): "mp3"
    case "mp4a": "aac"
    case ".mp3": "mp3"
    case "alac": "alac"
    case "ac-3": "ac3"
    case "ec-3": "eac3"
    case "Opus": "opus"
    case "fLaC": "flac"
    case "lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64", "raw ", "ipcm", "fpcm": "pcm"
    default: type.description
    }
  }
}
