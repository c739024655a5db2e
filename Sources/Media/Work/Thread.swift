// SPDX-License-Identifier: MIT

internal import Glibc

/// A thread, which somebody waits for.
public struct Thread: Sendable {
  private let handle: UInt

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// `nil` where none could be made.
  public init?(_ body: @escaping @Sendable () -> Void) {
    let argument = unsafe Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return nil
    }
    handle = thread
  }

  /// Returns when it has ended; called once.
  public func join() { pthread_join(handle, nil) }

  /// Starts one that nobody waits for. Returns whether it could be made.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = Thread(body) else { return false }
    pthread_detach(thread.handle)
    return true
  }
}
