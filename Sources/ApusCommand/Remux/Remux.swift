// SPDX-License-Identifier: MIT

import Bytes
import Containers
import FLV
import Files
import Flow
import Foreign
import HEVC
import ISOBMFF
import Media
import Presentations

/// `apus remux`: coded media from one container into another.
struct Remux: Verb {
  static let name = "remux"
  static let summary = "move HEVC, AVC and AAC from one container into another without re-encoding"
  static let discussion = """
    Reads MP4 and MOV files, fragmented or not, FLV files in either HEVC dialect, and bare HEVC streams \
    (Annex B), Matroska, MPEG transport streams and more, and writes FLV, MP4, MOV, fragmented MP4, Matroska, WebM, an \
    MPEG transport stream or a bare stream. Pictures and sound stay what they are, byte for byte, with their times as \
    exactly as the target holds them: FLV and Matroska have milliseconds. Edit lists are applied. Tracks that the target \
    cannot hold are named and left out. Dolby Vision keeps its RPUs everywhere, and its configuration in MP4, MOV, HLS, \
    Matroska and transport streams; of FLV and bare streams, which cannot hold one, the RPUs prove it again.

    Matroska and transport streams are written by libavformat. Timed text becomes SubRip in Matroska and WebVTT in WebM. \
    In a transport stream parameter sets are before each key frame. What would begin before 0 there, such as what an \
    AAC encoder puts before the sound, moves all times.

    --title and --metadata set tags in MP4, MOV, fragmented MP4 and Matroska; a transport stream has a title alone.

    HEVC in FLV has two forms. Enhanced RTMP's (hvc1), which FFmpeg 6.1 and OBS know, is written unless \
    --dialect legacy asks for that of Chinese networks (codec id 12).

    A bare stream has no times: pictures are shown in the order that they say, as many a second as the stream \
    says, or --fps. With - for both, a pipe of FLV or of a bare stream is passed on as it comes.

    Several FILEs and an OUT that is no folder are joined, one after the other: they must have the same kinds of \
    tracks, with the same codec, size, rate and channels; parameter sets may differ.

    A movie made of a pipe is written to OUT.part first, in fragments, and takes its name when it is whole; \
    --recover makes it of what an interrupted run left. From one movie to another go subtitles, timecodes and \
    other timed tracks, chapters, metadata, edit lists and sample groups, too. Subtitles of Matroska that are \
    text (SubRip, SubStation Alpha, WebVTT) become timed text (tx3g), with what is bold, slanted, underlined or \
    coloured, and without places and fonts.

    An OUT that ends in .m3u8 is a presentation for HTTP Live Streaming: all inputs are renditions of the same, \
    such as one in HEVC and one in H.264, sound is taken from the first that has some, and inputs without \
    pictures add further sound. OUT names the renditions; their playlists and segments (CMAF) lie in the folder \
    beside it. Segments begin at key frames. Sound of several codecs makes groups, subtitles that are text become \
    WebVTT, and each video gets a playlist of its key frames for winding. apus hls check holds the result against \
    Apple's rules.
    """
  static let examples = [
    Example(
      "apus remux film.mkv --tracks v:0,a:1 -o film.mp4",
      "Takes the second track of sound alone."),
    Example("apus remux clip.mov -o clip.flv", "Makes FLV of a phone's video."),
    Example("apus remux recording.flv -o recording.mp4", "Makes MP4 of a recorded stream."),
    Example(
      "apus remux clip.mov --title Holiday --metadata artist=Ann -o clip.mkv",
      "Makes Matroska with a title and an author."),
    Example("apus remux clip.mp4 --format ts -o - | player -", "Plays it as a transport stream."),
    Example(
      "apus remux camera.h265 --fps 50 -o camera.mp4", "Gives the pictures of a bare stream times."),
    Example("apus remux clip.mp4 -o clip.hevc", "Takes the bare stream out."),
    Example(
      "apus remux --recover clip.mp4.part -o clip.mp4", "Finishes what was interrupted."),
    Example("apus remux part1.mp4 part2.mp4 -o whole.mp4", "Joins two parts of a recording."),
    Example(
      "apus remux hevc.mp4 h264.mp4 -o web/index.m3u8",
      "Makes a presentation for the web of two forms of a video."),
  ]

  var inputs = InputOptions()
  var media = RemuxOptions()
  var segments = SegmentOptions()
  var json = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&media)
    try v.group(&segments)
    try v.json(&json)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard !json || output.path != "-" else {
      throw UsageError("--json and the result would both go to standard output")
    }
    let isFolder = output.path.map { $0.hasSuffix("/") || FileWalk.isFolder($0) } ?? false
    let target = try media.target(for: output.path, isFolder: isFolder)
    try segments.check()
    _ = try media.tags(for: target)
    guard target.canStream || output.path != "-" else {
      throw UsageError(
        "\(target.rawValue) cannot be written to a pipe; --format fmp4 can, or give -o a file")
    }
    if inputs.operands == ["-"], inputs.lists.isEmpty, let pipe = PipeReader.standardInput() {
      if output.path == "-" { return try pass(pipe, as: target, console) }
      if target == .mp4 || target == .mov, !output.dryRun {
        return try gather(pipe, as: target, console)
      }
    }
    if target == .hls { return try present(console) }
    if inputs.operands.count > 1, !inputs.recursive, inputs.lists.isEmpty, !isFolder {
      return try join(to: target, console)
    }
    var written = 0
    try inputs.opened(console, limits.limits, for: output).each { input in
      if try remux(input, to: target, console) { written += 1 }
    }
    return written > 0 ? .done : .nothingToDo
  }

  var mediaOptions: MediaInput.Options {
    var options = MediaInput.Options()
    options.frameRate = media.frameRate
    options.start = media.start.map { .milliseconds($0.milliseconds) }
    options.isSalvaging = media.recovers
    options.limits = limits.limits
    return options
  }

  /// All inputs into one presentation.
  private func present(_ console: Console) throws -> ExitStatus {
    guard let given = output.path else { throw UsageError("where to write is missing: -o OUT") }
    let isFolder = given.hasSuffix("/") || FileWalk.isFolder(given)
    let path = isFolder ? given + (given.hasSuffix("/") ? "" : "/") + "index.m3u8" : given
    let job = HLSRemux(
      path: path, options: segments.hls, input: mediaOptions, mayLeaveFolder: media.mayLeave,
      selection: media.selection, output: output, json: json)
    let isListed = inputs.recursive || !inputs.lists.isEmpty
    return try job.run(
      try inputs.opened(console, limits.limits, for: output),
      count: isListed ? nil : inputs.operands.count, console)
  }

  func jobOptions(_ target: RemuxTarget) throws(UsageError) -> RemuxJob.Options {
    var options = RemuxJob.Options(target)
    options.dialect = media.dialect ?? .enhanced
    options.indexesKeyFrames = !media.hasNoIndex
    options.fragmentDuration = segments.hls.fragmentDuration
    options.muxers = ForeignMuxerMaker()
    options.tags = try media.tags(for: target)
    return options
  }

  /// Answers whether anything was written, or would be.
  func remux(_ input: Input, to target: RemuxTarget, _ console: Console) throws -> Bool {
    let path = try path(for: input, target)
    var reporter = RemuxReporter(input: input.name, output: path, target: target)
    if target == .flv, media.start == nil, media.selection.isEverything,
      try media.tags(for: target).isEmpty,
      try FileKind(of: input.source) == .flv
    {
      return try convert(input, to: path, &reporter, console)
    }
    var opened = try MediaInput.open(
      input.source, options: mediaOptions.reading(input, mayLeaveFolder: media.mayLeave))
    reporter.unchosen = try opened.choose(media.selection)
    reporter.warnings = opened.warnings
    let job = try RemuxJob(opened, options: try jobOptions(target), isTrimmed: media.start != nil)
    reporter.warnings.removeAll { job.plan.settled.contains($0) }
    return try write(job, to: path, for: input, &reporter, console)
  }

  /// Writes what a job makes, or says what it would be.
  func write(
    _ job: RemuxJob, to path: String, for input: Input, _ reporter: inout RemuxReporter,
    _ console: Console
  ) throws -> Bool {
    reporter.warn(job.plan, console)
    if output.dryRun {
      try output.refuseInputs(path, for: input)
      let names = job.plan.tracks.map(\.name).joined(separator: ", ")
      console.detail("\(path): would hold \(names)")
      if json { try console.print(reporter.json(job.plan, bytes: nil)) }
      return true
    }
    guard let file = try output.begin(path, for: input) else {
      return skipped(path, console)
    }
    var sink = file.writer
    let report = try job.write(to: &sink)
    reporter.output = try file.commit()
    reporter.tell(report, console)
    if json { try console.print(reporter.json(report, bytes: file.writer.count)) }
    return true
  }

  /// Copies FLV tags into another FLV file as they are, but for the dialect.
  private func convert(
    _ input: Input, to path: String, _ reporter: inout RemuxReporter, _ console: Console
  ) throws -> Bool {
    var options = FLVConverter.Options()
    options.dialect = media.dialect ?? .enhanced
    options.indexesKeyFrames = !media.hasNoIndex
    let converter = try FLVConverter(input.source, options: options, limits: limits.limits)
    reporter.warnings = converter.report.losses + converter.report.faults
    if converter.report.isTruncated {
      reporter.warnings.append("the file ends inside a tag, which is left out")
    }
    if converter.report.junk > 0 {
      reporter.warnings.append("\(converter.report.junk) bytes between tags are left out")
    }
    reporter.warn(RemuxReport(), console)
    var bytes: Int?
    if !output.dryRun {
      guard let file = try output.begin(path, for: input) else {
        return skipped(path, console)
      }
      var sink = file.writer
      try converter.write(to: &sink)
      reporter.output = try file.commit()
      bytes = file.writer.count
    }
    console.detail("\(reporter.output): \(converter.report.tags) tags")
    if json { try console.print(reporter.json(converter.report, options.dialect, bytes: bytes)) }
    return true
  }

  func skipped(_ path: String, _ console: Console) -> Bool {
    console.noteExisting(path)
    return false
  }

  /// Returns the path of the output: below a folder, the name of the input with the ending of the target.
  private func path(for input: Input, _ target: RemuxTarget) throws(UsageError) -> String {
    let path = try output.target(for: input, several: inputs.several)
    guard let given = output.path, given.hasSuffix("/") || FileWalk.isFolder(given) else {
      return path
    }
    let slash = path.lastSlash ?? path.startIndex
    let stem = path[slash...].lastIndex(of: ".").map { path[..<$0] } ?? path[...]
    return "\(stem).\(target.pathExtension)"
  }
}

extension ConversionReport {
  /// What the other form cannot hold, as text.
  var losses: [String] {
    func count(_ number: Int, _ what: String) -> String? { number > 0 ? "\(number) \(what)" : nil }
    let lost = [
      count(lostColours, "tags with colour information"),
      count(lostNanoseconds, "frames with nanoseconds"),
    ].compactMap(\.self)
    return lost.isEmpty
      ? [] : ["the legacy dialect cannot hold \(lost.joined(separator: ", "))"]
  }
}
