// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts
internal import ApusMedia
internal import ApusRecords
internal import HEVC

/// Describes a file in a sentence, and determines which programs accept it: Apple's players, browsers, RTMP servers.
struct Receivers {
  private let overview: Overview
  private let video: TrackFacts?
  private let sound: TrackFacts?

  init(_ overview: Overview) {
    self.overview = overview
    video = overview.tracks.first { $0.video != nil }
    sound = overview.tracks.first { $0.sound != nil }
  }

  var verdict: ReportVerdict {
    var verdict = ReportVerdict()
    verdict.sentence = sentence
    guard isMedia else { return verdict }
    verdict.receivers = [apple, browsers]
    if overview.picture == nil { verdict.receivers.append(servers) }
    return verdict
  }

  private var isMedia: Bool {
    overview.picture != nil || video != nil || sound != nil || overview.stream?.codec != nil
  }

  // MARK: - Description

  private var sentence: String {
    if let picture = overview.picture, let primary = picture.primary {
      var parts = [Self.codec(primary.codec)]
      if let size = primary.displaySize { parts.append(Self.size(size)) }
      if primary.inputCount > 1 { parts.append("\(primary.inputCount) tiles") }
      parts += Self.form(primary.format, primary.colour)
      if picture.hasGainMap { parts.append("with a gain map") }
      if overview.motionVideo != nil { parts.append("with a video") }
      return "A picture (\(container)): \(parts.joined(separator: ", "))."
    }
    if let facts = video ?? sound {
      var parts: [String] = []
      if let shown = facts.video {
        parts = [Self.codec(facts.codec ?? "an unknown codec"), Self.size(shown.displaySize)]
        if let rate = facts.frameRate { parts.append(Quantity.rate(rate)) }
        parts += Self.form(shown.format, shown.colour)
      }
      var text = parts.joined(separator: ", ")
      if let sound, let tone = sound.sound {
        text += (text.isEmpty ? "" : "; ") + Self.codec(sound.codec ?? "sound")
        if let count = tone.channels {
          text += count == 1 ? ", mono" : count == 2 ? ", stereo" : ", \(count) channels"
        }
      }
      let length = overview.duration.map { " of \(Quantity.time($0))" } ?? ""
      let kind = video == nil ? "Sound" : "A video"
      return "\(kind)\(length) (\(container)): \(text)."
    }
    if let stream = overview.stream, let codec = stream.codec {
      var parts = [Self.codec(codec)]
      if let video = stream.video {
        parts.append(Self.size(video.displaySize))
        parts += Self.form(video.format, video.colour)
      }
      return "A bare stream: \(parts.joined(separator: ", ")), \(stream.pictures.total) pictures."
    }
    let text = overview.kind.description
    return overview.kind == .unknown
      ? "A file of an unknown kind." : "This is \(text)."
  }

  private var container: String {
    switch overview.kind {
    case .isoBMFF:
      let brand = overview.brands.first?.description ?? ""
      let name =
        switch brand {
        case "qt  ": "QuickTime movie"
        case "heic", "heix", "heim", "heis", "mif1", "msf1", "hevc": "HEIF"
        case "avif", "avis": "AVIF"
        default: overview.picture == nil ? "MP4" : "HEIF"
        }
      return overview.isFragmented ? "fragmented \(name)" : name
    case .jpeg: return "JPEG"
    case .png: return "PNG"
    case .flv: return "Flash Video"
    case .matroska: return "Matroska"
    case .mpegTS: return "MPEG transport stream"
    default: return overview.kind.rawValue
    }
  }

  private static func size(_ size: PixelSize) -> String { "\(size.width) × \(size.height)" }

  private static func codec(_ string: String) -> String {
    let type = String(string.prefix { $0 != "." })
    let names = [
      "hvc1": "HEVC", "hev1": "HEVC", "dvh1": "Dolby Vision", "dvhe": "Dolby Vision",
      "avc1": "H.264", "avc3": "H.264", "av01": "AV1", "vp09": "VP9", "mp4a": "AAC",
      "ac-3": "Dolby Digital", "ec-3": "Dolby Digital Plus", "Opus": "Opus", "opus": "Opus",
      "fLaC": "FLAC", "jpeg": "JPEG", "png": "PNG",
    ]
    return names[type] ?? string
  }

  private static func form(_ format: CodedFormat, _ colour: ColourFacts) -> [String] {
    var parts: [String] = []
    if let profile = format.profile { parts.append(profile) }
    if let depth = format.bitDepth { parts.append("\(depth) bits") }
    if let chroma = format.chroma, chroma != "4:2:0" { parts.append(chroma) }
    if let range = colour.dynamicRange { parts.append(range) }
    return parts
  }

  // MARK: - Programs

  private typealias Receiver = ReportVerdict.Receiver

  private var codecType: String {
    let picture = overview.picture?.primary?.codec ?? video?.codec
    let codec: String = picture ?? overview.stream?.codec ?? sound?.codec ?? ""
    return String(codec.prefix { $0 != "." })
  }

  private var isHEVC: Bool { ["hvc1", "hev1", "dvh1", "dvhe"].contains(codecType) }
  private var isAVC: Bool { ["avc1", "avc3"].contains(codecType) }

  private var apple: Receiver {
    let name = "Apple’s players"
    let container: Set<FileKind> = [.isoBMFF, .jpeg, .png, .mp3, .adts, .wave]
    guard container.contains(overview.kind) else {
      return Receiver(
        name, .no, "they do not open \(overview.kind.description); apus remux converts it to MP4")
    }
    if let subset = overview.picture?.primary?.apple ?? video?.apple {
      return subset.isMet
        ? Receiver(name, .yes, "they support this profile and format")
        : Receiver(name, .no, subset.reasons.joined(separator: "; "))
    }
    switch codecType {
    case "avc1", "mp4a", "jpeg", "png", "ac-3", "ec-3", "alac":
      return Receiver(name, .yes, "they play \(Self.codec(codecType))")
    case "av01": return Receiver(name, .partly, "AV1 plays on devices that decode it in hardware")
    case "": return Receiver(name, .unknown, "the codec is unknown")
    default: return Receiver(name, .unknown, "unknown for \(codecType)")
    }
  }

  private var browsers: Receiver {
    let name = "Browsers"
    switch overview.kind {
    case .jpeg, .png: return Receiver(name, .yes, "every browser shows it")
    case .isoBMFF, .matroska: break
    default:
      return Receiver(
        name, .no, "no browser opens \(overview.kind.description) without a script that unpacks it")
    }
    if overview.picture != nil {
      return codecType == "av01"
        ? Receiver(name, .yes, "they show AVIF")
        : Receiver(name, .partly, "only Safari shows HEIC; apus convert makes a JPEG")
    }
    let isMatroska = overview.kind == .matroska
    switch codecType {
    case "vp09", "vp08", "av01":
      return Receiver(name, .yes, "they play \(Self.codec(codecType))")
    case "avc1", "avc3":
      if isMatroska {
        return Receiver(name, .no, "the H.264 is in Matroska; apus remux converts it to MP4")
      }
      let depth = video?.video?.format.bitDepth ?? 8
      let chroma = video?.video?.format.chroma ?? "4:2:0"
      guard depth == 8, chroma == "4:2:0" else {
        return Receiver(
          name, .no, "they decode only 8-bit 4:2:0 H.264, and this has \(depth) bits, \(chroma)")
      }
      return Receiver(name, .yes, "every browser plays H.264 in MP4")
    case "hvc1", "dvh1":
      return Receiver(
        name, .partly, "Safari plays it; Chrome, Edge and Firefox do if the machine decodes HEVC")
    case "hev1", "dvhe":
      return Receiver(
        name, .partly,
        "Safari rejects the sample entry \(codecType); others play it if the machine decodes HEVC"
      )
    case "mp4a": return Receiver(name, .yes, "every browser plays AAC in MP4")
    default: return Receiver(name, .unknown, "unknown for \(codecType)")
    }
  }

  private var servers: Receiver {
    let name = "RTMP servers"
    let way =
      overview.kind == .flv ? "" : "; apus stream can send this file"
    if isAVC {
      return Receiver(name, .yes, "every server accepts H.264\(way)")
    }
    if isHEVC {
      return Receiver(
        name, .partly, "those with Enhanced RTMP accept HEVC; apus doctor tests a server\(way)")
    }
    if codecType == "mp4a" { return Receiver(name, .yes, "every server accepts AAC\(way)") }
    return Receiver(
      name, .no, "\(Self.codec(codecType)) has to be re-encoded; apus stream --encode does it")
  }
}
