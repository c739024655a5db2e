// SPDX-License-Identifier: MIT

import ApusJSON
import ApusLive
import ApusThreads

/// The state of a live job as JSON.
enum WatchJSON {
  static func text(_ snapshot: LiveSnapshot) -> String {
    var json = JSONWriter("")
    json.object { json in
      json.field("at", WallClock.now)
      json.field("began", WallClock.text(snapshot.began))
      json.field("healthy", snapshot.isHealthy)
      if let connections = snapshot.connections {
        json.field("connections", connections)
        json.key("streams")
        json.array { json in for stream in snapshot.streams { write(stream, to: &json) } }
      }
      json.key("targets")
      json.array { json in for target in snapshot.targets { write(target, to: &json) } }
    }
    json.endDocument()
    return json.output
  }

  /// Returns the bit rates of each stream in bits per second, the newest last.
  static func text(_ history: [String: [Int]]) -> String {
    var json = JSONWriter("")
    json.object { json in
      for (name, numbers) in history.sorted(by: { $0.key < $1.key }) {
        json.key(name)
        json.array { json in for number in numbers { json.value(number) } }
      }
    }
    json.endDocument()
    return json.output
  }

  private static func write(_ stream: IngestState, to json: inout JSONWriter<String>) {
    json.object { json in
      json.field("name", stream.name)
      json.field("client", stream.client)
      json.field("peer", stream.peer)
      json.field("software", stream.software)
      json.field("codecs", stream.codecs)
      json.field("began", WallClock.text(stream.began))
      json.field("duration", stream.statistics.duration.milliseconds)
      json.field("bytes", stream.statistics.bytes)
      json.field("bit_rate", stream.bitRate)
      json.key("frame_rate")
      json.number(rounded(stream.frameRate))
      number("key_frame_distance", stream.keyFrameDistance.map { Double($0.milliseconds) }, &json)
      number("lead", stream.distance, &json)
      number("drift", stream.drift, &json)
      number("jitter", stream.jitter, &json)
      number("round_trip", stream.roundTrip.map { Double($0.microseconds) / 1000 }, &json)
      json.field("players", stream.players)
      json.field("lost_players", stream.lostPlayers)
      json.field("returns", stream.returns)
      json.field("path", stream.path)
      json.field("file_bytes", stream.recorded)
    }
  }

  private static func write(_ target: LiveSnapshot.Target, to json: inout JSONWriter<String>) {
    let statistics = target.state.statistics
    json.object { json in
      if let stream = target.stream { json.field("stream", stream) }
      json.field("target", target.state.id)
      json.field("server", target.name)
      json.field("up", target.state.isRunning)
      json.field("time", statistics.time.milliseconds)
      json.field("bytes", target.state.bytesSent)
      json.field("queue_bytes", statistics.queuedBytes)
      json.field("queue_time", statistics.queuedTime.milliseconds)
      json.field("dropped", statistics.dropped)
      json.field("losses", statistics.losses)
      number("round_trip", target.state.roundTrip.map { Double($0.microseconds) / 1000 }, &json)
    }
  }

  private static func number(
    _ name: String, _ value: Double?, _ json: inout JSONWriter<String>
  ) {
    json.key(name)
    if let value { json.number(rounded(value)) } else { json.null() }
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
