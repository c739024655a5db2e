// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusForeign
import ApusMedia
import ApusSamples
import HEVC

/// `apus recover`: makes a movie of a recording that was cut off or damaged.
struct Recover: Verb {
  static let name = "recover"
  static let summary = "make a movie of a recording that was cut off or damaged"
  static let discussion = """
    A camera writes the moov, which describes all samples of a movie, when recording ends. If its battery dies before, \
    the file has media data that no player can read. recover finds the samples by their structure: HEVC and H.264 by \
    their NAL units, AAC-LC by its frames, uncompressed sound between them, and other tracks whose samples have one \
    size and bytes in common. Nothing is re-encoded, and FILE is only read.

    --like names a healthy movie of the same camera with the same settings (size, frame rate, codecs). It provides the \
    sample entries, the timescales, the durations and the order of the tracks. Its dates, location and other metadata \
    are not copied. Without --like only video is found, and only if its parameter sets are among its samples; --rate \
    then sets the frame rate.

    FLV, Matroska, fragmented movies such as the .part of an interrupted run, and other movies that have their moov \
    describe their samples themselves. Of these, recover keeps all samples that are whole, continues after damaged bytes \
    at the next tag or cluster, and needs neither --like nor --rate.

    In a movie without its moov, times follow from the number of samples: all pictures get the same duration. If those \
    of the healthy movie do not, the sound between them shows when they were taken. Where bytes are lost, the order of \
    the tracks shows how many samples are missing, so that picture and sound stay together.

    The report lists the samples of each track and the bytes that belong to none. A result is called complete only if \
    every byte of the media data is explained and none is missing. Bytes that were changed inside a sample may go \
    unnoticed.
    """
  static let examples = [
    Example(
      "apus recover broken.mp4 --like good.mp4 -o fixed.mp4",
      "Recovers a movie with the help of another one of the same camera."),
    Example(
      "apus recover broken.mp4 --rate 30000/1001 -o fixed.mp4",
      "Recovers the video only, if its samples contain parameter sets."),
    Example(
      "apus recover live.flv -o live.mp4",
      "Makes a movie of a recording that ends inside a tag."),
    Example(
      "apus recover broken.mov --like good.mov -o fixed.mov --json",
      "Prints which samples and bytes were found."),
  ]

  var file: [String] = []
  var like: String?
  var rate: FrameRate?
  var json = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands("FILE", &file, "a movie that was cut off or damaged")
    v.heading = "Recovery"
    try v.option(
      "like", "GOOD", &like, completion: .files,
      "healthy movie of the same camera with the same settings")
    try v.option("rate", "FPS", &rate, "frame rate of the video, such as 30 or 30000/1001")
    try v.json(&json)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard file.count == 1 else { throw UsageError("recover works on one FILE at a time") }
    let target = try self.target
    var written = 0
    let opened = try InputOptions(naming: file).opened(console, limits.limits, for: output)
    if let like { opened.files.add(like) }
    try opened.each { input in
      guard
        try like != nil || rate != nil
          || RecoveredMovie.describesItself(input.source, limits: limits.limits)
      else {
        throw UsageError(
          "use --like GOOD, a healthy movie of the same camera, or --rate FPS for the video only")
      }
      let healthy = try like.map { try InputName(path: $0).opened(limits.limits) }
      let movie = try RecoveredMovie(
        input.source, like: healthy, frameRate: rate, openers: [ForeignOpener()],
        limits: limits.limits)
      if try write(movie, of: input, to: target, console) { written += 1 }
    }
    return written > 0 ? .done : .nothingToDo
  }

  /// The format of the output.
  private var target: RemuxTarget {
    get throws(UsageError) {
      guard let path = output.path else { throw UsageError("no output: use -o OUT") }
      let name = output.isFolder ? file[0] : path
      guard let target = RemuxTarget(pathExtension: name.pathExtension),
        target == .mp4 || target == .mov
      else {
        throw UsageError("\(path) is neither mp4 nor mov, which recover writes")
      }
      return target
    }
  }

  /// Writes the movie and prints its report; returns whether anything was written, or would be.
  private func write(
    _ movie: RecoveredMovie, of input: Input, to target: RemuxTarget, _ console: Console
  ) throws -> Bool {
    let path = try output.target(for: input, several: false)
    var line = RecoveredLine(file: input.name, output: path, report: movie.report)
    let job = try RemuxJob(movie.input, options: RemuxJob.Options(target))
    line.warnings = movie.report.warnings + job.plan.warnings
    line.warnings += job.plan.leftOut.map { "\($0.name) \($0.reason) and is left out" }
    for warning in line.warnings { console.warn("\(input.name): \(warning)") }
    if output.dryRun {
      try output.refuseInputs(path, for: input)
    } else {
      guard let file = try output.begin(path, for: input) else {
        console.noteExisting(path)
        return false
      }
      var sink = file.writer
      let report = try job.writeAndWait(to: &sink)
      line.duration = Int(report.duration.value)
      line.output = try file.commit()
      line.bytes = file.writer.count
    }
    if json {
      try console.print(line.json)
    } else {
      for text in line.texts { try console.print(text) }
    }
    return true
  }
}
