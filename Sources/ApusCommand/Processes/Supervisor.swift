// SPDX-License-Identifier: MIT

import ApusFiles
import ApusThreads
import Glibc

/// Reports to systemd the state of a service that it started with `Type=notify`.
enum Supervisor {
  static func tell(_ state: String) {
    guard let path = Terminal.environment("NOTIFY_SOCKET"), !path.isEmpty else { return }
    sendDatagram(state, toPath: path)
  }

  /// Says that the service lives, from the loop whose turning shows it.
  static func live() {
    if Terminal.environment("WATCHDOG_USEC") != nil { tell("WATCHDOG=1") }
  }

  /// Says again and again that the service lives, where systemd wants to know.
  static func watch() {
    guard let text = Terminal.environment("WATCHDOG_USEC"), let microseconds = UInt64(text),
      microseconds > 0
    else { return }
    _ = Thread.start {
      while true {
        tell("WATCHDOG=1")
        usleep(useconds_t(clamping: min(microseconds / 2, 60_000_000)))
      }
    }
  }
}
