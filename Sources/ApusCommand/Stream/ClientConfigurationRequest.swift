// SPDX-License-Identifier: MIT

import Files
import Glibc
import HEVC
import RTMP

/// What a service is asked before a stream goes to it (`GetClientConfiguration`, schema 2024-06-04, as Amazon IVS documents
/// it): who asks, on what machine, and which video and sound will come.
struct ClientConfigurationRequest {
  var key: StreamKey
  var survey: StreamSurvey

  static let schema = "2024-06-04"
  /// The rate that is named where none is known, since one is required.
  static let assumedRate = 30

  /// The document; the key is in it.
  var json: String {
    var json = JSONWriter("")
    json.object { json in
      json.field("service", "IVS")
      json.field("schema_version", Self.schema)
      json.field("authentication", key.unmasked)
      json.field("stream_attempt_start_time", WallClock.now)
      json.key("client")
      json.object { json in
        json.field("name", "apus")
        json.field("version", About.version)
        json.key("supported_codecs")
        json.array { json in
          for codec in Set(survey.videos.map(\.codec)).sorted() { json.value(codec) }
        }
      }
      json.key("capabilities")
      json.object { capabilities(&$0) }
      json.key("preferences")
      json.object { preferences(&$0) }
    }
    return json.output
  }

  private func preferences(_ json: inout JSONWriter<String>) {
    json.key("maximum_aggregate_bitrate")
    let rates = survey.videos.compactMap(\.bitRate)
    // In kilobits.
    if rates.count == survey.videos.count, !rates.isEmpty {
      json.value(max(rates.reduce(0, +) / 1000, 1))
    } else {
      json.null()
    }
    json.field("maximum_video_tracks", survey.videos.count)
    json.field("vod_track_audio", survey.sounds.count > 1)
    json.field("composition_gpu_index", 0)
    guard let video = survey.videos.max(by: { $0.width * $0.height < $1.width * $1.height })
    else { return }
    for name in ["width", "canvas_width"] { json.field(name, video.width) }
    for name in ["height", "canvas_height"] { json.field(name, video.height) }
    json.key("framerate")
    json.object { json in
      json.field("numerator", video.frameRate?.numerator ?? UInt64(Self.assumedRate))
      json.field("denominator", video.frameRate?.denominator ?? 1)
    }
  }

  private func capabilities(_ json: inout JSONWriter<String>) {
    let processor = Processor()
    json.key("cpu")
    json.object { json in
      json.field("logical_cores", processor.threads)
      json.field("physical_cores", processor.cores)
      json.field("speed", processor.megahertz)
      json.field("name", processor.name)
    }
    let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
    json.key("memory")
    json.object { json in
      json.field("total", max(sysconf(Int32(_SC_PHYS_PAGES)), 0) * page)
      json.field("free", max(sysconf(Int32(_SC_AVPHYS_PAGES)), 0) * page)
    }
    json.key("system")
    json.object { json in
      json.field("name", "Linux")
      json.field("version", Self.kernel)
      json.field("release", Self.kernel)
      json.field("build", 0)
      // Services differ on whether it is a number or text.
      json.key("revision")
      json.null()
      json.field("bits", Int.bitWidth)
      #if arch(arm64)
        json.field("arm", true)
      #else
        json.field("arm", false)
      #endif
      json.field("armEmulation", false)
    }
    json.key("gpu")
    json.array { _ in }
  }

  private static var kernel: String {
    SystemText.lines("/proc/sys/kernel/osrelease").first ?? "unknown"
  }
}

/// The processor of this machine, as far as the system says it.
private struct Processor {
  var threads = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
  var cores: Int
  var megahertz = 0
  var name = "unknown"

  init() {
    var places: Set<String> = []
    var package = ""
    for line in SystemText.lines("/proc/cpuinfo") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = String(parts[1].drop { $0 == " " })
      switch parts[0].prefix(while: { $0 != "\t" }) {
      case "model name": name = value
      case "cpu MHz": megahertz = Double(value).flatMap { Int(exactly: $0.rounded()) } ?? 0
      case "physical id": package = value
      case "core id": places.insert("\(package)/\(value)")
      default: break
      }
    }
    cores = places.isEmpty ? threads : places.count
  }
}

/// Small texts that the system shows as files, which have no size.
private enum SystemText {
  private static let most = 1 << 20

  static func lines(_ path: String) -> [String] {
    let descriptor = FileSystem.open(path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while text.count < most {
      let count = unsafe read(descriptor, &piece, piece.count)
      guard count > 0 else { break }
      text += piece.prefix(count)
    }
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map(String.init)
  }
}
