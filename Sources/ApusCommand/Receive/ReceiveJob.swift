// SPDX-License-Identifier: MIT

import ApusLive
import ApusTransport
import Glibc
import RTMP

/// Runs `receive` on the loop of this thread.
struct ReceiveJob {
  private let console: Console
  private let isJSON: Bool
  private let watch: ListenAddress?
  /// The servers that streams are relayed to.
  private let servers: [StreamTarget]

  /// The file of keys.
  private let keys: String?
  private let presenter: LiveHLSServer?

  /// - Parameter watch: the address of the status page.
  init(
    _ console: Console, isJSON: Bool, watch: ListenAddress?, servers: [StreamTarget],
    keys: String?, presenter: LiveHLSServer?
  ) {
    self.keys = keys
    self.presenter = presenter
    self.console = console
    self.isJSON = isJSON
    self.watch = watch
    self.servers = servers
  }

  func run(at address: Address, _ options: IngestOptions) throws -> ExitStatus {
    FrameMemory.keep()
    let onHangup: @Sendable () -> Void = { [keys, keyring = options.keyring] in
      if let keys, let keyring { Self.reload(keys, keyring) }
    }
    Interruption.watch(endsPipes: false, onHangup: onHangup) {
      _exit(Interruption.isTermination ? 0 : Interruption.status.rawValue)
    }
    let loop = try EventLoop()
    let reporter = ReceiveReporter(console, isJSON: isJSON)
    let ingest = try Ingest(host: address.host, port: address.port, options, on: loop) {
      reporter.report($0)
    }
    ingest.onEnd = { loop.stop() }
    let watcher = watch == nil ? nil : WatchServer()
    if let watch { try watcher?.start(at: watch, console) }
    try presenter?.start(console)
    defer {
      watcher?.stop()
      presenter?.stop()
    }
    Interruption.watch(endsPipes: false, onHangup: onHangup) {
      Supervisor.tell("STOPPING=1")
      loop.perform { ingest.stop(mayReturn: Interruption.isTermination) }
    }
    Supervisor.tell("READY=1")
    tick(loop, ingest, reporter)
    show(loop, ingest, watcher, since: WallClock.seconds)
    loop.run()
    reporter.end()
    if reporter.failures > 0 { return .failed }
    if Interruption.isReceived {
      // A server only ends on request, so that SIGTERM is its normal end.
      return Interruption.isTermination ? .done : .interrupted
    }
    return reporter.recordings > 0 ? .done : .nothingToDo
  }

  /// Reads the file of keys again. If that fails, the keys are unchanged.
  private static func reload(_ keys: String, _ keyring: StreamKeyring) {
    do {
      keyring.replace(with: try KeyringFile(path: keys).entries())
    } catch {
      Console().warn("\(error); the keys are unchanged")
    }
  }

  private func tick(_ loop: EventLoop, _ ingest: Ingest, _ reporter: ReceiveReporter) {
    loop.after(reporter.interval) {
      reporter.tick(ingest.statistics, at: loop.now)
      tick(loop, ingest, reporter)
    }
  }

  /// Tells the supervisor once a second that the loop is running, and publishes a snapshot.
  private func show(
    _ loop: EventLoop, _ ingest: Ingest, _ watcher: WatchServer?, since began: Int64
  ) {
    Supervisor.live()
    presenter?.tick()
    if let watcher {
      var snapshot = LiveSnapshot()
      snapshot.began = began
      snapshot.isHealthy = !ingest.isStopping
      snapshot.connections = ingest.connections
      snapshot.totals = ingest.totals
      snapshot.streams = ingest.states
      snapshot.targets = snapshot.streams.flatMap { stream in
        stream.forwards.map { state in
          LiveSnapshot.Target(
            stream: stream.name,
            name: servers.indices.contains(state.id - 1) ? servers[state.id - 1].name : "",
            state: state)
        }
      }
      watcher.show(snapshot)
    }
    loop.after(1_000_000_000) { show(loop, ingest, watcher, since: began) }
  }
}
