// SPDX-License-Identifier: MIT

import ApusFacts
import ApusFiles

extension Console {
  /// Writes one event on a line and flushes it.
  func writeEvent(_ event: some Described) {
    ResultStream(console: self).write(json: event)
    // If the reader is gone, the streams continue and the command fails at the end.
    do throws(FileError) { try output.flush() } catch {}
  }
}

extension FactVisitor {
  /// An event, with the time of day.
  mutating func event<each Value: FactValue>(
    _ name: String, _ meaning: String, _ facts: repeat Fact<each Value>,
    read: (Subject) -> (repeat each Value)?
  ) {
    let time = Fact<String>("at", "The time of day in UTC, as in RFC 3339.")
    form("event", name, meaning, time, repeat each facts) { subject in
      guard let values = read(subject) else { return nil }
      return (WallClock.now, repeat each values)
    }
  }
}
