// SPDX-License-Identifier: MIT

import ApusHTTP
import ApusLive
import ApusMedia
import ApusTransport
import Glibc
import Synchronization

/// Serves monitoring data about a live job on a separate port: metrics for Prometheus, JSON, and a page.
final class WatchServer: HTTPHandler {
  private struct State {
    var snapshot = LiveSnapshot()
    /// The time at which the snapshot was set.
    var time: SuspendingClock.Instant?
    /// The bit rates of each stream in bits per second, one for each snapshot, the newest last.
    var history: [String: [Int]] = [:]
  }

  private let state = Mutex(State())
  private let server = Mutex<HTTPServer?>(nil)

  /// The number of values kept for each stream: five minutes at one per second.
  private static let kept = 300
  /// The time without a snapshot after which the loop is considered stuck.
  private static let patience: Duration = .seconds(10)

  /// Starts the server and prints its address.
  func start(at address: ListenAddress, _ console: Console) throws {
    guard case .network(let host, let port) = address.place else {
      throw UsageError("--watch is HOST:PORT")
    }
    let (descriptor, bound) = try ListeningSocket.descriptor(host, port)
    var options = HTTPServer.Options()
    options.connections = 64
    let started = try HTTPServer(descriptor, options, handler: self)
    server.withLock { $0 = started }
    var address = address
    address.place = .network(host: host, port: bound)
    if !address.isLocal {
      console.warn("anyone who can reach \(host) can watch; a firewall or a proxy keeps others out")
    }
    console.note("watched at http://\(address.argument)/")
  }

  /// Stops answering requests.
  func stop() { server.withLock { $0.take() }?.stop() }

  /// Sets the current state; called once a second.
  func show(_ snapshot: LiveSnapshot) {
    var rates: [String: Int] = [:]
    for stream in snapshot.streams { rates[stream.name] = stream.bitRate }
    state.withLock { state in
      for (name, rate) in rates {
        var numbers = state.history[name] ?? []
        numbers.append(rate)
        state.history[name] = numbers.suffix(Self.kept)
      }
      state.history = state.history.filter { rates[$0.key] != nil }
      state.snapshot = snapshot
      state.time = .now
    }
  }

  // MARK: Answers

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    guard head.method == "GET" || head.method == "HEAD" else {
      var answer = HTTPAnswer(405)
      answer.headers = [("Allow", "GET, HEAD")]
      return .answer(answer)
    }
    return .answer(answer(to: head.path))
  }

  /// Does nothing: every request was answered from its head, so that clients learn of the job's health however many
  /// connections are open.
  func serve(_ exchange: HTTPExchange) {}
  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer { HTTPAnswer(413) }
  func ended(_ exchange: HTTPExchange) {}

  private func answer(to path: String) -> HTTPAnswer {
    switch path {
    case "/": return page()
    case "/metrics":
      return text(200, "text/plain; version=0.0.4", snapshot { WatchMetrics.text($0) })
    case "/streams": return text(200, "application/json", snapshot { WatchJSON.text($0) })
    case "/history":
      let history = state.withLock { $0.history }
      return text(200, "application/json", WatchJSON.text(history))
    case "/health":
      let isAlive = state.withLock { state in
        state.time.map { .now - $0 < Self.patience && state.snapshot.isHealthy } ?? false
      }
      let words = isAlive ? "ok" : "failing"
      return text(isAlive ? 200 : 503, "application/json", "{\"status\":\"\(words)\"}\n")
    default: return HTTPAnswer(404, "text/plain", .bytes(Array("there is no such page\n".utf8)))
    }
  }

  private func snapshot(_ body: (LiveSnapshot) -> String) -> String {
    body(state.withLock { $0.snapshot })
  }

  private func text(_ status: Int, _ type: String, _ text: String) -> HTTPAnswer {
    var answer = HTTPAnswer(status, type, .bytes(Array(text.utf8)))
    answer.headers.append(("Cache-Control", "no-store"))
    return answer
  }

  private func page() -> HTTPAnswer {
    var answer = text(200, "text/html; charset=utf-8", WatchPage.text)
    answer.headers.append(
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
      ))
    return answer
  }
}
