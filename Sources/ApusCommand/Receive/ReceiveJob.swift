// SPDX-License-Identifier: MIT

import Glibc
import Live
import RTMP
import Synchronization
import Transport

/// Runs `receive` on the loop of this thread.
struct ReceiveJob {
  private let console: Console
  private let isJSON: Bool

  init(_ console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
  }

  private final class Signals: Sendable {
    let stop = Mutex<(@Sendable () -> Void)?>(nil)
    let isInterrupted = Atomic(false)
  }

  func run(at address: Address, _ options: IngestOptions) throws -> ExitStatus {
    FrameMemory.keep()
    let signals = Signals()
    Interruption.watch(endsPipes: false) {
      guard let stop = signals.stop.withLock({ $0 }) else {
        _exit(Interruption.isTermination ? 0 : Interruption.status.rawValue)
      }
      signals.isInterrupted.store(true, ordering: .relaxed)
      stop()
    }
    let loop = try EventLoop()
    let reporter = ReceiveReporter(console, isJSON: isJSON)
    let ingest = try Ingest(host: address.host, port: address.port, options, on: loop) {
      reporter.report($0)
    }
    ingest.onEnd = { loop.stop() }
    let stop = Stop(loop: loop, ingest: ingest)
    signals.stop.withLock { $0 = { stop.perform() } }
    tick(loop, ingest, reporter)
    loop.run()
    reporter.end()
    if reporter.failures > 0 { return .failed }
    if signals.isInterrupted.load(ordering: .relaxed) {
      // A server has no end of its own: to be asked for one is how it ends in order.
      return Interruption.isTermination ? .done : .interrupted
    }
    return reporter.recordings > 0 ? .done : .nothingToDo
  }

  /// What the signals' thread is given; it only asks the loop to perform.
  private struct Stop: @unchecked Sendable {
    let loop: EventLoop
    let ingest: Ingest

    func perform() { loop.perform { ingest.stop() } }
  }

  private func tick(_ loop: EventLoop, _ ingest: Ingest, _ reporter: ReceiveReporter) {
    loop.after(reporter.interval) {
      reporter.tick(ingest.statistics, at: loop.now)
      tick(loop, ingest, reporter)
    }
  }
}
