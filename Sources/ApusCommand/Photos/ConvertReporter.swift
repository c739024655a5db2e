// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusStills
import Glibc

/// Reports the result of each photo and of the run, as text or JSON.
struct ConvertReporter {
  private let console: Console
  private let settings: ConvertSettings
  private var bar: ProgressBar?
  private var isSkipExplained = false

  init(_ console: Console, _ settings: ConvertSettings) {
    self.console = console
    self.settings = settings
    let isSeen = isatty(STDERR_FILENO) == 1 && !console.quiet
    bar =
      isSeen
      ? ProgressBar(
        total: settings.batch.count(), width: Terminal.width(of: STDERR_FILENO)) : nil
  }

  mutating func report(_ report: BatchReport) throws(FileError) {
    if settings.isJSON {
      ResultStream(console: console).write(json: settings.line(report.photo))
      try console.output.flush()
    } else {
      say(report.photo, report.isFinishedBefore)
    }
    if let drawing = bar?.drawing(report.tally) { console.show(drawing) }
  }

  /// Prints the last line. Returns the exit status.
  mutating func finish(_ tally: BatchTally, isInterrupted: Bool) throws(FileError) -> ExitStatus {
    clear()
    let status = isInterrupted ? Interruption.status : ExitStatus(tally)
    if settings.isJSON {
      ResultStream(console: console)
        .write(json: RunSummary(tally: tally, isInterrupted: isInterrupted))
      try console.output.flush()
      return status
    }
    var text = tally.text(settings.words)
    if tally.finishedBefore > 0 { text += "; \(tally.finishedBefore) already finished" }
    console.note(isInterrupted ? "interrupted: \(text)" : text)
    return status
  }

  private mutating func say(_ report: PhotoReport, _ isFinishedBefore: Bool) {
    if !report.warnings.isEmpty || report.status != .converted { clear() }
    if settings.words.mayBeEmpty, report.status == .skipped, report.existing.isEmpty,
      let reason = report.warnings.last
    {
      return console.note("\(report.input): \(reason)")
    }
    if report.status != .failed {
      for warning in report.warnings { console.warn("\(report.input): \(warning)") }
    }
    switch report.status {
    case .converted: break
    case .salvaged: console.fail("\(report.input): only part of it was salvaged")
    case .failed: fail(report)
    case .skipped: explain(report, isFinishedBefore)
    }
    tellSource(of: report)
    if let live = report.live, live.outcome != .kept {
      console.detail("\(report.input): \(live.video) \(live.outcome.rawValue)")
    }
    for use in report.decoders where console.verbose {
      clear()
      console.detail("\(report.input): \(use.decodingText)")
    }
    for use in report.encoders where console.verbose {
      clear()
      console.detail("\(report.input): encoded by \(use.encodingText)")
    }
    for output in report.outputs where console.verbose {
      clear()
      let size = output.width > 0 ? "\(output.width) × \(output.height), " : ""
      console.detail(
        "\(report.input): \(output.path), \(size)\(output.bytes) bytes, "
          + "\(report.seconds.decimal(places: 1...1)) s")
    }
  }

  private func fail(_ report: PhotoReport) {
    guard let failure = report.failure else { return console.fail("\(report.input): failed") }
    console.fail(report.input, failure, after: report.warnings)
  }

  /// Names every photo that is kept although its outputs exist, and every one removed with data that they lack.
  private mutating func tellSource(of report: PhotoReport) {
    guard let source = report.source else { return }
    let text = "\(report.input): \(source.outcome)"
    let isTold = source.reasons.contains { reason in
      switch reason {
      case .notConverted, .finishedBefore: false
      default: true
      }
    }
    guard isTold else { return console.detail(text) }
    clear()
    console.note(text)
  }

  /// The message for the first skipped photo says how to convert it anyway; further ones need `--verbose`.
  private mutating func explain(_ report: PhotoReport, _ isFinishedBefore: Bool) {
    let input = report.input
    if isFinishedBefore { return console.detail("\(input): was finished by an earlier run") }
    guard let output = report.existing.first else {
      return console.detail("\(input): listed twice, converted once")
    }
    let text = "\(input): skipped, \(output) exists"
    if isSkipExplained || settings.batch.removal != nil { return console.detail(text) }
    isSkipExplained = true
    console.note("\(text) (use --on-exists replace or rename)")
  }

  private mutating func clear() {
    if let clearing = bar?.clearing(), !clearing.isEmpty { console.show(clearing) }
  }
}

extension ConvertSettings {
  /// Returns the report of a photo as the verb prints it.
  fileprivate func line(_ report: PhotoReport) -> any Described {
    if batch.planner != nil { return ExportedFile(report: report) }
    return switch batch.options.job {
    case .parts: ExtractedPhoto(report: report)
    case .thumbnail: MadeThumbnail(report: report)
    default: report
    }
  }
}
