// SPDX-License-Identifier: MIT

import Synchronization

/// What an input came to, kept until the next one comes. That of the last one is left to the end of the process: to take a
/// tree of a million boxes apart takes a tenth of the time that reading it does.
enum LastValues {
  /// Whether the process ends with the command; where the command runs in a library its memory belongs to the host.
  private static let isEnding = Atomic(false)
  private static let kept = Mutex<[any Sendable]>([])

  /// The process ends with the command.
  static func leave() { isEnding.store(true, ordering: .relaxed) }

  static func keep(_ value: any Sendable) {
    guard isEnding.load(ordering: .relaxed) else { return }
    kept.withLock { $0.append(value) }
  }

  /// Another input follows.
  static func forget() { kept.withLock { $0 = [] } }
}
