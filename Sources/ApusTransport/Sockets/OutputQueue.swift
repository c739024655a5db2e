// SPDX-License-Identifier: MIT

/// Bytes that wait until the kernel accepts them.
struct OutputQueue {
  private(set) var bytes: [UInt8] = []
  private(set) var start = 0

  /// The amount of memory that an empty queue keeps for the next bytes.
  private static let kept = 1 << 20

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  /// Takes the memory of another queue that no longer needs it, if this one has none.
  mutating func borrow(from spares: inout [[UInt8]]) {
    if bytes.capacity == 0, let spare = spares.popLast() { bytes = spare }
  }

  /// Returns the memory of an empty queue for the next one that needs some.
  mutating func giveBack(to spares: inout [[UInt8]]) {
    guard isEmpty, bytes.capacity > 0 else { return }
    clear()
    if spares.count < Self.mostSpares, bytes.capacity > 0 { spares.append(bytes) }
    bytes = []
  }

  private static let mostSpares = 4

  mutating func append<Failure>(_ fill: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
    if start > 0, 2 * start >= bytes.count {
      bytes.removeFirst(start)
      start = 0
    }
    try fill(&bytes)
  }

  /// Removes the first bytes, which were accepted.
  mutating func drop(_ count: Int) {
    start += count
    if start == bytes.count { clear() }
  }

  mutating func clear() {
    start = 0
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
  }

  borrowing func withBytes<Result, Failure>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = start
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[start...])))
    }
  }
}
