// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// State protected by a lock, with a way to wait for changes.
@safe package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  // Accessed only by a thread that holds the lock, which is why the class may be shared.
  @usableFromInline var state: State
  @usableFromInline let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ state: consuming State) {
    self.state = state
    unsafe pthread_mutex_init(lock, nil)
    #if canImport(Darwin)
      unsafe pthread_cond_init(change, nil)
    #else
      // Uses the clock of `MonotonicTime`.
      var attributes = pthread_condattr_t()
      unsafe pthread_condattr_init(&attributes)
      unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      unsafe pthread_cond_init(change, &attributes)
      unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(lock)
    unsafe change.deallocate()
    unsafe lock.deallocate()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(&state)
  }

  /// Does what `withLock` does, and wakes waiting threads.
  @inlinable
  package func change<Result>(_ body: (inout State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(change)
      unsafe pthread_mutex_unlock(lock)
    }
    return body(&state)
  }

  /// Waits until a closure returns a result; it is called again after each change of the state.
  @inlinable
  package func wait<Result>(_ answer: (inout State) -> Result?) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let result = answer(&state) { return result }
      unsafe pthread_cond_wait(change, lock)
    }
  }

  /// Waits until a closure returns a result, or until a time of `MonotonicTime`, when it returns `nil`.
  package func wait<Result>(until time: Int64, _ answer: (inout State) -> Result?) -> Result? {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    while true {
      if let result = answer(&state) { return result }
      let now = MonotonicTime.now
      guard now < time else { return nil }
      #if canImport(Darwin)
        var left = Self.span(max(time &- now, 0))
        _ = unsafe pthread_cond_timedwait_relative_np(change, lock, &left)
      #else
        var end = Self.span(time)
        _ = unsafe pthread_cond_timedwait(change, lock, &end)
      #endif
    }
  }

  private static func span(_ nanoseconds: Int64) -> timespec {
    var result = timespec()
    result.tv_sec = time_t(nanoseconds / 1_000_000_000)
    result.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return result
  }
}
