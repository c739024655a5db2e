// SPDX-License-Identifier: MIT

import ApusJSON
import ApusMedia
import ApusTranscode
import HEVC

/// The settings of a transcode as JSON.
enum SettingsJSON {
  static func text(_ settings: TranscodeSettings) -> String {
    var json = JSONWriter("")
    write(settings, to: &json)
    return json.output
  }

  static func write(_ settings: TranscodeSettings, to json: inout JSONWriter<String>) {
    json.object { json in
      json.key("video")
      json.object { json in write(settings.video, to: &json) }
      json.key("audio")
      json.object { json in
        json.field("codec", settings.audio.codec.rawValue)
        if let rate = settings.audio.bitRate { json.field("bit_rate", rate) }
      }
      if let ladder = settings.ladder { json.field("ladder", LadderList(ladder).argument) }
      json.field("subtitles", settings.keepsSubtitles)
      if let start = settings.start?.rounded(to: 1000) { json.field("from_ms", start) }
      if let end = settings.end?.rounded(to: 1000) { json.field("to_ms", end) }
      json.field("salvage", settings.isSalvaging)
    }
  }

  private static func write(_ video: VideoSettings, to json: inout JSONWriter<String>) {
    json.key("codecs")
    json.array { json in for codec in video.codecs { json.value(codec.rawValue) } }
    if let bound = video.bound { json.field("size", "\(bound.longSide)x\(bound.shortSide)") }
    switch video.rate {
    case .quality(nil): break
    case .quality(.some(let quality)):
      json.key("crf")
      json.number(quality)
    case .bitRate(let rate, let passes):
      json.field("bit_rate", rate)
      json.field("passes", passes)
    }
    if let make = video.required { json.field("require", make.rawValue) }
    if let make = video.preferred { json.field("prefer", make.rawValue) }
    if let speed = video.speed { json.field("speed", speed) }
    if let tune = video.tune { json.field("tune", tune) }
    if let profile = video.profile { json.field("profile", profile) }
    if let gop = video.keyFrameInterval { json.field("gop", gop) }
    if let gop = video.keyFrameDuration?.rounded(to: 1000) { json.field("gop_ms", gop) }
    if video.hasClosedGroups { json.field("closed_gop", true) }
    if let depth = video.bitDepth { json.field("depth", depth) }
    if let chroma = video.chroma { json.field("chroma", chroma.name) }
    if let crop = video.crop {
      json.field("crop", "\(crop.width)x\(crop.height)+\(crop.x)+\(crop.y)")
    }
    if let rate = video.frameRate { json.field("fps", rate.description) }
    if let count = video.mostPictures { json.field("pictures", count) }
    if let threads = video.threads { json.field("threads", threads) }
    json.field("deinterlace", video.isDeinterlaced)
    json.field("tonemap", video.isToneMapped)
    json.field("bake_rotation", video.rotation == .baked)
    json.field("filter", video.filter)
    for (name, list) in [
      ("x265_params", video.x265Parameters), ("x264_params", video.x264Parameters),
    ] where !list.isEmpty {
      json.field(name, list.map { "\($0.name)=\($0.value)" }.joined(separator: ":"))
    }
  }
}
