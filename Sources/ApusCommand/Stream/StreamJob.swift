// SPDX-License-Identifier: MIT

import Flow
import Glibc
import Live
import RTMP
import Transport

/// Runs `stream`: the input on its own thread, everything else on the loop of this thread.
struct StreamJob {
  private let verb: Stream
  private let coding: StreamCoding?
  private let link: ClientOptions
  private let console: Console

  init(_ verb: Stream, _ coding: StreamCoding?, _ link: ClientOptions, _ console: Console) {
    self.verb = verb
    self.coding = coding
    self.link = link
    self.console = console
  }

  func run(to addresses: [Address]) throws -> ExitStatus {
    FrameMemory.keep()
    // Before the stream has started, Ctrl-C ends the command at once.
    Interruption.watch(endsPipes: false) { _exit(Interruption.status.rawValue) }
    let loop = try EventLoop()
    let line = StatusLine(console, isWanted: !verb.json)
    let inputs = InputReporter(console, isJSON: verb.json, verb.inputs, line, on: loop)
    let input = try verb.opened(coding, link, inputs, console)
    let reporter = StreamReporter(console, isJSON: verb.json, line)
    let publisher = try Publisher(input.source.tracks, to: addresses, verb.options(input))
    let feed = SampleFeed()
    let run = PublishRun(publisher, feed, link, on: loop) { reporter.report($0) }
    run.onEnd = { loop.stop() }
    Interruption.watch(endsPipes: false) { loop.perform { run.stop() } }
    inputs.relay()
    feed.start(input.source) { loop.perform { run.turn() } }
    run.start()
    tick(loop, run, reporter)
    Supervisor.tell("READY=1")
    let watcher = verb.watch == nil ? nil : WatchServer()
    if let watch = verb.watch { try watcher?.start(at: watch, console) }
    defer { watcher?.stop() }
    show(loop, run, watcher, "\(addresses[0])", since: WallClock.seconds)
    loop.run()

    let isInterrupted = Interruption.isReceived
    inputs.end()
    reporter.end(run.statistics, run.outcome, isInterrupted: isInterrupted)
    if run.outcome != nil { return .failed }
    return isInterrupted ? Interruption.status : .done
  }

  /// Tells the supervisor once a second that the loop is running, and publishes a snapshot.
  private func show(
    _ loop: EventLoop, _ run: PublishRun, _ watcher: WatchServer?, _ name: String,
    since began: Int64
  ) {
    Supervisor.live()
    if let watcher {
      var snapshot = LiveSnapshot()
      snapshot.began = began
      snapshot.isHealthy = run.isRunning
      snapshot.targets = [LiveSnapshot.Target(name: name, state: run.state(id: 1))]
      watcher.show(snapshot)
    }
    loop.after(1_000_000_000) { show(loop, run, watcher, name, since: began) }
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

extension Stream {
  /// Opens the input and reports its warnings.
  func opened(
    _ coding: StreamCoding?, _ link: ClientOptions, _ reporter: InputReporter, _ console: Console
  ) throws -> StreamInput {
    var options = StreamInput.Options()
    (options.start, options.frameRate, options.loops) = (start, frameRate, loops)
    (options.tracks, options.coding, options.limits) = (selection, coding, limits.limits)
    options.standby = standby
    if let stall { options.stall = stall }
    options.pull.reconnects = reconnects
    options.pull.link = link
    if let retries {
      options.pull.retries = Int(clamping: retries)
      options.pull.waitsForServer = true
    }
    options.onEvent = { reporter.report($0) }
    let opened = try StreamInput(inputs, options)
    for warning in opened.warnings {
      console.warn(inputs.count == 1 ? "\(SecretRanges.masked(input)): \(warning)" : warning)
    }
    return opened
  }

  /// Returns the options for publishing.
  func options(_ input: StreamInput) -> PublishOptions {
    var options = PublishOptions()
    if isUnpaced {
      options.pace = .unpaced
    } else if let speed = speed {
      options.pace = .paced(speed: speed.factor)
    } else if input.isLive {
      options.pace = .live
    }
    options.waitsAtStart = input.canWait
    options.dialect = dialect
    options.details = input.source.details
    options.forcesMultitrack = hasChosenSeveral
    options.repeatsConfiguration = repeatsConfiguration
    options.queue.duration = queue.nanosecondsInHour
    options.reconnects = reconnects
    if let retries = retries {
      options.retries = Int(clamping: retries)
      options.waitsForServer = true
    }
    return options
  }
}
