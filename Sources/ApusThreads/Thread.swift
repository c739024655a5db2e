// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A system thread that its owner joins.
package struct Thread: Sendable {
  /// The system's handle, which is a number or a pointer.
  private let handle: UInt

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread; `nil` if none could be created.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let argument = unsafe Unmanaged.passRetained(Body(body))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        // Darwin passes a pointer that is never absent.
        let argument: UnsafeMutableRawPointer? = unsafe argument
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return nil
    }
    #if canImport(Glibc)
      handle = thread
    #else
      handle = unsafe UInt(bitPattern: thread)
    #endif
  }

  /// Waits for the end of the thread; call it once.
  package func join() {
    #if canImport(Glibc)
      pthread_join(handle, nil)
    #else
      if let thread = unsafe pthread_t(bitPattern: handle) { unsafe pthread_join(thread, nil) }
    #endif
  }

  /// Starts a thread that is never joined. Returns whether it could be created.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = Thread(body) else { return false }
    #if canImport(Glibc)
      pthread_detach(thread.handle)
    #else
      if let thread = unsafe pthread_t(bitPattern: thread.handle) { unsafe pthread_detach(thread) }
    #endif
    return true
  }
}
