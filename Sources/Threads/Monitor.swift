// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// State behind one lock, with a way to wait until it changes.
@safe public final class Monitor<State: ~Copyable>: @unchecked Sendable {
  // Reached only by a thread that holds the lock, which is why the class may be shared.
  @usableFromInline var state: State
  @usableFromInline let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  public init(_ state: consuming State) {
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

  @inlinable
  public func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&state)
  }

  /// Does what `withLock` does, and wakes the threads that wait.
  @inlinable
  public func change<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(change)
      unsafe pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Asks until there is an answer; between two questions a thread has changed the state.
  @inlinable
  public func wait<Result>(_ answer: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let result = answer(&state) { return result }
      unsafe pthread_cond_wait(change, lock)
    }
  }
}
