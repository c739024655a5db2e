// SPDX-License-Identifier: MIT

/// Memory that all connections of a loop share for reading and writing, one after the other, so that an idle connection
/// needs none.
@safe final class Scratch {
  /// The bytes received from a socket, at most as many as a connection may read in one turn.
  let received: UnsafeMutableRawBufferPointer
  /// The bytes decrypted by TLS.
  let opened: UnsafeMutableRawBufferPointer
  /// The memory of empty queues.
  var spares: [[UInt8]] = []

  init() {
    unsafe received = .allocate(byteCount: 1 << 18, alignment: 64)
    unsafe opened = .allocate(byteCount: 1 << 16, alignment: 64)
  }

  deinit {
    unsafe received.deallocate()
    unsafe opened.deallocate()
  }
}
