// SPDX-License-Identifier: MIT

import ApusStills
import Glibc

/// A progress bar on the last line of a terminal.
struct ProgressBar {
  /// The number of photos, if it is known.
  let total: Int?
  private let width: Int
  private var isShown = false
  private var lastDrawn: SuspendingClock.Instant?
  private static let least = Duration.milliseconds(100)

  init(total: Int?, width: Int) {
    self.total = total
    self.width = width
  }

  /// Returns the text that draws the bar, or `nil` if it was drawn a moment ago.
  mutating func drawing(_ tally: BatchTally) -> String? {
    let now = SuspendingClock.now
    if let lastDrawn, now - lastDrawn < Self.least { return nil }
    lastDrawn = now
    isShown = true
    return "\r\u{1b}[K" + line(tally)
  }

  /// Returns the text that erases the bar, so that a message can be shown.
  mutating func clearing() -> String {
    guard isShown else { return "" }
    isShown = false
    lastDrawn = nil
    return "\r\u{1b}[K"
  }

  /// The bar as text that fits the terminal.
  func line(_ tally: BatchTally) -> String {
    let done = tally.files
    let seconds = max(tally.seconds, 1e-3)
    let worked = done - tally.finishedBefore
    var facts = [tally.rates(files: worked, seconds)]
    if let total, worked > 0, total >= done {
      facts.append(time(seconds / Double(worked) * Double(total - done)) + " left")
    }
    if tally[.failed] > 0 { facts.append("\(tally[.failed]) failed") }
    var text = (total.map { "\(done)/\($0)" } ?? "\(done)") + "  " + facts.joined(separator: "  ")
    let free = width - text.count - 4
    if let total, total > 0, free >= 10 {
      let cells = min(free, 30)
      let filled = min(cells * done / total, cells)
      text =
        "[" + String(repeating: "#", count: filled)
        + String(repeating: ".", count: cells - filled) + "] " + text
    }
    return String(text.prefix(max(width - 1, 1)))
  }

  private func time(_ seconds: Double) -> String {
    guard seconds < 360_000 else { return "days" }
    let whole = Int(seconds.rounded(.up))
    let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))"
      : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
  }
}
