// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusJSON
import ApusMedia
import ApusTranscode
import HEVC

extension SettingsJSON {
  /// Reads settings from a file. Settings that it does not contain have their defaults.
  static func settings(of path: String) throws -> TranscodeSettings {
    let source = try openInput(path, limit: 1 << 20)
    guard source.count <= 1 << 20 else {
      throw UsageError("\(path) is too large for settings: \(source.count) bytes")
    }
    do {
      return try settings(of: try source.bytes(in: 0..<source.count))
    } catch let error as JSONError {
      throw UsageError("\(path) is not JSON: \(error)")
    } catch let error as UsageError {
      throw UsageError("\(path): \(error.message)")
    }
  }

  static func settings(of bytes: [UInt8]) throws -> TranscodeSettings {
    var settings = TranscodeSettings()
    var root = try JSONFields(JSONReader.value(of: bytes), "the document")
    if var video = try root.object("video") {
      try read(&video, into: &settings.video)
      try video.finish()
    }
    if var audio = try root.object("audio") {
      if let codec: AudioSettings.Codec = try audio.word("codec") { settings.audio.codec = codec }
      settings.audio.bitRate = try audio.integer("bit_rate", 1000...2_000_000_000)
      try audio.finish()
    }
    if let ladder: LadderList = try root.word("ladder") { settings.ladder = ladder.ladder }
    if let keeps = try root.truth("subtitles") { settings.keepsSubtitles = keeps }
    let times = 0...Int(Int32.max)
    settings.start = try root.integer("from_ms", times).map { .milliseconds(Int64($0)) }
    settings.end = try root.integer("to_ms", times).map { .milliseconds(Int64($0)) }
    if let salvages = try root.truth("salvage") { settings.isSalvaging = salvages }
    try root.finish()
    return settings
  }

  private static func read(_ json: inout JSONFields, into video: inout VideoSettings) throws {
    if let names = try json.texts("codecs") {
      guard let list = CodecList(argument: names.joined(separator: ",")) else {
        throw UsageError("video.codecs: expected \(CodecList.expected)")
      }
      video.codecs = list.codecs
    }
    if let size: FrameSize = try json.word("size") {
      video.bound = SizeBound(size.width, size.height)
    }
    let quality = try json.number("crf", 0...63)
    if let rate = try json.integer("bit_rate", 1000...2_000_000_000) {
      guard quality == nil else {
        throw UsageError("video: crf and bit_rate cannot be combined")
      }
      video.rate = .bitRate(rate, passes: try json.integer("passes", 1...2) ?? 1)
    } else {
      video.rate = .quality(quality)
    }
    video.required = try json.word("require")
    video.preferred = try json.word("prefer")
    video.speed = try json.word("speed")
    video.tune = try json.word("tune")
    video.profile = try json.word("profile")
    video.keyFrameInterval = try json.integer("gop", 0...1_000_000)
    video.keyFrameDuration = try json.integer("gop_ms", 1...3_600_000).map {
      .milliseconds(Int64($0))
    }
    video.hasClosedGroups = try json.truth("closed_gop") ?? false
    video.bitDepth = try json.integer("depth", 8...12)
    if let name: String = try json.word("chroma") {
      guard let chroma = Chroma.allCases.first(where: { $0.name == name }) else {
        throw UsageError("video.chroma: expected 400, 420, 422 or 444")
      }
      video.chroma = chroma
    }
    if let crop: CropArea = try json.word("crop") { video.crop = crop.rect }
    video.frameRate = try json.word("fps")
    video.mostPictures = try json.integer("pictures", 1...1_000_000_000)
    video.threads = try json.integer("threads", 0...1024)
    video.isDeinterlaced = try json.truth("deinterlace") ?? false
    video.isToneMapped = try json.truth("tonemap") ?? false
    video.rotation = try json.truth("bake_rotation") ?? false ? .baked : .kept
    video.filter = try json.word("filter") ?? ""
    if let words: EncoderWords = try json.word("x265_params") {
      video.x265Parameters = words.parameters
    }
    if let words: EncoderWords = try json.word("x264_params") {
      video.x264Parameters = words.parameters
    }
  }
}
