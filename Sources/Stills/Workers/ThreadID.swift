// SPDX-License-Identifier: MIT

internal import Glibc

/// Which thread it is.
struct ThreadID: Hashable, Sendable {
  private let handle = pthread_self()

  /// The thread that asks.
  static var current: ThreadID { ThreadID() }
}
