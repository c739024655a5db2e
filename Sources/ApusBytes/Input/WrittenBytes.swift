// SPDX-License-Identifier: MIT

extension [UInt8] {
  /// Creates an array of the bytes that a closure writes, of which there are at most `capacity`.
  package init<Failure: Error>(
    capacity: Int, written write: (inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    // The standard initializer rethrows errors without their type.
    var failure: Failure?
    self = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      do throws(Failure) {
        try write(&output)
      } catch {
        failure = error
      }
      count = unsafe output.finalize(for: buffer)
    }
    if let failure { throw failure }
  }
}
