// SPDX-License-Identifier: MIT

import Glibc

/// A thread that is joined.
struct Thread: ~Copyable {
  private var thread = pthread_t()

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  init(_ body: @escaping @Sendable () -> Void) {
    let argument = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    precondition(code == 0, "no thread")
  }

  consuming func join() { pthread_join(thread, nil) }
}
