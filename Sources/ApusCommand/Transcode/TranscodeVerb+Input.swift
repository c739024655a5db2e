// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFacts
import ApusFiles
import ApusForeign
import ApusLive
import ApusMedia
import ApusPresentations
import ApusSamples
import ApusTranscode
import FLV
import HEVC

extension TranscodeVerb {
  /// Re-encodes one input. Returns whether anything was written, or would be.
  func transcode(
    _ input: Input, to target: RemuxTarget, _ chosen: TranscodeSettings, _ console: Console
  ) throws -> Bool {
    let path = try outputPath(for: input, to: target)
    let settings = target == .hls ? segments.fitted(chosen) : chosen
    let media = try opened(input, for: path, settings, console)
    let reporter = TranscodeReporter(console, isJSON: json)
    let resumable = ResumableJob(
      input.name, settings, target, warn: { reporter.warn($0) })
    var options = jobOptions(target, settings, reporter, resumable)
    if output.onExists == .skip, target.hasPart, FileSystem.exists(path) {
      return skipped(path, console)
    }
    options.kept = try keptPart(of: path, target, resumable, console)
    let job = try TranscodeJob(media, options: options)
    if output.dryRun {
      console.note("\(path): would be written")
      return true
    }
    defer { reporter.end() }
    var outcome = TranscodeOutcome(
      input: input.name, output: path, target: target, warnings: media.warnings, seconds: 0)
    guard let (report, bytes) = try write(job, &outcome, input.files) else {
      return skipped(path, console)
    }
    resumable?.end()
    reporter.end()
    outcome.seconds = reporter.seconds
    outcome.tell(report, bytes: bytes, console)
    if reports, !report.isStopped {
      outcome.quality = try quality(of: outcome, job, console)
    }
    if json {
      try console.print(TranscodeDone(outcome: outcome, report: report, bytes: bytes).json)
    }
    return true
  }

  /// Returns the path of the output. Throws if it is that of an input.
  private func outputPath(for input: Input, to target: RemuxTarget) throws -> String {
    var path = try output.target(for: input, several: inputs.several, pathExtension: target)
    if target == .hls, FileWalk.isFolder(path) || path.hasSuffix("/") { path += "/index.m3u8" }
    if let job = coding.job { input.files.add(job) }
    try output.refuseInputs(path, for: input)
    return path
  }

  /// Opens the input and prints its warnings. Throws if the output would replace a file that it refers to, or if a
  /// report would have to read it again and cannot.
  private func opened(
    _ input: Input, for path: String, _ settings: TranscodeSettings, _ console: Console
  ) throws -> MediaInput {
    var opening = MediaInput.Options()
    opening.start = settings.start
    opening.isSalvaging = settings.isSalvaging
    opening.limits = limits.limits
    let media = try MediaInput.open(input.source, options: opening.reading(input))
    // By now a playlist has added the files that it refers to.
    try output.refuseInputs(path, for: input)
    for warning in media.warnings { console.warn("\(input.name): \(warning)") }
    guard !reports || !media.isGrowing else {
      throw MediaError(
        .unsupported, of: .input, "can be read only once, but --report reads it twice")
    }
    return media
  }

  private func jobOptions(
    _ target: RemuxTarget, _ settings: TranscodeSettings, _ reporter: TranscodeReporter,
    _ resumable: ResumableJob?
  ) -> TranscodeJob.Options {
    var options = TranscodeJob.Options(target)
    options.settings = settings
    if dialect == .legacy { options.remux.dialect = .legacy }
    options.remux.muxers = ForeignMuxerMaker()
    options.remux.fragmentDuration = segments.hls.fragmentDuration
    options.isStopped = { Interruption.isReceived }
    options.onProgress = { reporter.tick($0) }
    if let resumable {
      options.remux.part.onBegun = { part, origin in
        try resumable.begin(part, origin)
      }
    }
    return options
  }

  /// Returns the part of an earlier run that `--resume` continues, or `nil`. Prints a note if there is none, or if there
  /// is one but `--resume` is not given.
  private func keptPart(
    of path: String, _ target: RemuxTarget, _ resumable: ResumableJob?, _ console: Console
  ) throws -> KeptPart? {
    guard resumes else {
      if target.hasPart, FileSystem.exists(path + ".part"),
        FileSystem.exists(JobRecord.path(of: path + ".part"))
      {
        console.note("\(path).part was left by an earlier run; use --resume to continue it")
      }
      return nil
    }
    let kept = try resumable?.kept(of: path, limits: limits.limits)
    if kept == nil {
      console.note("\(path): nothing to resume; starting from the beginning")
    }
    return kept
  }

  /// Compares the output with the pictures that were encoded, and prints the result unless it becomes JSON; `nil` if it
  /// was stopped.
  private func quality(
    of outcome: TranscodeOutcome, _ job: TranscodeJob, _ console: Console
  ) throws -> QualityReport? {
    let quality = try QualityReport(job, outcome.written, limits: limits.limits) {
      guard json else { return }
      // If the reader is gone, the command fails at the end.
      do throws(FileError) {
        try console.print(ComparedPicture(rung: $0.rung?.name, picture: $1).json)
      } catch {}
    }
    if !json, let quality {
      try console.write(quality.text(of: outcome.output))
    }
    return quality
  }

  /// Returns `nil` if an existing file is kept.
  private func write(_ job: TranscodeJob, _ outcome: inout TranscodeOutcome, _ files: InputFiles)
    throws -> (
      report: TranscodeReport, bytes: Int
    )?
  {
    let path = outcome.output
    try output.makeFolder(for: path)
    switch outcome.target {
    case .hls:
      let written = try job.writeAndWait(
        presentation: path, onExists: output.onExists, segments.hls, inputs: files)
      guard let written else { return nil }
      (outcome.output, outcome.presentation) = (written.path, written.presentation)
      outcome.folder = written.folder
      return (written.report, written.presentation.renditions.reduce(0) { $0 + $1.bytes })
    case .mp4, .mov, .flv, .fmp4, .hevc, .mkv, .webm, .ts:
      guard let written = try job.writeAndWait(to: path, onExists: output.onExists) else {
        return nil
      }
      outcome.output = written.path
      return (written.report, written.count)
    }
  }

  private func skipped(_ path: String, _ console: Console) -> Bool {
    console.noteExisting(path)
    return false
  }
}
