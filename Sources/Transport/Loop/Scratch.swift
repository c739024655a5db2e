// SPDX-License-Identifier: MIT

/// Memory that all connections of a loop read into, one after the other, so that an idle one needs none.
@safe final class Scratch {
  /// As it comes from a socket. How much a connection may have read before others have their turn.
  let received: UnsafeMutableRawBufferPointer
  /// As it comes out of TLS.
  let opened: UnsafeMutableRawBufferPointer

  init() {
    unsafe received = .allocate(byteCount: 1 << 18, alignment: 64)
    unsafe opened = .allocate(byteCount: 1 << 16, alignment: 64)
  }

  deinit {
    unsafe received.deallocate()
    unsafe opened.deallocate()
  }
}
