// SPDX-License-Identifier: MIT

import Flow
import Glibc
import Live
import RTMP
import Synchronization
import Transport

/// Runs `stream`: the input on a thread of its own, everything else on the loop of this one.
struct StreamJob {
  private let verb: Stream
  private let coding: StreamCoding?
  private let console: Console

  init(_ verb: Stream, _ coding: StreamCoding?, _ console: Console) {
    self.verb = verb
    self.coding = coding
    self.console = console
  }

  /// Ctrl-C before the stream has begun ends the command at once.
  private final class Signals: Sendable {
    let stop = Mutex<(@Sendable () -> Void)?>(nil)
    let isInterrupted = Atomic(false)
  }

  func run(to addresses: [Address], _ link: ClientOptions) throws -> ExitStatus {
    FrameMemory.keep()
    let signals = Signals()
    Interruption.watch(endsPipes: false) {
      guard let stop = signals.stop.withLock({ $0 }) else {
        _exit(Interruption.status.rawValue)
      }
      signals.isInterrupted.store(true, ordering: .relaxed)
      stop()
    }
    let input = try StreamInput(
      verb.input, start: verb.start, frameRate: verb.frameRate, loops: verb.loops,
      tracks: verb.selection,
      coding: coding, limits: verb.limits.limits)
    for warning in input.warnings { console.warn("\(verb.input): \(warning)") }

    let loop = try EventLoop()
    let reporter = StreamReporter(console, isJSON: verb.json)
    let publisher = try Publisher(input.source.tracks, to: addresses, options(input))
    let feed = try SampleFeed()
    let run = PublishRun(publisher, feed, link, on: loop) { reporter.report($0) }
    run.onEnd = { loop.stop() }
    signals.stop.withLock { $0 = { loop.perform { run.stop() } } }
    feed.start(input.source) { loop.perform { run.turn() } }
    run.start()
    tick(loop, run, reporter)
    loop.run()

    let isInterrupted = signals.isInterrupted.load(ordering: .relaxed)
    reporter.end(run.statistics, run.outcome, isInterrupted: isInterrupted)
    if run.outcome != nil { return .failed }
    return isInterrupted ? Interruption.status : .done
  }

  private func options(_ input: StreamInput) -> PublishOptions {
    var options = PublishOptions()
    if verb.isUnpaced {
      options.pace = .unpaced
    } else if let speed = verb.speed {
      options.pace = .paced(speed: speed.factor)
    } else if input.isLive {
      options.pace = .live
    }
    options.dialect = verb.dialect
    options.details = input.source.details
    options.forcesMultitrack = verb.hasChosenSeveral
    options.repeatsConfiguration = verb.repeatsConfiguration
    options.queue.duration = Int64(clamping: min(verb.queue, 3600)) * 1_000_000_000
    options.reconnects = verb.reconnects
    if let retries = verb.retries {
      options.retries = Int(clamping: retries)
      options.waitsForServer = true
    }
    return options
  }

  private func tick(_ loop: EventLoop, _ run: PublishRun, _ reporter: StreamReporter) {
    loop.after(reporter.interval) {
      reporter.tick(
        StreamSnapshot(
          now: loop.now, statistics: run.statistics, bytesSent: run.bytesSent,
          roundTrip: run.roundTrip))
      tick(loop, run, reporter)
    }
  }
}
