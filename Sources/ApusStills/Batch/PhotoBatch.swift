// SPDX-License-Identifier: MIT

public import ApusFiles
internal import ApusMedia
internal import ApusThreads
internal import Synchronization

/// A conversion of many files, with reports and a journal from which an interrupted batch can be resumed.
///
/// A file is reported after its outputs have their final names and the journal has recorded it. Reports are delivered
/// one at a time.
public final class PhotoBatch: Sendable {
  private let settings: BatchSettings
  private let outputs: BatchOutputs
  private let claims: OutputClaims
  private let worker: any BatchWorker
  /// Copies files if the worker can only decode photos.
  private let copier: BatchConverter?
  private let journal: Mutex<Journal?>
  private let names: Mutex<BatchNames>
  private let reporting: Mutex<Reporting>
  private let stopping = StopFlag()

  private struct Reporting {
    var tally = BatchTally()
    var report: (@Sendable (BatchEvent) throws(FileError) -> Void)?
    var failure: FileError?
  }

  /// Creates or opens the journal, and determines which files must not be overwritten.
  ///
  public convenience init(_ settings: BatchSettings) throws(FileError) {
    try self.init(settings, worker: nil)
  }

  /// - Parameter worker: does the work; `nil` for threads of this process.
  package init(_ settings: BatchSettings, worker: (any BatchWorker)?) throws(FileError) {
    let settings = settings.safe
    self.settings = settings
    outputs = BatchOutputs(settings)
    claims = OutputClaims(except: settings.inputFiles)
    self.worker = worker ?? BatchConverter(settings, outputs)
    copier = self.worker.isConfined ? BatchConverter(settings, outputs, workers: 1) : nil
    journal = Mutex(
      try settings.journal.map { path throws(FileError) in
        try Journal(path, purpose: settings.purpose)
      })
    names = Mutex(BatchNames(settings, outputs))
    reporting = Mutex(Reporting())
  }

  /// Works until all files are finished, or until `stop`. Call it once.
  ///
  /// - Parameter report: receives events, one call at a time. If it throws, the batch ends with that error.
  /// - Returns: the totals of the batch.
  public func run(
    _ report: @escaping @Sendable (BatchEvent) throws(FileError) -> Void
  ) throws(FileError) -> BatchTally {
    reporting.withLock { $0.report = report }
    worker.work(for: self)
    let (tally, failure) = reporting.withLock { reporting in
      reporting.report = nil
      return (reporting.tally, reporting.failure)
    }
    if let failure { throw failure }
    try journal.withLock { journal throws(FileError) in try journal?.sync() }
    return tally
  }

  /// Starts no further file and abandons those in progress, whose partial outputs are deleted.
  public func stop() {
    stopping.stop()
    worker.stop()
  }

  /// Whether the batch was stopped, by a call or because reports could no longer be delivered.
  public var isStopped: Bool { stopping.isStopped }
}

extension PhotoBatch: BatchSource {
  package func next() -> BatchItem? {
    while !isStopped {
      do throws(FileError) {
        let entry = try names.withLock { names throws(FileError) in try names.next() }
        switch entry {
        case .file(let name, let number):
          if let item = try item(name, number: number) { return item }
        case .companion(let movie, let photo): send(.companion(movie: movie, photo: photo))
        case nil: return nil
        }
      } catch {
        var report = PhotoReport(input: error.path)
        report.failure = MediaError(
          .io, of: .input,
          "cannot be \(error.operation == "open" ? "opened" : error.operation): \(error.reason)")
        finish(report)
      }
    }
    return nil
  }

  /// Returns the item to work on; `nil` if the file is finished already, in which case it is reported.
  private func item(_ name: InputName, number: Int) throws(FileError) -> BatchItem? {
    let path = FileSystem.absolutePath(name.path)
    let file = BatchItem.file(of: name)
    let isDone = journal.withLock { journal in
      file.map { journal?.holds(path, $0) == true } ?? false
    }
    var item = BatchItem(
      name, number: number, settings.fields(of: name, number: number),
      settings.planner?.decision(on: name))
    guard !isDone || outputs.isGone(of: item) else {
      finishBefore(name)
      return nil
    }
    if settings.removal != nil, let file = item.file {
      item.wasCutShort = try journal.withLock { journal throws(FileError) in
        let isUnfinished = journal?.isUnfinished(path, file) == true
        try journal?.begin(path, file)
        return isUnfinished
      }
    }
    if let refusal = outputs.refusal(of: item, in: self, isConfined: copier != nil) {
      finish(item, refusal)
      return nil
    }
    if case .copy? = item.decision?.action, let copier {
      copier.finish(item, in: self)
      return nil
    }
    return item
  }

  private func finishBefore(_ name: InputName) {
    var report = PhotoReport(input: name.path)
    report.status = .skipped
    if settings.removal != nil {
      report.source = SourceRemoval(isRemoved: false, reasons: [.finishedBefore])
    }
    finish(report, isFinishedBefore: true)
  }

  package func finish(_ item: BatchItem, _ report: PhotoReport) {
    deliver { reporting throws(FileError) in
      var report = report
      if let choice = settings.removal {
        report.source = SourceFile(item.name.path, item.file).remove(choice, after: report)
      }
      // The journal comes first, so that reported files are never converted again. A photo that has yet to be removed
      // is not finished.
      if report.source?.hasFailed != true {
        try journal.withLock { journal throws(FileError) in
          try journal?.append(
            report.status, FileSystem.absolutePath(item.name.path), item.file,
            outputs: report.outputs.map(\.path))
        }
      }
      reporting.tally.add(report)
      try reporting.report?(.finished(BatchReport(report, reporting.tally)))
    }
  }

  /// Reports a file that did not become an item.
  private func finish(_ report: PhotoReport, isFinishedBefore: Bool = false) {
    deliver { reporting throws(FileError) in
      reporting.tally.add(report, isFinishedBefore: isFinishedBefore)
      try reporting.report?(
        .finished(
          BatchReport(report, isFinishedBefore: isFinishedBefore, reporting.tally)))
    }
  }

  private func send(_ event: BatchEvent) {
    deliver { reporting throws(FileError) in try reporting.report?(event) }
  }

  /// Delivers a report, unless an earlier delivery failed: the listener is gone or the journal would be wrong, so the
  /// batch ends.
  private func deliver(_ body: (inout Reporting) throws(FileError) -> Void) {
    let hasFailed = reporting.withLock { reporting in
      guard reporting.failure == nil else { return true }
      do throws(FileError) {
        try body(&reporting)
      } catch {
        reporting.failure = error
      }
      return reporting.failure != nil
    }
    if hasFailed { stop() }
  }

  package func claim(_ path: String, for item: BatchItem) -> OutputClaims.Claim {
    claims.claim(path, for: item.name.path)
  }
}
