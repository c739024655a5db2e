// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills
import ApusTranscode

/// `apus export`: copies a library for someone else, converting files only where needed.
struct Export: PhotoVerb {
  static let name = "export"
  static let summary =
    "copy photos and videos, converting what a receiver cannot show"
  static let discussion = """
    Copies photos and videos to the folder DIR for someone else, converted only where needed; hidden files in \
    folders are skipped. --images compatible converts HEIC and other HEIF pictures to JPEG, as apus convert \
    does, and copies everything else byte for byte; JPEGs are never recompressed. --images current copies all \
    pictures. Videos are copied, or encoded with --video-preset, as apus transcode does.

    --for describes what the receiver can show, and converts only what it cannot. legacy means the formats \
    before HEVC (JPEG, PNG, GIF; 8-bit H.264 up to 1920 × 1080 in MP4 or MOV); apple means what Apple's phones \
    and computers show; any accepts everything. FILE.json describes another receiver: lists under "images", \
    "containers", "video" and "audio", and "bit_depth", "hdr", "size" (such as "1920x1080") and "apple_hevc"; \
    whatever it leaves out is accepted in any form. A file that cannot be converted to an accepted format is \
    refused, and the exit status is 1.

    --dry-run lists what would be done with each file and why, and writes nothing. The picture and the video of a \
    Live Photo stay two files; if one of them is missing, the other is reported. --journal, --on-exists and \
    --name work as for apus convert, and so does --isolate for pictures: copies are made by the main process, \
    and a video that would have to be encoded fails.
    """
  static let examples = [
    Example("apus export -r photos -o stick/", "Copies a library, with HEIC photos as JPEGs."),
    Example(
      "apus export -r photos -o stick/ --video-preset h264-1080p",
      "Also encodes its videos as H.264, 1080p."),
    Example(
      "apus export -r photos -o tv/ --for legacy --dry-run",
      "Lists what would be converted for a TV."),
    Example(
      "apus export -r photos -o frame/ --for frame.json --journal frame.journal",
      "Exports for a device with a custom description; run it again to resume."),
  ]

  var inputs = InputOptions()
  var output = OutputOptions()
  var name = OutputName.standard
  var images: ExportImages?
  var videoPreset: TranscodePreset?
  var receiver: ReceiverChoice?
  var quality = Quality()
  var srgb = false
  var decoder = DecoderChoice.auto
  var isolate = false
  var batch = BatchOptions()
  var limits = PhotoLimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&output)
    v.heading = OutputOptions.heading
    try v.option("name", "TEMPLATE", &name, "template for output names, as for convert")
    v.heading = "Formats"
    try v.option(
      "images", "WHICH", &images,
      """
      convert or copy HEIF pictures
      Compatible, the default, converts them to JPEG
      """)
    try v.option(
      "video-preset", "NAME", &videoPreset, excludes: ["isolate"],
      """
      settings for encoding videos
      With --for, only videos that the receiver does not support are encoded
      """)
    try v.option(
      "for", "RECEIVER", &receiver, completion: .files, excludes: ["images"],
      "legacy, apple, any, or a JSON file that describes the receiver")
    try v.option("quality", short: "q", "N", &quality, "JPEG quality, 1 to 100")
    try v.flag("srgb", &srgb, "convert JPEG colours to sRGB instead of keeping their profile")
    try v.option("decoder", "LIBRARY", &decoder, "HEVC decoder")
    try v.flag(
      "isolate", &isolate,
      """
      decode pictures in isolated processes
      They have no network access, and a crash fails only one picture; videos are not encoded
      """)
    try v.group(&batch)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try inputs.check()
    guard !inputs.operands.contains("-") else {
      throw UsageError("standard input has no file name; use files")
    }
    let settings = try settings()
    if output.dryRun, let planner = settings.batch.planner {
      return try ExportPlanList(settings, planner).print(on: console)
    }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }

  func settings() throws -> ConvertSettings {
    guard let path = output.path, path != "-" else {
      throw UsageError("no output folder: use -o DIR")
    }
    var options = ConvertOptions()
    options.quality = quality.value
    options.convertsToSRGB = srgb
    options.decoder = decoder
    var settings = try ConvertSettings(
      options, inputs: inputs, output: output, run: batch, limits: limits,
      place: .folder(path), name: name)
    if let file = receiver?.file { settings.batch.documents.append(file) }
    settings.isIsolated = isolate
    settings.batch.planner = ExportPlanner(
      receiver: try receiver?.receiver(), images: images ?? .compatible, preset: videoPreset,
      limits: limits.boxes)
    settings.batch.kinds = .all
    settings.words = RunWords(
      done: "exported", nothing: "no files found")
    return settings
  }
}
