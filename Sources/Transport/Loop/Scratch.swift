// SPDX-License-Identifier: MIT

/// Memory that all connections of a loop read into and write from, one after the other, so that an idle one needs none.
@safe final class Scratch {
  /// The bytes as they come from a socket, at most as many as a connection may read before others have their turn.
  let received: UnsafeMutableRawBufferPointer
  /// The bytes as they come out of TLS.
  let opened: UnsafeMutableRawBufferPointer
  /// Memory of queues that are empty.
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
