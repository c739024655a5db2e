// SPDX-License-Identifier: MIT

import Synchronization

/// Keeps the values of an input until the next one. The last ones are never freed: freeing a tree of a million boxes takes
/// a tenth of the time of reading it.
enum LastValues {
  /// Whether the process ends with the command; in a library its memory belongs to the host.
  private static let isEnding = Atomic(false)
  private static let kept = Mutex<[any Sendable]>([])

  /// Declares that the process ends with the command.
  static func leave() { isEnding.store(true, ordering: .relaxed) }

  static func keep(_ value: any Sendable) {
    guard isEnding.load(ordering: .relaxed) else { return }
    kept.withLock { $0.append(value) }
  }

  /// Frees the values, because another input follows.
  static func forget() { kept.withLock { $0 = [] } }
}
