// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import RTMP

/// Receiving by TLS.
extension Connection {
  func shakeHands() {
    do throws(TLSError) {
      try tls?.shakeHands()
    } catch {
      // The peer is told the reason, as far as the kernel accepts it.
      flush()
      let error = SessionError(.security, error.description)
      loop.soon { self.lose(error) }
    }
  }

  func open(with tls: TLSSession) {
    let buffer = unsafe loop.scratch.opened
    while descriptor >= 0, closing == .none {
      let count: Int?
      do throws(TLSError) {
        count = try unsafe tls.open(into: buffer)
      } catch {
        return lose(SessionError(.security, error.description))
      }
      guard let count else { return lose(nil) }
      guard count > 0 else { return flush() }
      unsafe owner?.connectionReceived(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]).assumingMemoryBound(to: UInt8.self).span)
    }
  }
}
