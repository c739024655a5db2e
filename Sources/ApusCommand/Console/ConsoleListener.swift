// SPDX-License-Identifier: MIT

import Synchronization

/// Collects the messages of a verb instead of standard error.
final class ConsoleListener: Sendable {
  private let heard = Mutex<[String]>([])

  var messages: [String] { heard.withLock { $0 } }

  func hear(_ message: String) { heard.withLock { $0.append(message) } }
}
