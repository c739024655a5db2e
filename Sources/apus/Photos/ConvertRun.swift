// SPDX-License-Identifier: MIT

import Files
import Glibc
import Media
import Stills
import Synchronization

/// One run over photos, of `apus convert` and of its kin: names in, outputs written, reports out.
///
/// May cross threads: the engine takes one name at a time and makes one report at a time, and what both touch
/// is behind locks.
final class ConvertRun: @unchecked Sendable {
  private let settings: ConvertSettings
  private let outputs: ConvertOutputs
  private let engine: any ConvertEngine
  private let journal: Journal?
  private let console: Console

  /// Used by the thread that takes the next name.
  private var names: InputNames
  /// How many photos have had their turn.
  private var count = 0
  private let isStopping = Atomic(false)
  private let inFlight = ItemsInFlight()

  /// Reached under `reporting` only.
  private var reporter: ConvertReporter
  private var failure: FileError?
  private let reporting = Mutex(())

  /// - Parameter command: what processes are started with that convert for this run.
  init(_ settings: ConvertSettings, _ command: WorkerCommand, _ console: Console) throws {
    self.settings = settings
    self.console = console
    outputs = ConvertOutputs(settings)
    names = InputNames(settings.inputs, except: settings.target.folder)
    engine = try settings.engine(outputs, command)
    journal = try settings.batch.journal.map { path throws(FileError) in
      try Journal(path, purpose: settings.purpose)
    }
    reporter = ConvertReporter(console, settings)
  }

  func run() throws -> ExitStatus {
    Interruption.watch { self.interrupt() }
    engine.run(
      next: { self.next() },
      report: { report, skipped in self.finish(report, skipped) })
    if let failure { throw failure }
    try journal?.sync()
    return try reporter.finish(isInterrupted: isStopping.load(ordering: .sequentiallyConsistent))
  }

  /// Says so past the lock, which is held as long as nobody reads a report.
  private func interrupt() {
    stop()
    console.show(isatty(STDERR_FILENO) == 1 ? "\r\u{1b}[K" : "")
    console.note("stopping; Ctrl-C again ends at once")
  }

  private func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    engine.stop()
  }

  /// The next photo that is to be converted.
  private func next() -> ConvertItem? {
    while !isStopping.load(ordering: .sequentiallyConsistent) {
      do throws(FileError) {
        guard var name = try names.next() else { return nil }
        if name.isFound, !settings.kinds.contains(name.path) { continue }
        if !name.isFound, let photo = outputs.photo(of: name) {
          console.detail("\(name.path): goes with \(photo)")
          continue
        }
        count += 1
        name = settings.named(name, number: count)
        var item = ConvertItem(name)
        let path = FileSystem.absolutePath(name.path)
        if let file = item.file, journal?.holds(path, file) == true {
          finishBefore(item)
          continue
        }
        if let export = settings.export { item = ConvertItem(name, export.decision(on: name)) }
        if settings.removal != nil, let file = item.file {
          if journal?.isUnfinished(path, file) == true { item.note { $0.wasCutShort = true } }
          try journal?.begin(path, file)
        }
        if let refusal = outputs.refusal(of: item) {
          finish(refusal, [], item)
          continue
        }
        inFlight.add(item)
        return item
      } catch {
        var report = PhotoReport(input: error.path)
        report.failure = MediaError(
          .io, of: .input,
          "cannot be \(error.operation == "open" ? "opened" : error.operation): \(error.reason)")
        finish(report, [], nil)
      }
    }
    return nil
  }

  private func finish(_ report: PhotoReport, _ skipped: [String]) {
    finish(report, skipped, inFlight.remove(report.input))
  }

  private func finish(_ report: PhotoReport, _ skipped: [String], _ item: ConvertItem?) {
    tell { reporter throws(FileError) in
      var report = report
      if let choice = settings.removal, let item {
        report.source = SourceFile(item.name.path, item.file)
          .remove(choice, after: report, existing: skipped)
      }
      // First the journal: what was reported is never made again. A photo that is still to be removed is not finished.
      if let item, report.source?.hasFailed != true {
        try journal?.append(
          report.status, FileSystem.absolutePath(item.name.path), item.file,
          outputs: report.outputs.map(\.path))
      }
      try reporter.report(report, skipped: skipped)
    }
  }

  private func finishBefore(_ item: ConvertItem) {
    var report = PhotoReport(input: item.name.path)
    report.status = .skipped
    if settings.removal != nil {
      report.source = SourceRemoval(isRemoved: false, reasons: [.finishedBefore])
    }
    tell { reporter throws(FileError) in
      try reporter.report(report, skipped: [], isFinishedBefore: true)
    }
  }

  /// Reports, unless that failed before: then nobody listens, or the journal would lie, and the run ends.
  private func tell(_ body: (inout ConvertReporter) throws(FileError) -> Void) {
    reporting.withLock { _ in
      guard failure == nil else { return }
      do throws(FileError) {
        try body(&reporter)
      } catch {
        failure = error
      }
    }
    if failure != nil { stop() }
  }
}
