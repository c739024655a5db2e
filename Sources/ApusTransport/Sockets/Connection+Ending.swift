// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import CApusSockets
internal import Glibc
internal import RTMP

/// The ways in which a connection ends: properly, at once, or by the peer.
extension Connection {
  /// Sends everything queued, tells the peer, waits for it to close, and closes. Then the owner is notified.
  func finish() {
    guard closing == .none, descriptor >= 0 else { return }
    closing = .flushing
    guard isOpen, !isBroken else { return loop.soon { self.lose(nil) } }
    flush()
    if queued == 0 { endSending() }
  }

  func endSending() {
    guard closing == .flushing, descriptor >= 0 else { return }
    closing = .waiting
    tls?.close()
    flush()
    shutdown(descriptor, Int32(SHUT_WR))
    closingTimer = loop.after(settings.closing) { [weak self] in self?.lose(nil) }
  }

  /// Closes at once, without a report.
  func close() {
    guard descriptor >= 0 else { return }
    loop.remove(descriptor)
    Glibc.close(descriptor)
    descriptor = -1
    owner = nil
    if let closingTimer { loop.cancel(closingTimer) }
    if let progressTimer { loop.cancel(progressTimer) }
  }

  func lose(_ error: SessionError?) {
    guard descriptor >= 0, let owner else { return }
    let closing = closing
    close()
    switch closing {
    case .none: owner.connectionLost(error)
    case .flushing:
      owner.connectionClosed(
        error
          ?? SessionError(.closed, "\(settings.peer) closed the connection before all was sent"))
    case .waiting: owner.connectionClosed(nil)
    }
  }

  /// Checks from time to time whether the peer's TCP acknowledges the data under way.
  func watchProgress() {
    progressTimer = loop.after(max(settings.silence / 4, .milliseconds(1))) { [weak self] in
      guard let self, descriptor >= 0 else { return }
      let held = max(Int(apus_socket_queue(descriptor, 0)), 0)
      let now = loop.now
      if held + queued == 0 || taken - held != progress.acknowledged || !isOpen {
        progress = Progress(acknowledged: taken - held, time: now)
      } else if .nanoseconds(now - progress.time) >= settings.silence {
        return lose(
          SessionError(
            .deadline,
            "\(settings.peer) accepted no data for \(settings.silence.text), with "
              + "\(held + queued) bytes pending; the network or the peer hangs"))
      }
      watchProgress()
    }
  }
}
