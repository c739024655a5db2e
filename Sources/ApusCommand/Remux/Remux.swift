// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusForeign
import ApusMedia
import ApusPresentations
import ApusSamples
import FLV
import HEVC
import ISOBMFF

/// `apus remux`: copies coded media from one container to another.
struct Remux: Verb {
  static let name = "remux"
  static let summary = "copy video and audio to another container without re-encoding"
  static let discussion = """
    Reads MP4, MOV, FLV, Matroska, MPEG transport streams, bare HEVC streams (Annex B) and more, and writes FLV, MP4, \
    MOV, fragmented MP4, Matroska, WebM, MPEG transport streams, HLS or bare streams. Video and audio are copied byte \
    for byte. A warning names tracks that OUT cannot hold.

    Timestamps are kept as precisely as OUT can store them; FLV and Matroska store milliseconds. Edit lists are applied. \
    Dolby Vision keeps its RPUs in every format, and its configuration in MP4, MOV, HLS, Matroska and transport streams. \
    FLV and bare streams cannot store the configuration; it is derived from the RPUs when they are read.

    libavformat writes Matroska and transport streams. Timed text becomes SubRip in Matroska and WebVTT in WebM. In a \
    transport stream, parameter sets precede each key frame, and all timestamps are shifted if any would be negative, \
    such as those of AAC encoder delay.

    --title and --metadata set tags in MP4, MOV, fragmented MP4 and Matroska; a transport stream only has a title.

    FLV has two forms of HEVC. Enhanced RTMP (hvc1), which FFmpeg 6.1 and OBS support, is the default; --dialect legacy \
    writes that of Chinese networks (codec id 12).

    A bare stream has no timestamps: pictures are shown in their output order, at the frame rate in the stream or of \
    --fps. If input and output are both -, a pipe of FLV or of a bare stream is converted as it arrives.

    If OUT is not a folder, several FILEs are joined in this order. They must have the same kinds of tracks, with the \
    same codecs, sizes, sample rates and channels; parameter sets may differ.

    FILE may be one address: rtsp:// or rtsps:// of a camera, rtp:// or udp:// to listen at, http:// or https:// of a \
    file, a stream or an HLS playlist. A live playlist is followed from three segments before its end. Ctrl-C ends such \
    an input, and completes OUT.

    A movie from a pipe or an address is first written to OUT.part, in fragments, and renamed when it is complete; after an \
    interrupted run, --recover makes a movie of OUT.part. Between MP4 and MOV, remux also keeps subtitles, timecodes and \
    other timed tracks, chapters, metadata, edit lists and sample groups. Text subtitles in Matroska (SubRip, SubStation \
    Alpha, WebVTT) become timed text (tx3g) with bold, italic, underline and colour, but without positions and fonts.

    If OUT ends in .m3u8, the output is an HLS presentation, and all inputs are renditions of it, such as one in HEVC \
    and one in H.264. Audio comes from the first input that has some; inputs without video add more audio. OUT is the \
    multivariant playlist; the other playlists and the segments (CMAF) are written to a folder next to it. Segments \
    start at key frames. Audio in several codecs becomes several groups, text subtitles become WebVTT, and each video \
    gets a playlist of its key frames for fast forward and rewind. apus hls check checks the result against Apple's \
    rules.
    """
  static let examples = [
    Example(
      "apus remux film.mkv --tracks v:0,a:1 -o film.mp4",
      "Keeps the video and the second audio track."),
    Example("apus remux clip.mov -o clip.flv", "Converts a phone's video to FLV."),
    Example("apus remux recording.flv -o recording.mp4", "Converts a recorded stream to MP4."),
    Example(
      "apus remux clip.mov --title Holiday --metadata artist=Ann -o clip.mkv",
      "Writes Matroska with a title and an artist."),
    Example(
      "apus remux rtsp://camera.local/stream1 -o camera.mp4 --login-file login.txt",
      "Records a camera until Ctrl-C."),
    Example(
      "apus remux clip.mp4 --format ts -o - | player -", "Pipes a transport stream to a player."),
    Example(
      "apus remux camera.h265 --fps 50 -o camera.mp4", "Sets the frame rate of a bare stream."),
    Example("apus remux clip.mp4 -o clip.hevc", "Extracts the bare HEVC stream."),
    Example(
      "apus remux --recover clip.mp4.part -o clip.mp4", "Finishes an interrupted run."),
    Example("apus remux part1.mp4 part2.mp4 -o whole.mp4", "Joins two parts of a recording."),
    Example(
      "apus remux hevc.mp4 h264.mp4 -o web/index.m3u8",
      "Makes an HLS presentation with two renditions."),
  ]

  var inputs = InputOptions()
  var media = RemuxOptions()
  var segments = SegmentOptions()
  var login = LoginOptions()
  var trust = TrustOptions()
  var json = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&media)
    try v.group(&segments)
    try v.group(&login)
    try v.group(&trust)
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
    try login.check(inputs, trust)
    _ = try media.tags(for: target)
    guard target.canStream || output.path != "-" else {
      throw UsageError(
        "\(target.rawValue) cannot be written to a pipe; use --format fmp4 or write to a file")
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
    try opened(console).each { input in
      if try remux(input, to: target, console) { written += 1 }
    }
    if Interruption.isReceived { return Interruption.status }
    return written > 0 ? .done : .nothingToDo
  }

  /// The inputs one after the other; a single one may be an address.
  func opened(_ console: Console) throws -> Inputs {
    let opened = try inputs.opened(console, limits.limits, for: output)
    opened.openElsewhere = { name throws(FileError) in
      try login.opened(name, isOnly: inputs.isOnly(name), trust, console)
    }
    return opened
  }

  var mediaOptions: MediaInput.Options {
    var options = MediaInput.Options()
    options.frameRate = media.frameRate
    options.start = media.start.map { .milliseconds($0.milliseconds) }
    options.isSalvaging = media.recovers
    options.limits = limits.limits
    return options
  }

  /// Writes all inputs to one presentation.
  private func present(_ console: Console) throws -> ExitStatus {
    guard let given = output.path else { throw UsageError("no output: use -o OUT") }
    let isFolder = given.hasSuffix("/") || FileWalk.isFolder(given)
    let path = isFolder ? given + (given.hasSuffix("/") ? "" : "/") + "index.m3u8" : given
    let job = HLSRemux(
      path: path, options: segments.hls, input: mediaOptions, mayLeaveFolder: media.mayLeave,
      selection: media.selection, output: output, json: json)
    let isListed = inputs.recursive || !inputs.lists.isEmpty
    return try job.run(
      try opened(console), count: isListed ? nil : inputs.operands.count, console)
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

  /// Returns whether anything was written, or would be.
  func remux(_ input: Input, to target: RemuxTarget, _ console: Console) throws -> Bool {
    let path = try output.target(
      for: input, several: inputs.several, pathExtension: target)
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
    guard opened.isGrowing, path != "-", !output.dryRun else {
      return try write(job, to: path, for: input, &reporter, console)
    }
    return try gather(job, to: path, &reporter, console)
  }

  /// Writes the output of a job, or only describes it with `--dry-run`.
  func write(
    _ job: RemuxJob, to path: String, for input: Input, _ reporter: inout RemuxReporter,
    _ console: Console
  ) throws -> Bool {
    reporter.warn(job.plan, console)
    if output.dryRun {
      try output.refuseInputs(path, for: input)
      let names = job.plan.tracks.map(\.name).joined(separator: ", ")
      console.detail("\(path): would contain \(names)")
      if json { try console.print(reporter.json(job.plan, bytes: nil)) }
      return true
    }
    guard let file = try output.begin(path, for: input) else {
      return skipped(path, console)
    }
    var sink = file.writer
    let report = try job.writeAndWait(to: &sink)
    reporter.output = try file.commit()
    reporter.tell(report, console)
    if json { try console.print(reporter.json(report, bytes: file.writer.count)) }
    return true
  }

  /// Copies FLV tags to another FLV file, changing only the dialect.
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
}

extension ConversionReport {
  /// The losses in the legacy dialect, as text.
  var losses: [String] {
    func count(_ number: Int, _ what: String) -> String? { number > 0 ? "\(number) \(what)" : nil }
    let lost = [
      count(lostColours, "tags with colour information"),
      count(lostNanoseconds, "frames with nanoseconds"),
    ].compactMap(\.self)
    return lost.isEmpty
      ? [] : ["the legacy dialect cannot store \(lost.joined(separator: ", "))"]
  }
}
