// SPDX-License-Identifier: MIT

internal import Glibc

/// State behind one lock, with a way to wait until it changes.
@safe final class Monitor<State: ~Copyable>: @unchecked Sendable {
  // Reached only by a thread that holds the lock, which is why the class may be shared.
  private var state: State
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: consuming State) {
    self.state = state
    unsafe pthread_mutex_init(lock, nil)
    unsafe pthread_cond_init(change, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(lock)
    unsafe change.deallocate()
    unsafe lock.deallocate()
  }

  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&state)
  }

  /// Like `withLock`, and wakes whoever waits.
  func change<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(change)
      unsafe pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Asks until there is an answer; between two questions somebody changed the state.
  func wait<Result>(_ answer: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let result = answer(&state) { return result }
      unsafe pthread_cond_wait(change, lock)
    }
  }
}
