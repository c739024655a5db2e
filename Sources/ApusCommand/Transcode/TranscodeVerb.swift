// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusLive
import ApusMedia
import ApusSamples
import ApusTranscode
import FLV
import HEVC

/// `apus transcode`: re-encodes video and keeps the rest.
struct TranscodeVerb: Verb {
  static let name = "transcode"
  static let summary = "re-encode video as HEVC or H.264, to shrink, filter, cut or stream it"
  static let discussion = """
    Reads what apus remux reads, and encodes with libx265 or libx264; audio is copied or becomes AAC.

    Audio is copied if OUT can hold it. Colour, HDR10 and HDR10+ metadata, closed captions, sample aspect ratio, field \
    order, rotation and the timestamps of all pictures are kept; 10-bit video stays 10-bit, and pictures are never \
    enlarged. Languages and other tracks are kept, and a warning names what OUT cannot hold.

    Dolby Vision (profiles 5 and 8, and 7 as 8.1) is kept in HEVC of 10 bits whose pictures are not filtered, rotated or \
    tone mapped; the areas that it names follow crops and sizes. Otherwise it is left out with a warning.

    Settings come from a preset or a job file, and options override them. --print-settings prints all of them as JSON, \
    which --job reads.

    If OUT is an rtmp:// or rtmps:// URL, the result is published in real time; see apus stream about the network. \
    --ca-file and --insecure work as there. A stream has a key frame every two seconds unless --gop is given.

    Damage in the input ends the job; --salvage continues with what can be decoded. Ctrl-C ends the output early but \
    leaves a file that can be played. An output gets its name when it is complete. Until then an MP4, MOV or \
    presentation is OUT.part, which can be played even if Apus is killed. The same command with --resume continues after \
    its last complete group of pictures; OUT.part.job tells whether it is the same job. apus remux --recover turns \
    OUT.part into a movie instead. Short groups (--gop 2s) lose less.

    If OUT ends in .m3u8, the output is an HLS presentation, as apus remux makes it, with a key frame at the start of \
    each segment.

    --ladder makes an adaptive HLS presentation while decoding once: renditions of several sizes and codecs, none larger \
    than the input, with key frames at the same times, and one set of audio and subtitles. auto means \
    hevc:2160,hevc:1080,hevc:540,h264:1080,h264:540. Bit rates follow Apple's authoring specification; hevc:2160@12M \
    sets one, and --crf encodes all renditions at a constant quality, limited to these rates. HEVC keeps HDR; H.264 is \
    tone mapped to SDR.

    --prefer hardware encodes with NVENC, Quick Sync, VAAPI, AMF or Vulkan if this machine has one of them, its driver \
    works and it takes the pictures; otherwise in software, with a warning that gives the reasons. --require hardware ends \
    with status 4 instead. --crf, --speed, --gop and --profile mean what they do in software, as closely as the device \
    allows. apus codecs lists the encoders that work.

    --report decodes the output and compares each picture with the one that the encoder received (after scaling, tone \
    mapping and rotation): PSNR and SSIM of all pictures, and of the worst with their times. With --json it prints a \
    line for each picture. It decodes the input a second time.
    """
  static let examples = [
    Example(
      "apus transcode clip.mov -o clip.mp4 --preset hevc-1080p", "Makes a smaller HEVC file."),
    Example(
      "apus transcode phone.mov -o web.mp4 --preset h264-1080p --tonemap",
      "Makes a file that every browser plays, also from HDR."),
    Example(
      "apus transcode film.mp4 -o part.mp4 --preset copy --from 1:00 --to 2:30",
      "Cuts at key frames, without re-encoding."),
    Example(
      "apus transcode film.mp4 -o film.hevc.mp4 --crf 20 --speed slow --x265-params aq-mode=3",
      "Sets quality, speed and an x265 parameter."),
    Example(
      "apus transcode camera.mp4 -o rtmp://127.0.0.1/live/key --bitrate 4M --dialect enhanced",
      "Publishes the result."),
    Example(
      "apus transcode film.mp4 -o film.hevc.mp4 --crf 20 --gop 2s --resume",
      "Continues an interrupted run."),
    Example(
      "apus transcode film.mov -o web/film.m3u8 --ladder auto",
      "Makes an adaptive HLS presentation in HEVC and H.264."),
    Example(
      "apus transcode --preset hevc-2160p --crf 22 --print-settings > job.json",
      "Saves settings, for --job job.json."),
  ]

  var inputs = InputOptions()
  var coding = TranscodeOptions()
  var format: RemuxTarget?
  var dialect: DialectChoice?
  var segments = SegmentOptions()
  var login = LoginOptions()
  var trust = TrustOptions()
  var resumes = false
  var reports = false
  var printsSettings = false
  var json = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&coding)
    try v.group(&segments)
    try v.group(&login)
    try v.group(&trust)
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option(
      "format", "NAME", &format, "output format; otherwise from OUT")
    try v.option(
      "dialect", "NAME", &dialect, "HEVC dialect in FLV and RTMP")
    try v.flag(
      "resume", &resumes,
      """
      resume an interrupted run, for MP4, MOV and HLS
      It continues from OUT.part of the same job
      """
    )
    try v.flag(
      "report", &reports,
      """
      report PSNR and SSIM of each picture
      The output is decoded and compared with the pictures that were encoded
      """)
    try v.flag("print-settings", &printsSettings, "print the settings as JSON and exit")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let settings = try coding.settings()
    if printsSettings {
      try console.print(SettingsJSON.text(settings))
      return .done
    }
    guard !json || output.path != "-" else {
      throw UsageError("--json and the result would both go to standard output")
    }
    if let status = EncoderMake.status(settings, console) { return status }
    if let path = output.path, path.isStreamAddress {
      return try stream(to: path, settings).run(console)
    }
    try checkReport(settings)
    try login.check(inputs, trust)
    let isFolder = output.path.map { $0.hasSuffix("/") || FileWalk.isFolder($0) } ?? false
    var media = RemuxOptions()
    media.target = format
    let target = try media.target(for: output.path, isFolder: isFolder)
    guard settings.ladder == nil || target == .hls else {
      throw UsageError("--ladder makes an HLS presentation, so OUT must end in .m3u8")
    }
    guard dialect == nil || target == .flv else {
      throw UsageError("--dialect is only for flv and rtmp, not for \(target.rawValue)")
    }
    guard !target.isMatroska else {
      throw UsageError(
        "transcode cannot write \(target.rawValue): write mp4, and convert it with apus remux")
    }
    try segments.check()
    guard !resumes || target.hasPart else {
      throw UsageError(
        "--resume is only for mp4, mov and hls, not for \(target.rawValue)")
    }
    guard !resumes || settings.video.passes == 1 else {
      throw UsageError(
        "--resume and --passes 2 cannot be combined: the first pass needs the whole input")
    }
    guard target.canStream || output.path != "-" else {
      throw UsageError(
        "\(target.rawValue) cannot be written to a pipe; use --format fmp4 or write to a file")
    }
    Interruption.watch {}
    var written = 0
    let opened = try inputs.opened(console, limits.limits, for: output)
    opened.isStopped = { Interruption.isReceived }
    opened.openElsewhere = { name throws(FileError) in
      try login.opened(name, isOnly: inputs.isOnly(name), trust, console)
    }
    try opened.each { input in
      if try transcode(input, to: target, settings, console) { written += 1 }
    }
    if Interruption.isReceived { return Interruption.status }
    return written > 0 ? .done : .nothingToDo
  }

  /// Throws if the output could not be read again for a report.
  private func checkReport(_ settings: TranscodeSettings) throws(UsageError) {
    guard reports else { return }
    guard output.path != "-" else {
      throw UsageError("--report decodes the output again, which is not possible with a pipe")
    }
    guard settings.video.codecs.first != .copy else {
      throw UsageError("--report needs re-encoded video, and copy re-encodes nothing")
    }
  }
}
