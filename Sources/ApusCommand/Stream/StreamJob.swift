// SPDX-License-Identifier: MIT

import ApusLive
import ApusMedia
import ApusSamples
import ApusThreads
import ApusTransport
import Glibc
import RTMP

/// Runs `stream`: the input on its own thread, everything else on the loop of this thread.
///
/// Used only on its loop's thread. It is `Sendable` because the thread that handles signals reaches it through
/// `EventLoop.perform`.
final class StreamJob: @unchecked Sendable {
  private let verb: Stream
  private let coding: StreamCoding?
  private let console: Console
  private let link: ClientOptions
  /// The targets on the command line, which never change.
  private let named: [StreamTarget]
  private let file: TargetFile?
  /// Whether there is one target, which is reported without a number or a name.
  private let isSingle: Bool
  /// The targets by number, including those that have ended.
  private var members: [Int: Member] = [:]
  private let line: StatusLine
  private var meter = RateMeter()

  private struct Member {
    enum Stage { case live, done, failed, removed }

    var target: StreamTarget
    var name: String
    var reporter: StreamReporter
    var stage = Stage.live
    var error: MediaError?
    var statistics = PublishStatistics()
    var bytesSent = 0
  }

  init(
    _ verb: Stream, _ coding: StreamCoding?, _ named: [StreamTarget], isSingle: Bool,
    _ link: ClientOptions, _ console: Console
  ) {
    self.verb = verb
    self.coding = coding
    (self.named, self.isSingle) = (named, isSingle)
    self.link = link
    self.console = console
    file = verb.targets.map { TargetFile(path: $0) }
    line = StatusLine(console, isWanted: !verb.json)
  }

  func run() throws -> ExitStatus {
    FrameMemory.keep()
    // Before the stream has started, Ctrl-C ends the command at once.
    let early: @Sendable () -> Void = {}
    Interruption.watch(endsPipes: false, onHangup: file == nil ? nil : early) {
      _exit(Interruption.status.rawValue)
    }
    let wanted = try named + read()
    let loop = try EventLoop()
    let inputs = InputReporter(console, isJSON: verb.json, verb.inputs, line, on: loop)
    let input = try verb.opened(coding, link, inputs, console)
    let broadcast = Broadcast(
      input.source.tracks, input.source.details, verb.pace(input), on: loop
    ) { [unowned self] id, event in
      if case .ended(let statistics) = event { members[id]?.statistics = statistics }
      members[id]?.reporter.report(event)
    }
    broadcast.onTargetEnd = { [unowned self] id, error in ended(id, error) }
    broadcast.onEnd = { loop.stop() }
    if let address = wanted.lazy.compactMap(\.srt).first {
      for loss in try SRTSink(address).losses(of: input.source.tracks) {
        console.warn("over SRT \(loss)")
      }
    }
    for target in wanted { try add(target, to: broadcast) }
    let reload: @Sendable () -> Void = { loop.perform { self.reload(broadcast) } }
    Interruption.watch(endsPipes: false, onHangup: file == nil ? nil : reload) {
      loop.perform { broadcast.stop() }
    }
    inputs.relay()
    broadcast.start(input.source, waits: input.canWait)
    tick(loop, broadcast)
    Supervisor.tell("READY=1")
    let watcher = verb.watch == nil ? nil : WatchServer()
    if let watch = verb.watch { try watcher?.start(at: watch, console) }
    defer { watcher?.stop() }
    show(loop, broadcast, watcher, since: WallClock.seconds)
    loop.run()

    inputs.end()
    let failures = finish(broadcast.sourceError)
    if failures > 0 || broadcast.sourceError != nil { return .failed }
    return Interruption.isReceived ? Interruption.status : .done
  }

  private func read() throws -> [StreamTarget] {
    try file?.targets(StreamKeyOptions(), app: verb.app) ?? []
  }

  private func add(_ target: StreamTarget, to broadcast: Broadcast) throws {
    let number = members.count + 1
    let namesakes = members.values.count { $0.target.name == target.name && $0.stage == .live }
    let name = namesakes > 0 ? "\(target.name) #\(number)" : target.name
    let reporter = StreamReporter(
      console, isJSON: verb.json, isSingle ? nil : (number, name), line)
    members[number] = Member(target: target, name: name, reporter: reporter)
    if verb.json, !isSingle {
      console.writeEvent(StreamLine(target: number, event: .added(name)))
    }
    let options = isSingle ? verb.options : target.options(verb.options)
    if let address = target.srt {
      return broadcast.add(number, try SRTSink(address), options)
    }
    try broadcast.add(BroadcastTarget(id: number, target.addresses, options, link))
  }

  /// Reads the file again: starts targets that are new or had failed, and ends those that were removed.
  private func reload(_ broadcast: Broadcast) {
    line.clear()
    do {
      let wanted = try named + read()
      let kept = Set(wanted.map(\.words))
      for (number, member) in members where !kept.contains(member.target.words) {
        remove(number, from: broadcast)
      }
      for target in wanted {
        let same = members.filter { $0.value.target.words == target.words }
        guard !same.values.contains(where: { $0.stage == .live || $0.stage == .done }) else {
          continue
        }
        for number in same.keys { remove(number, from: broadcast) }
        try add(target, to: broadcast)
      }
      guard !verb.json else { return }
      let count = members.values.count { $0.stage == .live }
      console.note(
        "read the targets again: \(count == 1 ? "1 target" : "\(count) targets") now")
    } catch {
      console.warn("\(error); the targets are unchanged")
    }
  }

  private func remove(_ number: Int, from broadcast: Broadcast) {
    guard let member = members[number], member.stage != .removed else { return }
    members[number]?.stage = .removed
    if verb.json { console.writeEvent(StreamLine(target: number, event: .removed)) }
    if member.stage == .live { broadcast.remove(number) }
  }

  private func ended(_ number: Int, _ error: MediaError?) {
    guard let member = members[number] else { return }
    // An error while a removed target closes is not a failure.
    let isRemoved = member.stage == .removed
    if !isRemoved {
      members[number]?.stage = error == nil ? .done : .failed
      members[number]?.error = error
    }
    if !isSingle { report(members[number]?.error, atEndOf: member) }
  }

  private func report(_ error: MediaError?, atEndOf member: Member) {
    member.reporter.end(member.statistics, error, isInterrupted: Interruption.isReceived)
  }

  /// Returns the number of targets that were given up.
  private func finish(_ error: MediaError?) -> Int {
    line.clear()
    let failed = members.values.count { $0.stage == .failed }
    if isSingle {
      for member in members.values { report(member.error ?? error, atEndOf: member) }
      return failed
    }
    let count = members.values.count { $0.stage != .removed }
    if verb.json {
      console.writeEvent(
        StreamLine(
          event: .finished(
            targets: count, failed: failed, error: error?.text,
            isInterrupted: Interruption.isReceived)))
    }
    if let error { console.fail(error.description + console.advice(on: error)) }
    if failed > 0 { console.note("gave up on \(failed) of \(count) targets") }
    return failed
  }

  /// Tells the supervisor once a second that the loop is running, and publishes a snapshot.
  private func show(
    _ loop: EventLoop, _ broadcast: Broadcast, _ watcher: WatchServer?, since began: Int64
  ) {
    Supervisor.live()
    if let watcher {
      var snapshot = LiveSnapshot()
      snapshot.began = began
      let states = broadcast.states
      snapshot.isHealthy = states.contains(where: \.isRunning)
      snapshot.targets = states.map {
        LiveSnapshot.Target(name: members[$0.id]?.name ?? "", state: $0)
      }
      watcher.show(snapshot)
    }
    loop.after(1_000_000_000) { [unowned self] in show(loop, broadcast, watcher, since: began) }
  }

  private func tick(_ loop: EventLoop, _ broadcast: Broadcast) {
    loop.after(line.interval) { [unowned self] in
      let states = broadcast.states
      for state in states {
        members[state.id]?.bytesSent = state.bytesSent
        members[state.id]?.reporter.tick(state, at: loop.now)
      }
      if isSingle { return tick(loop, broadcast) }
      meter.add(bytes: members.values.reduce(0) { $0 + $1.bytesSent }, at: loop.now)
      let running = states.count { $0.isRunning }
      let dropped = states.reduce(0) { $0 + $1.statistics.dropped }
      let time = states.map(\.statistics.time).max() ?? .zero
      line.show(
        "\(running) of \(states.count) targets  \(StreamText.time(time))  "
          + "\(StreamText.rate(meter.bitRate))  dropped \(dropped)")
      tick(loop, broadcast)
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
    options.network = { [login, trust = link.trust] in try login.input($0, trust) }
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

  func pace(_ input: StreamInput) -> Pacer.Mode {
    if isUnpaced { return .unpaced }
    if let speed { return .paced(speed: speed.factor) }
    return input.isLive ? .live : .paced(speed: 1)
  }

  /// The options for publishing to each target.
  var options: PublishOptions {
    var options = PublishOptions()
    options.dialect = dialect
    options.forcesMultitrack = hasChosenSeveral
    options.repeatsConfiguration = repeatsConfiguration
    options.queue.duration = .nanoseconds(queue.nanosecondsInHour)
    options.reconnects = reconnects
    if let retries = retries {
      options.retries = Int(clamping: retries)
      options.waitsForServer = true
    }
    return options
  }
}
