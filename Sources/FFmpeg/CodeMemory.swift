// SPDX-License-Identifier: MIT

internal import Synchronization

/// Memory that holds code and constants of the program and its libraries, which are in files and can be read again.
///
/// Some 150 libraries come along with libavcodec, and what the dynamic linker touches of them takes more memory than a
/// photo does. A program of its own may want that given back; one that shares its process must not have it done by a
/// library. So nothing happens unless the program says what shall.
public enum CodeMemory {
  private static let hook = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what gives the memory back: called before and after libraries are opened, and by photo jobs before the first
  /// large picture is decoded and when a second photo comes.
  public static func onRelease(_ body: @escaping @Sendable () -> Void) {
    hook.withLock { $0 = body }
  }

  /// Calls what was set, if anything was.
  public static func release() { hook.withLock { $0 }?() }
}
