// SPDX-License-Identifier: MIT

import Glibc

/// A line on a terminal with the progress of a long job, which is cleared for other lines.
final class StatusLine {
  /// Whether the line is shown on a terminal.
  let isShowing: Bool
  private let console: Console
  private let width: Int
  private var isShown = false

  init(_ console: Console, isWanted: Bool) {
    self.console = console
    isShowing = isWanted && !console.quiet && isatty(STDERR_FILENO) == 1
    width = Terminal.width(of: STDERR_FILENO)
  }

  /// The nanoseconds between updates, on a terminal or for other listeners.
  var interval: Int64 { isShowing ? 250_000_000 : 1_000_000_000 }

  func show(_ line: String) {
    guard isShowing else { return }
    isShown = true
    console.show("\r\u{1b}[K" + String(line.prefix(max(width - 1, 1))))
  }

  func clear() {
    guard isShown else { return }
    isShown = false
    console.show("\r\u{1b}[K")
  }
}
