// SPDX-License-Identifier: MIT

import Bytes
import Files
import HEVC
import Media
import Synchronization
import Video

/// `apus transcode`: pictures coded anew, the rest carried over.
struct Transcode: Verb {
  static let name = "transcode"
  static let summary = "code video anew as HEVC or H.264: smaller, filtered, cut, for other players"
  static let discussion = """
    Decodes what any input of `apus remux` holds, passes it through filters where that is asked, and codes it as \
    HEVC (libx265) or H.264 (libx264). Colour, HDR10's light, sample shape, field order, rotation and the times of \
    all pictures, even or not, come along; 10 bits stay 10 bits, and nothing is enlarged. Sound is copied where the \
    container takes it and becomes AAC elsewhere; languages and other tracks are kept, and what has no place in the \
    output is named.

    What the output holds is settled by a preset, by the options over it, or by a job file; --print-settings prints \
    all of it as JSON, and --job runs that again.

    Damage in the input ends the job unless --salvage goes on with what can be decoded. Ctrl-C ends the output where \
    it is; the file can be played. Nothing stands under its name before it is whole.
    """
  static let examples = [
    Example(
      "apus transcode clip.mov -o clip.mp4 --preset hevc-1080p", "Makes a smaller HEVC file."),
    Example(
      "apus transcode phone.mov -o web.mp4 --preset h264-1080p --tonemap",
      "Makes what every browser plays, of HDR too."),
    Example(
      "apus transcode film.mp4 -o part.mp4 --preset copy --from 1:00 --to 2:30",
      "Cuts at key frames, nothing coded anew."),
    Example(
      "apus transcode film.mp4 -o film.hevc.mp4 --crf 20 --speed slow --x265-params aq-mode=3",
      "Chooses everything."),
    Example(
      "apus transcode --preset hevc-2160p --crf 22 --print-settings > job.json",
      "Keeps settings; --job job.json uses them."),
  ]

  var inputs = InputOptions()
  var coding = TranscodeOptions()
  var format: RemuxTarget?
  var printsSettings = false
  var json = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&coding)
    v.heading = "Job"
    try v.flag("print-settings", &printsSettings, "print the settings as JSON and do nothing else")
    try v.option(
      "format", "NAME", &format, "what to write; without it the ending of OUT says it")
    try v.json(&json)
    try v.group(&output)
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
    let isFolder = output.path.map { $0.hasSuffix("/") || FileWalk.isFolder($0) } ?? false
    var media = RemuxOptions()
    media.target = format
    let target = try media.target(for: output.path, isFolder: isFolder)
    guard target != .hls else {
      throw UsageError("a presentation is made of a movie: write one, then apus remux it to m3u8")
    }
    guard target.canStream || output.path != "-" else {
      throw UsageError(
        "\(target.rawValue) cannot be written to a pipe; --format fmp4 can, or give -o a file")
    }
    let isStopped = Stop()
    Interruption.watch { isStopped.set() }
    var written = 0
    for input in try inputs.opened(console) {
      do {
        if try transcode(input, to: target, settings, isStopped, console) { written += 1 }
      } catch let error as SyntaxError {
        let isOther = input.isFound && error.field == "input"
        isOther
          ? console.detail("\(input.name) \(error.detail)")
          : console.fail("\(input.name): \(error)")
      } catch let error as FileError {
        console.fail(error.description)
      }
      if isStopped.isSet { return .interrupted }
    }
    return written > 0 ? .done : .nothingToDo
  }

  private final class Stop: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
  }

  /// Answers whether anything was written, or would be.
  private func transcode(
    _ input: Input, to target: RemuxTarget, _ settings: TranscodeSettings, _ stop: Stop,
    _ console: Console
  ) throws -> Bool {
    let path = try output.target(for: input, several: inputs.several, pathExtension: target)
    var opening = MediaInput.Options()
    opening.start = settings.start
    opening.isSalvaging = settings.isSalvaging
    opening.limits = limits.limits
    let media = try MediaInput.open(input.source, options: opening)
    for warning in media.warnings { console.warn("\(input.name): \(warning)") }
    let reporter = TranscodeReporter(console, isJSON: json)
    var options = TranscodeJob.Options(target)
    options.settings = settings
    options.isStopped = { stop.isSet }
    options.onProgress = { reporter.tick($0) }
    let job = try TranscodeJob(media, options: options)
    if output.dryRun {
      console.note("\(path): would be written")
      return true
    }
    defer { reporter.end() }
    let report: TranscodeReport
    var outcome = TranscodeOutcome(
      input: input.name, output: path, target: target, warnings: media.warnings, seconds: 0)
    let bytes: Int
    if target.canStream {
      guard let file = try FileOutput(path, onExists: output.onExists) else {
        return skipped(path, console)
      }
      var sink = file.writer
      report = try job.write(to: &sink)
      outcome.output = try file.commit()
      bytes = file.writer.count
    } else {
      guard let written = try job.write(to: path, onExists: output.onExists) else {
        return skipped(path, console)
      }
      (report, outcome.output, bytes) = written
    }
    reporter.end()
    outcome.seconds = reporter.seconds
    outcome.tell(report, bytes: bytes, console)
    if json { try console.print(outcome.json(report, bytes: bytes)) }
    return true
  }

  private func skipped(_ path: String, _ console: Console) -> Bool {
    console.note("\(path): is there already, skipped; --on-exists replace|rename writes it")
    return false
  }
}

extension OutputOptions {
  /// Under a folder the name of the input with the ending of the target.
  func target(for input: Input, several: Bool, pathExtension target: RemuxTarget)
    throws(UsageError) -> String
  {
    let path = try self.target(for: input, several: several)
    guard let given = self.path, given.hasSuffix("/") || FileWalk.isFolder(given) else {
      return path
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let stem = path[slash...].lastIndex(of: ".").map { path[..<$0] } ?? path[...]
    return "\(stem).\(target.pathExtension)"
  }
}
