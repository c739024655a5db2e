// SPDX-License-Identifier: MIT

import ApusFiles
import ApusStills

/// One run of `apus convert` or a similar verb: a batch of the library, and what is printed about it.
///
/// May cross threads: the batch makes one report at a time, and nothing else uses the reporter meanwhile.
final class ConvertRun: @unchecked Sendable {
  private let batch: PhotoBatch
  private var reporter: ConvertReporter
  private let console: Console

  /// - Parameter command: starts the worker processes of this run.
  init(_ settings: ConvertSettings, _ command: WorkerCommand, _ console: Console) throws {
    self.console = console
    batch = try PhotoBatch(settings.batch, worker: try settings.worker(command))
    reporter = ConvertReporter(console, settings)
  }

  func run() throws -> ExitStatus {
    // Written directly to standard error: the reporter may block until its output is read.
    Interruption.watch { [batch, messages = console.messages] in
      batch.stop()
      messages.stopping()
    }
    let tally = try batch.run { event throws(FileError) in
      switch event {
      case .finished(let report): try self.reporter.report(report)
      case .companion(let movie, let photo):
        self.console.detail("\(movie): is the video of \(photo)")
      }
    }
    return try reporter.finish(tally, isInterrupted: batch.isStopped)
  }
}

extension ConvertSettings {
  /// The worker processes, so that the run survives a crash of one of them; `nil` if this process does the work, as for
  /// one photo.
  fileprivate func worker(_ command: WorkerCommand) throws(FileError) -> (any BatchWorker)? {
    guard isIsolated || batch.inputs.several && WorkerProcess.isPossible else { return nil }
    return try ProcessEngine(self, command)
  }
}
