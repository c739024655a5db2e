// SPDX-License-Identifier: MIT

import ApusBytes
import ApusLive
import ApusThreads

/// Formats facts about a stream as text.
enum StreamText {
  static func status(_ state: BroadcastState, bitRate: Int) -> String {
    let statistics = state.statistics
    var parts = [
      time(statistics.time), rate(bitRate),
      "queue \(statistics.queuedTime.milliseconds) ms, \(statistics.queuedBytes / 1000) kB",
      "dropped \(statistics.dropped)",
    ]
    if let roundTrip = state.roundTrip {
      parts.append(
        "round trip \((Double(roundTrip.microseconds) / 1000).decimal(places: 1...1)) ms")
    }
    return parts.joined(separator: "  ")
  }

  /// `0:01:30`.
  static func time(_ time: Duration) -> String {
    let seconds = time.components.seconds
    let two = { (value: Int64) in value < 10 ? "0\(value)" : "\(value)" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  static func seconds(_ time: Duration) -> String {
    (Double(time.nanoseconds) / 1e9).decimal(places: 1...1)
  }

  static func rate(_ bitRate: Int) -> String {
    bitRate < 1_000_000
      ? "\(bitRate / 1000) kbit/s" : "\((Double(bitRate) / 1e6).decimal(places: 1...1)) Mbit/s"
  }

  /// Returns what was dropped since the last report, or `nil` if nothing was.
  static func drops(_ drops: [Drop]) -> String? {
    guard let first = drops.map(\.times.lowerBound).min(),
      let last = drops.map(\.times.upperBound).max()
    else { return nil }
    let kinds = drops.map { "\($0.samples) \(words(for: $0.kind))" }.joined(separator: ", ")
    return "dropped from \(time(first)) to \(time(last)): \(kinds); "
      + "\(drops.reduce(0) { $0 + $1.bytes }) bytes"
  }

  private static func words(for kind: Drop.Kind) -> String {
    switch kind {
    case .leading: "RASL and RADL pictures"
    case .nonReference: "non-reference pictures"
    case .sublayer: "pictures of the highest temporal sub-layer"
    case .untilKeyFrame: "pictures up to the next key frame"
    case .dependent: "pictures that refer to dropped ones"
    case .outage: "samples while there was no connection"
    }
  }

  static func summary(_ statistics: PublishStatistics) -> String {
    var parts = [
      "sent \(time(statistics.time)), \(statistics.samples) samples, \(statistics.bytes) bytes"
    ]
    if statistics.dropped > 0 { parts.append("\(statistics.dropped) dropped") }
    if statistics.losses > 0 {
      let count = statistics.losses == 1 ? "once" : "\(statistics.losses) times"
      parts.append("connection lost \(count)")
    }
    return parts.joined(separator: "; ")
  }
}
