// SPDX-License-Identifier: MIT

import ApusFiles
import ApusJSON
import ApusMedia
import ApusTranscode

/// All settings of a transcode: a job file or a preset, overridden by options.
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
    v.heading = SegmentOptions.heading
    try v.option(
      "ladder", "LIST", &ladder,
      "for HLS: auto, or renditions such as hevc:1080,h264:540@2M"
    )
    v.heading = "Other tracks"
    try v.option(
      "audio", "WHAT", &audio,
      """
      audio coding
      Auto copies audio that the container can hold, and encodes the rest as AAC
      """)
    try v.option("audio-bitrate", "RATE", &audioBitRate, "bit rate of AAC in bit/s, such as 160k")
    try v.flag("no-subtitles", &dropsSubtitles, "leave out subtitles")
    v.heading = InputOptions.heading
    try v.option("from", "TIME", &from, "start time, such as 90, 1m30s or 0:01:30")
    try v.option("to", "TIME", &to, "end time")
    try v.flag("salvage", &isSalvaging, "continue if the input is damaged")
    try v.option(
      "job", "FILE", &job, completion: .files, excludes: ["preset"],
      "read settings from FILE, as --print-settings prints them")
  }

  /// Throws for options that each rung sets itself or cannot follow.
  private func checkLadder(_ video: VideoSettings) throws(UsageError) {
    let own = [
      ("--preset", pictures.preset != nil), ("--codec", pictures.codecs != nil),
      ("--size", video.bound != nil), ("--profile", video.profile != nil),
    ]
    if let name = own.first(where: \.1)?.0 {
      throw UsageError(
        "\(name) and --ladder cannot be combined: each rendition has its own codec and size")
    }
    if case .bitRate = video.rate {
      throw UsageError(
        "--bitrate and --ladder cannot be combined; set a rate in the ladder: hevc:1080@6M")
    }
    guard video.keyFrameInterval == nil else {
      throw UsageError(
        "--ladder needs key frames at fixed times: give --gop as a time, such as 2s")
    }
  }

  func settings() throws -> TranscodeSettings {
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
      throw UsageError("--to must be later than --from")
    }
    if isSalvaging { settings.isSalvaging = true }
    return settings
  }
}
