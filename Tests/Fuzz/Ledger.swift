// SPDX-License-Identifier: MIT

import Glibc

/// What a decoder took to decode: processor time of this thread, and memory at its highest above where it began. The
/// sanitizer calls `took` and `gave` for everything that is allocated.
enum Ledger {
  private nonisolated(unsafe) static var held = 0
  private nonisolated(unsafe) static var peak = 0

  /// Begins to count; once.
  static func open() -> Bool {
    unsafe installHooks(
      { _, size in
        unsafe Ledger.held &+= size
        unsafe Ledger.peak = max(Ledger.peak, Ledger.held)
      },
      { address in if let address = unsafe address { unsafe Ledger.held &-= sizeOf(address) } })
      > 0
  }

  static func measure(_ body: () throws -> Void) rethrows -> (seconds: Double, bytes: Int) {
    let before = unsafe held
    unsafe peak = before
    let start = seconds()
    try body()
    return (seconds() - start, unsafe peak - before)
  }

  private static func seconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

@_silgen_name("__sanitizer_install_malloc_and_free_hooks")
private func installHooks(
  _ took: @convention(c) (UnsafeRawPointer?, Int) -> Void,
  _ gave: @convention(c) (UnsafeRawPointer?) -> Void
) -> CInt

@_silgen_name("__sanitizer_get_allocated_size")
private func sizeOf(_ address: UnsafeRawPointer) -> Int
