// SPDX-License-Identifier: MIT

import Files
import Stills
import Transcode

/// `apus export`: a library for someone else, each file as it is where that will do.
struct Export: PhotoVerb {
  static let name = "export"
  static let summary =
    "pass photos and videos on: as they are, or in a form that a receiver can show"
  static let discussion = """
    Every file goes into the folder DIR; of the files in a folder, every one that is not hidden. --images compatible \
    turns HEIC and other HEIF pictures into JPEGs, as apus convert does, and copies everything else byte for byte: no \
    JPEG is ever compressed again. --images current copies all pictures. Videos are copied, or coded by \
    --video-preset, as apus transcode does.

    --for asks what the receiver can show instead, and does no more than that takes: legacy is what was usual before \
    HEVC (JPEG, PNG, GIF; H.264 of 8 bits up to 1920 × 1080 in MP4 or MOV); apple is what phones and computers of \
    Apple show; any is everything. FILE.json describes another one: lists under "images", "containers", "video" and \
    "audio", and "bit_depth", "hdr", "size" (such as "1920x1080") and "apple_hevc"; what it leaves out is taken in \
    every form. What cannot be made into anything that is taken is refused, and the exit status is 1.

    --plan says what would be done with each file and why, and does nothing. A Live Photo's picture and its video \
    stay two files; one whose other half is not there is named. --journal, --on-exists and --name are those of apus \
    convert, and so is --isolate for pictures: what is copied is copied by this process, and a video that would have \
    to be coded fails.
    """
  static let examples = [
    Example("apus export -r photos -o stick/", "Copies a library, HEIC photos as JPEGs."),
    Example(
      "apus export -r photos -o stick/ --video-preset h264-1080p",
      "Makes its videos smaller, too, for every player."),
    Example("apus export -r photos -o tv/ --for legacy --plan", "Says what a television needs."),
    Example(
      "apus export -r photos -o frame/ --for frame.json --journal frame.journal",
      "Exports for a device with its own description, and goes on where it was when started again."),
  ]

  var inputs = InputOptions()
  var output = OutputOptions()
  var name = OutputName.standard
  var plan = false
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
    try v.option("name", "TEMPLATE", &name, "how outputs are called, as for convert")
    try v.flag("plan", &plan, "the same as --dry-run: say what would be done, and why")
    v.heading = "What to make"
    try v.option(
      "images", "WHICH", &images,
      """
      convert HEIF pictures, or copy
      Compatible, the default, makes JPEGs of them
      """)
    try v.option(
      "video-preset", "NAME", &videoPreset,
      """
      settings for videos
      With --for only videos that the receiver does not support are coded
      """)
    try v.option(
      "for", "RECEIVER", &receiver, completion: .files,
      "legacy, apple, any, or a JSON file that says what the receiver takes")
    try v.option("quality", short: "q", "N", &quality, "quality of a JPEG, 1 to 100")
    try v.flag("srgb", &srgb, "convert colours of JPEGs to sRGB; otherwise they keep their profile")
    try v.option("decoder", "LIBRARY", &decoder, "HEVC decoder")
    try v.flag(
      "isolate", &isolate,
      """
      decode pictures in isolated processes
      They have no network, and a crash of one costs one picture; no video is coded then
      """)
    try v.group(&batch)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try inputs.check()
    guard !inputs.operands.contains("-") else {
      throw UsageError("standard input has no name to write under; name a file")
    }
    let settings = try settings()
    if plan || output.dryRun, let planner = settings.batch.planner {
      return try ExportPlanList(settings, planner).print(on: console)
    }
    return try ConvertRun(settings, WorkerCommand(Self.self), console).run()
  }

  func settings() throws -> ConvertSettings {
    guard let path = output.path, path != "-" else {
      throw UsageError("the folder to write to is missing: -o DIR")
    }
    guard receiver == nil || images == nil else {
      throw UsageError("--for decides about pictures, and contradicts --images")
    }
    guard !isolate || videoPreset == nil else {
      throw UsageError("--video-preset codes videos, which --isolate does not")
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
      done: "exported", nothing: "there was no file to export")
    return settings
  }
}
