// SPDX-License-Identifier: MIT

internal import Synchronization

/// Memory with code and constants of the program and its libraries, which are in files and can be read again.
///
/// libavcodec depends on some 150 libraries, and the memory that the dynamic linker touches in them is larger than a
/// photo. A program may want to release it; a library within another program's process must not do that on its own. So
/// nothing happens unless the program sets a function for it.
public enum CodeMemory {
  private static let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the function that releases the memory: it is called before and after libraries are opened, and by photo jobs
  /// before the first large picture is decoded and when a second photo comes.
  public static func onRelease(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  /// Calls the function that was set, if any.
  public static func release() { hook.withLock { $0 }?() }
}
