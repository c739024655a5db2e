// SPDX-License-Identifier: MIT

import ApusLive
import ApusThreads

/// The counters and measurements of a live job, in the text format of Prometheus.
enum WatchMetrics {
  static func text(_ snapshot: LiveSnapshot) -> String {
    var text = Family("apus_start_time_seconds", .gauge, "When the work began.")
    text.add([], Double(snapshot.began))
    var families = [text]
    if let connections = snapshot.connections {
      var clients = Family("apus_connections", .gauge, "Clients that are connected.")
      clients.add([], Double(connections))
      var live = Family("apus_streams", .gauge, "Streams that are live.")
      live.add([], Double(snapshot.streams.count))
      var streams = Family("apus_streams_total", .counter, "Streams that have come.")
      streams.add([], Double(snapshot.totals.streams))
      var bytes = Family("apus_received_bytes_total", .counter, "Bytes of all streams.")
      bytes.add([], Double(snapshot.totals.bytes))
      families += [clients, live, streams, bytes]
    }
    families += self.streams(snapshot.streams)
    families += targets(snapshot.targets)
    return families.map(\.text).joined()
  }

  private static func streams(_ streams: [IngestState]) -> [Family] {
    typealias Row = (name: String, Family.Kind, String, (IngestState) -> Double?)
    let rows: [Row] = [
      ("bytes_total", .counter, "Bytes that came.", { Double($0.statistics.bytes) }),
      (
        "seconds_total", .counter, "Seconds of the stream.",
        { Double($0.statistics.duration.milliseconds) / 1000 }
      ),
      ("bits_per_second", .gauge, "Bits a second, over the last seconds.", { Double($0.bitRate) }),
      (
        "pictures_per_second", .gauge, "Pictures a second, over the last seconds.", { $0.frameRate }
      ),
      (
        "key_frame_seconds", .gauge, "From one key frame to the next.",
        { $0.keyFrameDistance.map { Double($0.milliseconds) / 1000 } }
      ),
      (
        "lead_seconds", .gauge, "By how much pictures are ahead of the sound that comes with them.",
        { $0.distance.map { $0 / 1000 } }
      ),
      (
        "drift_seconds", .gauge, "By how much that has changed since the stream began.",
        { $0.drift.map { $0 / 1000 } }
      ),
      ("jitter_seconds", .gauge, "How unevenly frames come (RFC 3550).", { $0.jitter / 1000 }),
      (
        "round_trip_seconds", .gauge, "To the publisher and back.",
        { $0.roundTrip.map { Double($0.microseconds) / 1e6 } }
      ),
      ("players", .gauge, "Clients that play it.", { Double($0.players) }),
      (
        "lost_players_total", .counter, "Players that did not keep up and were disconnected.",
        { Double($0.lostPlayers) }
      ),
      ("returns_total", .counter, "How often it has come again.", { Double($0.returns) }),
      ("file_bytes", .gauge, "The size of the file that is recorded.", { Double($0.recorded) }),
    ]
    return rows.map { name, kind, help, value in
      var family = Family("apus_stream_\(name)", kind, help)
      for stream in streams {
        if let value = value(stream) { family.add([("stream", stream.name)], value) }
      }
      return family
    }
  }

  private static func targets(_ targets: [LiveSnapshot.Target]) -> [Family] {
    typealias Row = (name: String, Family.Kind, String, (BroadcastState) -> Double?)
    let rows: [Row] = [
      ("up", .gauge, "Whether the server takes the stream.", { $0.isRunning ? 1 : 0 }),
      ("sent_bytes_total", .counter, "Bytes that the network took.", { Double($0.bytesSent) }),
      (
        "seconds_total", .counter, "Seconds of the stream.",
        { Double($0.statistics.time.milliseconds) / 1000 }
      ),
      ("queue_bytes", .gauge, "Bytes that wait.", { Double($0.statistics.queuedBytes) }),
      (
        "queue_seconds", .gauge, "Seconds of the stream that wait.",
        { Double($0.statistics.queuedTime.milliseconds) / 1000 }
      ),
      ("losses_total", .counter, "Connections that were lost.", { Double($0.statistics.losses) }),
      (
        "dropped_bytes_total", .counter, "Bytes that were left out.",
        { Double($0.statistics.droppedBytes) }
      ),
      (
        "round_trip_seconds", .gauge, "To the server and back.",
        { $0.roundTrip.map { Double($0.microseconds) / 1e6 } }
      ),
    ]
    var families = rows.map { name, kind, help, value in
      var family = Family("apus_target_\(name)", kind, help)
      for target in targets {
        if let value = value(target.state) { family.add(labels(target), value) }
      }
      return family
    }
    var drops = Family(
      "apus_target_dropped_samples_total", .counter, "Pictures and sound that were left out.")
    for target in targets {
      for kind in Drop.Kind.allCases {
        drops.add(
          labels(target) + [("kind", kind.rawValue)],
          Double(target.state.statistics.drops[kind] ?? 0))
      }
    }
    families.append(drops)
    return families
  }

  private static func labels(_ target: LiveSnapshot.Target) -> [(String, String)] {
    let stream = target.stream.map { [("stream", $0)] } ?? []
    return stream + [("target", String(target.state.id)), ("server", target.name)]
  }
}

extension WatchMetrics {
  /// A metric, with a value for each set of labels.
  private struct Family {
    enum Kind: String { case counter, gauge }

    let name: String
    private let head: String
    private var lines = ""

    init(_ name: String, _ kind: Kind, _ help: String) {
      self.name = name
      head = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func add(_ labels: [(String, String)], _ value: Double) {
      let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      let number = value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
      lines += list.isEmpty ? "\(name) \(number)\n" : "\(name){\(list)} \(number)\n"
    }

    /// The text; empty for a metric without values.
    var text: String { lines.isEmpty ? "" : head + lines }

    private static func escaped(_ text: String) -> String {
      text.reduce(into: "") { result, character in
        switch character {
        case "\\": result += "\\\\"
        case "\"": result += "\\\""
        case "\n": result += "\\n"
        default: result.append(character)
        }
      }
    }
  }
}
