// SPDX-License-Identifier: MIT

import Glibc

/// One line on a terminal that tells how a long job goes, and makes way for other lines.
final class StatusLine {
  /// Whether there is a terminal that wants it.
  let isShowing: Bool
  private let console: Console
  private let width: Int
  private var isShown = false

  init(_ console: Console, isWanted: Bool) {
    self.console = console
    isShowing = isWanted && !console.quiet && isatty(STDERR_FILENO) == 1
    width = Terminal.width(of: STDERR_FILENO)
  }

  /// Nanoseconds after which it should be shown again; where there is no terminal, after which others want to know.
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
