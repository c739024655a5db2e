// SPDX-License-Identifier: MIT

import FLV
import Live
import RTMP

/// The events of a stream as JSON, one object per line.
struct StreamJSON {
  /// The number of the target; `nil` if there is only one.
  var target: Int?

  typealias Writer<Output: TextOutputStream> = JSONWriter<Output>

  /// Writes an event other than the end, which has its own function.
  func write<Output: TextOutputStream>(_ event: PublishEvent, to json: inout Writer<Output>) {
    switch event {
    case .connecting(let address, let attempt): connecting("\(address)", attempt, &json)
    case .publishing(let address, let dialect, let time):
      publishing("\(address)", dialect, time, &json)
    case .opening(let name, let attempt): connecting(name, attempt, &json)
    case .sending(let name, let time): publishing(name, nil, time, &json)
    case .lost(let reason, let wait):
      line("lost", &json) { json in
        json.field("reason", reason)
        json.key("retry_after")
        json.number(Double(wait / 1_000_000) / 1000)
      }
    case .moving(let address): line("moving", &json) { $0.field("server", "\(address)") }
    case .configuration(let time): line("configuration", &json) { $0.field("time", time) }
    case .dropped(let drop):
      line("dropped", &json) { json in
        json.field("kind", drop.kind.rawValue)
        json.field("samples", drop.samples)
        json.field("bytes", drop.bytes)
        json.field("first", drop.times.lowerBound)
        json.field("last", drop.times.upperBound)
      }
    case .status(let status):
      line("status", &json) { json in
        json.field("level", status.level)
        json.field("code", status.code)
        json.field("text", status.text)
      }
    case .warning(let words): line("warning", &json) { $0.field("message", words) }
    case .ended: break
    }
  }

  private func connecting<Output: TextOutputStream>(
    _ server: String, _ attempt: Int, _ json: inout Writer<Output>
  ) {
    line("connecting", &json) { json in
      json.field("server", server)
      json.field("attempt", attempt)
    }
  }

  private func publishing<Output: TextOutputStream>(
    _ server: String, _ dialect: HEVCDialect?, _ time: Int64, _ json: inout Writer<Output>
  ) {
    line("publishing", &json) { json in
      json.field("server", server)
      json.key("dialect")
      if let dialect { json.value(dialect.rawValue) } else { json.null() }
      json.field("time", time)
    }
  }

  func write<Output: TextOutputStream>(
    _ snapshot: StreamSnapshot, bitRate: Int, to json: inout Writer<Output>
  ) {
    let statistics = snapshot.statistics
    line("progress", &json) { json in
      json.field("time", statistics.time)
      json.field("samples", statistics.samples)
      json.field("bytes", snapshot.bytesSent)
      json.field("bit_rate", bitRate)
      json.field("queue_bytes", statistics.queuedBytes)
      json.field("queue_time", statistics.queuedTime)
      json.field("dropped", statistics.dropped)
      json.key("round_trip")
      if let roundTrip = snapshot.roundTrip {
        json.number(Double(roundTrip) / 1000)
      } else {
        json.null()
      }
    }
  }

  func write<Output: TextOutputStream>(
    _ statistics: PublishStatistics, error: String?, isInterrupted: Bool,
    to json: inout Writer<Output>
  ) {
    line("ended", &json) { json in
      json.field("time", statistics.time)
      json.field("samples", statistics.samples)
      json.field("bytes", statistics.bytes)
      json.field("losses", statistics.losses)
      json.key("dropped")
      json.object { json in
        for kind in Drop.Kind.allCases { json.field(kind.rawValue, statistics.drops[kind] ?? 0) }
      }
      json.field("dropped_bytes", statistics.droppedBytes)
      json.field("interrupted", isInterrupted)
      json.key("error")
      if let error { json.value(error) } else { json.null() }
    }
  }

  /// Writes an event of an input.
  func input<Output: TextOutputStream>(
    _ state: String, to json: inout Writer<Output>, _ body: (inout Writer<Output>) -> Void
  ) {
    line("input", &json) { json in
      json.field("state", state)
      body(&json)
    }
  }

  /// Writes that the stand-by takes over or ends, and the nanoseconds for which it has played in total.
  func standby<Output: TextOutputStream>(
    _ state: String, switches: Int, time: Int64, to json: inout Writer<Output>
  ) {
    line("standby", &json) { json in
      json.field("state", state)
      json.field("switches", switches)
      json.key("seconds")
      json.number(Double(time / 1_000_000) / 1000)
    }
  }

  /// Writes that a target was added.
  func added<Output: TextOutputStream>(_ name: String, to json: inout Writer<Output>) {
    line("added", &json) { $0.field("name", name) }
  }

  /// Writes that a target was removed from the file.
  func removed<Output: TextOutputStream>(to json: inout Writer<Output>) {
    line("removed", &json) { _ in }
  }

  /// Writes the end of all targets.
  func finished<Output: TextOutputStream>(
    targets: Int, failed: Int, error: String?, isInterrupted: Bool, to json: inout Writer<Output>
  ) {
    line("finished", &json) { json in
      json.field("targets", targets)
      json.field("failed", failed)
      json.field("interrupted", isInterrupted)
      json.key("error")
      if let error { json.value(error) } else { json.null() }
    }
  }

  private func line<Output: TextOutputStream>(
    _ event: String, _ json: inout Writer<Output>, _ body: (inout Writer<Output>) -> Void
  ) {
    json.object { json in
      json.field("event", event)
      json.field("at", WallClock.now)
      if let target { json.field("target", target) }
      body(&json)
    }
    json.endDocument()
  }
}
