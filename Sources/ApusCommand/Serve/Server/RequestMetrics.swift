// SPDX-License-Identifier: MIT

import Synchronization

/// The counters of a server, in the text format of Prometheus.
final class RequestMetrics: Sendable {
  private struct Key: Hashable, Comparable {
    var route: String
    var status: Int
    static func < (a: Key, b: Key) -> Bool { (a.route, a.status) < (b.route, b.status) }
  }

  private struct Spread {
    var buckets: [Int]
    var sum = 0.0
    var count = 0
  }

  private struct State {
    var requests: [Key: Int] = [:]
    var bytesIn = 0
    var bytesOut = 0
    var abandoned = 0
    var waiting = Spread(buckets: bounds.map { _ in 0 })
    var working = Spread(buckets: bounds.map { _ in 0 })
  }

  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
  private let state = Mutex(State())
  private let memory = ProcessMemory()

  func count(_ route: String, _ status: Int, bytesIn: Int, bytesOut: Int) {
    state.withLock { state in
      state.requests[Key(route: route, status: status), default: 0] += 1
      state.bytesIn += bytesIn
      state.bytesOut += bytesOut
    }
  }

  /// Counts a request whose client did not wait for the answer.
  func abandoned() { state.withLock { $0.abandoned += 1 } }

  func timed(waiting: Double, working: Double) {
    state.withLock { state in
      Self.add(waiting, to: &state.waiting)
      Self.add(working, to: &state.working)
    }
  }

  private static func add(_ seconds: Double, to spread: inout Spread) {
    spread.sum += seconds
    spread.count += 1
    for (index, bound) in bounds.enumerated() where seconds <= bound { spread.buckets[index] += 1 }
  }

  func text(
    _ queue: RequestQueue, _ pool: (started: Int, processes: Int, resident: Int)
  ) -> String {
    let (waiting, running) = queue.counts
    let numbers = [
      ("apus_queue_length", "gauge", "Requests that wait for a worker.", waiting),
      ("apus_running", "gauge", "Requests that are being worked on.", running),
      ("apus_workers", "gauge", "How many requests are worked on at a time.", queue.workers),
      ("apus_processes", "gauge", "Processes that work.", pool.processes),
      ("apus_process_starts_total", "counter", "Processes that were started.", pool.started),
      ("apus_resident_bytes", "gauge", "Memory of the server.", memory.resident),
      (
        "apus_process_resident_bytes", "gauge",
        "Memory of the processes that work, after the last request of each.", pool.resident
      ),
    ]
    return state.withLock { state in
      var text = Self.heading("apus_requests_total", "counter", "Requests by route and status.")
      for (key, count) in state.requests.sorted(by: { $0.key < $1.key }) {
        text += "apus_requests_total{route=\"\(key.route)\",status=\"\(key.status)\"} \(count)\n"
      }
      for (name, kind, help, value) in [
        ("apus_body_bytes_total", "counter", "Bytes of the bodies of requests.", state.bytesIn),
        ("apus_answer_bytes_total", "counter", "Bytes of the bodies of answers.", state.bytesOut),
        (
          "apus_abandoned_total", "counter",
          "Requests whose clients closed the connection before the answer.", state.abandoned
        ),
      ] + numbers {
        text += Self.heading(name, kind, help) + "\(name) \(value)\n"
      }
      text += Self.text("apus_queue_seconds", "How long requests waited.", state.waiting)
      text += Self.text("apus_work_seconds", "How long requests were worked on.", state.working)
      return text
    }
  }

  private static func heading(_ name: String, _ kind: String, _ help: String) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
  }

  private static func text(_ name: String, _ help: String, _ spread: Spread) -> String {
    var text = heading(name, "histogram", help)
    for (bound, count) in zip(bounds, spread.buckets) {
      text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n"
    }
    text += "\(name)_bucket{le=\"+Inf\"} \(spread.count)\n"
    return text + "\(name)_sum \(spread.sum)\n\(name)_count \(spread.count)\n"
  }
}
