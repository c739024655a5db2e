// SPDX-License-Identifier: MIT

import ApusJSON
import Bytes
import Media
import RTMP

/// What a service answers to a `ClientConfigurationRequest`: where the stream goes, and which video it is to have.
struct ServiceConfiguration {
  /// One of the videos that the service asks for.
  struct Video: Hashable {
    /// The encoder, as the service names it: `obs_x264`, `jim_hevc_nvenc`.
    var encoder: String
    var width: Int
    var height: Int
    /// Pictures in a second; `nil` where it is left open.
    var frameRate: Double?
    /// Bits in a second; `nil` where it is left open.
    var bitRate: Int?

    /// The codec that the encoder is of; `nil` where its name does not say it.
    var codec: String? {
      let name = encoder.lowercased()
      if ["hevc", "h265", "x265"].contains(where: { name.holds($0) }) { return "h265" }
      if name.holds("av1") { return "av1" }
      return ["264", "avc", "jim_nvenc", "obs_qsv11"].contains { name.holds($0) } ? "h264" : nil
    }
  }

  /// One of the tracks of sound that the service asks for.
  struct Sound: Hashable {
    /// The encoder, as the service names it: `ffmpeg_aac`.
    var encoder: String
    /// The number that orders the tracks; 0 where it is left open.
    var trackID: Int
    /// This is 0 where it is left open.
    var channels: Int
    /// Bits in a second; `nil` where it is left open.
    var bitRate: Int?

    /// The codec that the encoder is of; `nil` where its name does not say it.
    var codec: String? {
      let name = encoder.lowercased()
      return ["aac", "opus", "flac", "mp3", "ac3"].first { name.holds($0) }
    }
  }

  /// What a person should know, in the service's words.
  var warning: String?
  var videos: [Video]
  /// The sound of the stream, then that of what is kept of it (`vod`); `nil` where the service says nothing of sound.
  var sounds: [Sound]?
  private let identifier: String
  private let endpoints: [(isSecure: Bool, template: String, key: StreamKey?)]

  /// Throws where the service refuses, in its words.
  ///
  /// - Parameter key: what must not be shown.
  init(_ bytes: [UInt8], hiding key: StreamKey) throws(MediaError) {
    let answer: JSONValue
    do throws(JSONError) {
      answer = try JSONReader.value(of: bytes)
    } catch {
      throw MediaError(.invalid, "the answer of the service is no JSON: \(error)")
    }
    videos = answer["encoder_configurations"]?.elements.map(Video.init) ?? []
    sounds = answer["audio_configurations"].map { asked in
      ["live", "vod"].flatMap { name in
        (asked[name]?.elements ?? []).map(Sound.init).sorted { $0.trackID < $1.trackID }
      }
    }
    identifier = answer["meta"]?["config_id"]?.text ?? ""
    let words = answer["status"]?["html_en_us"]?.text.map { key.masked(Self.plain($0)) }
    switch answer["status"]?["result"]?.text {
    case nil, "success": break
    case "error":
      throw MediaError(
        .unsupported, "the service refuses the stream: \(words ?? "it says no more")")
    case "warning":
      guard !videos.isEmpty else {
        throw MediaError(
          .unsupported, "the service has no configuration: \(words ?? "it says no more")")
      }
      warning = words ?? "the service warns, and says no more"
    case let result?: warning = words ?? "the service answers with \(result)"
    }
    endpoints = (answer["ingest_endpoints"]?.elements ?? []).compactMap { endpoint in
      guard let name = endpoint["protocol"]?.text?.uppercased(), ["RTMP", "RTMPS"].contains(name),
        let template = endpoint["url_template"]?.text
      else { return nil }
      let own = endpoint["authentication"]?.text.flatMap { $0.isEmpty ? nil : StreamKey($0) }
      return (name == "RTMPS", template, own)
    }
    guard !endpoints.isEmpty else {
      throw MediaError(.unsupported, "the answer of the service names no RTMP server")
    }
  }

  /// Text without the marks of HTML.
  private static func plain(_ html: String) -> String {
    var text = ""
    var isMark = false
    for character in html {
      switch character {
      case "<": isMark = true
      case ">" where isMark:
        isMark = false
        text.append(" ")
      default: if !isMark { text.append(character) }
      }
    }
    for (entity, character) in [
      ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
      ("&amp;", "&"),
    ] {
      text = text.with(character, for: entity)
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Where the stream goes: over TLS if the service has that. The name of the configuration and what the template and the
  /// key have for a query follow the key.
  func address(_ key: StreamKey) throws(MediaError) -> Address {
    guard let endpoint = endpoints.first(where: \.isSecure) ?? endpoints.first else {
      throw MediaError(.unsupported, "the answer of the service names no RTMP server")
    }
    let template = Self.parts(endpoint.template)
    let own = Self.parts(key.unmasked)
    let name = endpoint.key.map { Self.parts($0.unmasked).path } ?? own.path
    guard !name.isEmpty else { throw MediaError(.misuse, "there is no stream key") }
    var queries = [template.query, endpoint.key.map { Self.parts($0.unmasked).query } ?? ""]
    queries.append(own.query)
    if !identifier.isEmpty { queries.append("clientConfigId=\(Self.escaped(identifier))") }
    let query = queries.filter { !$0.isEmpty }.joined(separator: "&")
    let server = template.path.with("", for: "/{stream_key}")
    do throws(SessionError) {
      return try Address(
        server, key: StreamKey(query.isEmpty ? name : "\(name)?\(query)"))
    } catch {
      throw MediaError(.invalid, "the server that the service names: \(error.detail)")
    }
  }

  private static func parts(_ text: String) -> (path: String, query: String) {
    let path = text.prefix { $0 != "?" }
    return (String(path), String(text.dropFirst(path.count + 1)))
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
        || "-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      result +=
        isPlain ? String(Unicode.Scalar(byte)) : digits.count == 1 ? "%0\(digits)" : "%\(digits)"
    }
  }
}

extension ServiceConfiguration.Video {
  fileprivate init(_ value: JSONValue) {
    encoder = value["type"]?.text ?? ""
    width = value["width"]?.integer ?? 0
    height = value["height"]?.integer ?? 0
    if let rate = value["framerate"], let count = rate["numerator"]?.double {
      let length = rate["denominator"]?.double ?? 1
      if length > 0, count > 0 { frameRate = count / length }
    }
    let rate = value["settings"]?["bitrate"]?.double ?? value["bitrate"]?.double
    bitRate = rate.flatMap { Int(exactly: ($0 * 1000).rounded()) }
  }
}

extension ServiceConfiguration.Sound {
  fileprivate init(_ value: JSONValue) {
    encoder = value["codec"]?.text ?? ""
    trackID = value["track_id"]?.integer ?? 0
    channels = value["channels"]?.integer ?? 0
    bitRate = value["settings"]?["bitrate"]?.double.flatMap { Int(exactly: ($0 * 1000).rounded()) }
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue] { if case .array(let all) = self { all } else { [] } }
}
