// SPDX-License-Identifier: MIT

internal import ApusThreads
internal import Synchronization

/// An event loop on its own thread, for handles that any task may use.
package final class LoopThread: Sendable {
  package let loop: EventLoop
  private let isOver = Mutex(false)

  package init() throws(TransportError) { loop = try EventLoop() }

  /// Runs the loop until it is stopped, and then calls `onEnd` on the same thread.
  package func start(_ onEnd: @escaping @Sendable () -> Void) throws(TransportError) {
    let isStarted = Thread.start { [self] in
      loop.run()
      isOver.withLock {
        $0 = true
        loop.takeMail()
      }
      onEnd()
    }
    guard isStarted else { throw TransportError("cannot start a thread") }
  }

  /// Calls `body` on the loop's thread, or at once if the loop has ended.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    isOver.withLock { if $0 { body() } else { loop.perform(body) } }
  }

  /// Returns a value that only the loop's thread may read.
  package func value<Value: Sendable>(_ read: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: read()) }
    }
  }
}
