// SPDX-License-Identifier: MIT

import ApusJSON
import Files
import Media
import Transcode

/// All settings of a transcode: those of a job file or a preset, and over them what is typed.
struct TranscodeOptions: ArgumentGroup {
  static let heading = "Pictures"

  var pictures = PictureCodingOptions()
  var audio: AudioSettings.Codec?
  var audioBitRate: BitRate?
  var dropsSubtitles = false
  var from: MediaTime?
  var to: MediaTime?
  var isSalvaging = false
  var job: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&pictures)
    v.heading = "Other tracks"
    try v.option(
      "audio", "WHAT", &audio, "auto copies what the container takes and codes the rest as AAC")
    try v.option("audio-bitrate", "RATE", &audioBitRate, "of AAC, such as 160k")
    try v.flag("no-subtitles", &dropsSubtitles, "leave subtitles out")
    v.heading = "Time"
    try v.option("from", "TIME", &from, "begin here: seconds or H:MM:SS")
    try v.option("to", "TIME", &to, "end here")
    v.heading = "Job"
    try v.flag("salvage", &isSalvaging, "go on where something is damaged, with what is left of it")
    try v.option(
      "job", "FILE", &job, completion: .files, "settings as --print-settings printed them")
  }

  func settings() throws -> TranscodeSettings {
    guard job == nil || pictures.preset == nil else {
      throw UsageError("--job and --preset contradict each other")
    }
    var settings = pictures.preset?.settings ?? TranscodeSettings()
    if let job { settings = try SettingsJSON.settings(of: job) }
    try pictures.apply(to: &settings.video)
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
