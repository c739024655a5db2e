// SPDX-License-Identifier: MIT

/// The average bit rate over the last few seconds.
struct RateMeter {
  private var samples: [(bytes: Int, time: Int64)] = []
  private static let span: Int64 = 4_000_000_000

  mutating func add(bytes: Int, at time: Int64) {
    samples.append((bytes, time))
    while samples.count > 2, time - samples[1].time >= Self.span { samples.removeFirst() }
  }

  var bitRate: Int {
    guard let first = samples.first, let last = samples.last, last.time > first.time else {
      return 0
    }
    return Int(Double(last.bytes - first.bytes) * 8e9 / Double(last.time - first.time))
  }
}
