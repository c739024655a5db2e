// SPDX-License-Identifier: MIT

internal import Glibc

/// The identity of a thread.
struct ThreadID: Hashable, Sendable {
  private let handle = pthread_self()

  /// The calling thread.
  static var current: ThreadID { ThreadID() }
}
