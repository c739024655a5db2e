// SPDX-License-Identifier: MIT

import ApusJSON
import Files
import Media
import Transcode

/// All settings of a transcode: those of a job file or a preset, and over them what is typed.
struct TranscodeOptions: ArgumentGroup {
  static let heading = "Pictures"

  var pictures = PictureCodingOptions()
  var ladder: LadderList?
  var audio: AudioSettings.Codec?
  var audioBitRate: BitRate?
  var dropsSubtitles = false
  var from: MediaTime?
  var to: MediaTime?
  var isSalvaging = false
  var job: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&pictures)
    v.heading = "Renditions"
    try v.option(
      "ladder", "LIST", &ladder,
      "for HLS: auto, or renditions such as hevc:1080,h264:540@2M"
    )
    v.heading = "Other tracks"
    try v.option(
      "audio", "WHAT", &audio,
      """
      audio coding
      Auto copies what the container supports and codes the rest as AAC
      """)
    try v.option("audio-bitrate", "RATE", &audioBitRate, "of AAC, such as 160k")
    try v.flag("no-subtitles", &dropsSubtitles, "leave subtitles out")
    v.heading = "Time"
    try v.option("from", "TIME", &from, "start time, such as 90, 1m30s or 0:01:30")
    try v.option("to", "TIME", &to, "end here")
    v.heading = "Job"
    try v.flag("salvage", &isSalvaging, "go on where something is damaged, with what is left of it")
    try v.option(
      "job", "FILE", &job, completion: .files, "settings as --print-settings printed them")
  }

  /// Refuses what each rung says itself, or could not follow.
  private func checkLadder(_ video: VideoSettings) throws(UsageError) {
    let own = [
      ("--preset", pictures.preset != nil), ("--codec", pictures.codecs != nil),
      ("--size", video.bound != nil), ("--profile", video.profile != nil),
    ]
    if let name = own.first(where: \.1)?.0 {
      throw UsageError(
        "\(name) and --ladder contradict each other: each rung has a codec and a size")
    }
    if case .bitRate = video.rate {
      throw UsageError(
        "--bitrate and --ladder contradict each other; a rung takes one: hevc:1080@6M")
    }
    guard video.keyFrameInterval == nil else {
      throw UsageError(
        "a ladder has key frames at fixed times: give --gop as seconds, such as 2s")
    }
  }

  func settings() throws -> TranscodeSettings {
    guard job == nil || pictures.preset == nil else {
      throw UsageError("--job and --preset contradict each other")
    }
    var settings = pictures.preset?.settings ?? TranscodeSettings()
    if let job { settings = try SettingsJSON.settings(of: job) }
    try pictures.apply(to: &settings.video)
    if let ladder { settings.ladder = ladder.ladder }
    if settings.ladder != nil { try checkLadder(settings.video) }
    if let audio { settings.audio.codec = audio }
    if let audioBitRate { settings.audio.bitRate = audioBitRate.value }
    if dropsSubtitles { settings.keepsSubtitles = false }
    if let from { settings.start = .milliseconds(from.milliseconds) }
    if let to { settings.end = .milliseconds(to.milliseconds) }
    if let start = settings.start, let end = settings.end, !start.isBefore(end) {
      throw UsageError("--to lies no later than --from")
    }
    if isSalvaging { settings.isSalvaging = true }
    return settings
  }
}
