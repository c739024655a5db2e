// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import CApusSockets
internal import FLV
internal import Glibc
internal import RTMP

/// An open socket with or without TLS: receives bytes, and sends bytes as fast as the peer accepts them.
@safe final class Connection: Watching {
  /// Whether the owner wants to receive bytes.
  var isReading = true {
    didSet { settle() }
  }
  /// The number of bytes received, including those of TLS.
  private(set) var received = 0
  /// The number of bytes that the kernel accepted, including those of TLS.
  private(set) var taken = 0
  private(set) var systemCalls = 0

  let loop: EventLoop
  let settings: ConnectionSettings
  var owner: (any ConnectionOwner)?
  var descriptor: Int32
  let tls: TLSSession?
  private var plain = OutputQueue()
  private var sealed = OutputQueue()
  /// The number of queued bytes that answer the peer, which a peer could otherwise increase without limit.
  private var answers = 0
  private var awaitsDrain = false
  /// Whether nothing can be sent any more.
  var isBroken = false
  var closing = Closing.none
  var closingTimer: TimerID?
  var progress = Progress()
  var progressTimer: TimerID?

  enum Closing {
    case none
    /// Sending the queue first.
    case flushing
    /// The peer was told that nothing more comes.
    case waiting
  }

  struct Progress {
    var acknowledged = 0
    var time: Int64 = 0
  }

  /// The size of unread answers above which a peer's input is ignored until it reads them.
  private static let maxAnswers = 1 << 18
  /// The number of bytes that are encrypted ahead of what the kernel accepts.
  private static let maxSealed = 1 << 17

  /// Takes over a connected, non-blocking socket.
  init(
    _ descriptor: Int32, _ tls: TLSSession?, _ settings: ConnectionSettings, on loop: EventLoop,
    owner: any ConnectionOwner
  ) {
    self.descriptor = descriptor
    self.tls = tls
    self.settings = settings
    self.loop = loop
    self.owner = owner
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Starts receiving and, for a client with TLS, the handshake.
  func begin() {
    if settings.noDelay { option(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }
    option(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, Int32(clamping: settings.notSentLowWater))
    option(SOL_SOCKET, SO_KEEPALIVE, 1)
    option(Int32(IPPROTO_TCP), TCP_KEEPIDLE, 30)
    option(Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10)
    let code = loop.add(descriptor, self, .readable)
    guard code == 0 else {
      let reason = TransportError.reason(code)
      return loop.soon { self.lose(SessionError(.network, "cannot wait for a socket: \(reason)")) }
    }
    progress.time = loop.now
    watchProgress()
    if tls == nil {
      loop.soon { self.owner?.connectionOpened() }
    } else {
      shakeHands()
      flush()
    }
  }

  private func option(_ level: Int32, _ name: Int32, _ value: Int32) {
    // A socket works without these options, only less well.
    _ = apus_set_option(descriptor, level, name, value)
  }

  // MARK: Out

  /// The number of bytes that the kernel has not accepted yet.
  var queued: Int { plain.count + sealed.count }

  /// The sum of `queued` and the bytes that the kernel has not sent yet. Above the low-water mark the owner is notified
  /// when it is drained.
  var unsent: Int {
    guard descriptor >= 0 else { return queued }
    let held = max(Int(apus_socket_queue(descriptor, 1)), 0)
    if held >= settings.notSentLowWater, !awaitsDrain {
      awaitsDrain = true
      settle()
    }
    return queued + held
  }

  var roundTrip: Duration? {
    guard descriptor >= 0 else { return nil }
    let time = apus_round_trip(descriptor)
    return time > 0 ? .microseconds(time) : nil
  }

  /// Appends tags to the queue, and sends as much as the kernel accepts. If a tag cannot be appended completely, the
  /// peer lacks bytes on which the next ones depend, which ends the connection.
  func write(
    _ tags: [OutgoingTag],
    _ append: (OutgoingTag, inout [UInt8]) throws(SessionError) -> Void
  ) throws(SessionError) {
    plain.borrow(from: &loop.scratch.spares)
    do throws(SessionError) {
      try plain.append { output throws(SessionError) in
        for tag in tags {
          let end = output.count
          do throws(SessionError) {
            try append(tag, &output)
          } catch {
            output.removeLast(output.count - end)
            throw error
          }
        }
      }
    } catch {
      flush()
      if error.kind != .misuse { breakDown(error) }
      throw error
    }
    flush()
  }

  /// Sends bytes of the protocol itself.
  func answer(_ bytes: [UInt8]) {
    plain.append { $0 += bytes }
    answers += bytes.count
  }

  func flush() {
    guard descriptor >= 0 else { return }
    while !isBroken {
      seal()
      let isSealing = tls != nil
      let waiting = isSealing ? sealed.count : plain.count
      guard waiting > 0 else { break }
      let count = unsafe (isSealing ? sealed : plain).withBytes { bytes in
        unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      systemCalls += 1
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        if code != EAGAIN { breakDown(broken(code)) }
        break
      }
      taken += count
      if isSealing { sealed.drop(count) } else { plain.drop(count) }
      if count < waiting { break }
    }
    if isBroken {
      plain.clear()
      sealed.clear()
    }
    plain.giveBack(to: &loop.scratch.spares)
    sealed.giveBack(to: &loop.scratch.spares)
    if queued == 0 { answers = 0 } else if isOpen { awaitsDrain = true }
    settle()
  }

  var isOpen: Bool { tls?.isOpen ?? true }

  /// Encrypts plain bytes, no more than the kernel may accept next.
  private func seal() {
    guard let tls else { return }
    do throws(TLSError) {
      while tls.isOpen, !plain.isEmpty, sealed.count < Self.maxSealed {
        let count = try unsafe plain.withBytes { bytes throws(TLSError) in
          try unsafe tls.seal(bytes)
        }
        guard count > 0 else { break }
        plain.drop(count)
        sealed.append { tls.moveSealed(into: &$0) }
      }
      sealed.append { tls.moveSealed(into: &$0) }
    } catch {
      breakDown(SessionError(.security, error.description))
    }
  }

  /// Stops sending; data that the peer sent before are still read.
  private func breakDown(_ error: SessionError?) {
    isBroken = true
    loop.soon { [self] in
      for _ in 0..<64 where descriptor >= 0 { read() }
      lose(error)
    }
  }

  /// Sets the events to wait for.
  private func settle() {
    guard descriptor >= 0 else { return }
    var interest = Readiness()
    if (isReading && answers < Self.maxAnswers) || closing != .none || !isOpen {
      interest.insert(.readable)
    }
    if awaitsDrain || (tls != nil && !sealed.isEmpty) { interest.insert(.writable) }
    if loop.change(descriptor, to: interest) { systemCalls += 1 }
  }

  // MARK: In

  func became(_ readiness: Readiness) {
    if readiness.contains(.writable) {
      flush()
      if queued == 0, awaitsDrain {
        awaitsDrain = false
        settle()
        if closing == .none { owner?.connectionDrained() } else { endSending() }
      }
    }
    if !readiness.isDisjoint(with: [.readable, .hungUp]), descriptor >= 0 { read() }
  }

  /// Reads once, so that others get their turn.
  private func read() {
    let buffer = unsafe loop.scratch.received
    let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 {
      received += count
      if closing == .none { unsafe deliver(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return
    }
    let code = errno
    if count == 0 { return lose(nil) }
    if code == EAGAIN || code == EINTR { return }
    lose(broken(code))
  }

  /// Returns the error; `nil` if the peer closed without waiting for data still under way.
  private func broken(_ code: Int32) -> SessionError? {
    if code == ECONNRESET || code == EPIPE { return nil }
    let reason = TransportError.reason(code)
    return SessionError(.network, "the connection to \(settings.peer) broke: \(reason)")
  }

  private func deliver(_ bytes: UnsafeRawBufferPointer) {
    guard let tls else {
      unsafe owner?.connectionReceived(bytes.assumingMemoryBound(to: UInt8.self).span)
      return
    }
    do throws(TLSError) {
      try unsafe tls.receive(bytes)
    } catch {
      return lose(SessionError(.security, error.description))
    }
    if !tls.isOpen {
      shakeHands()
      flush()
      guard tls.isOpen, descriptor >= 0 else { return }
      owner?.connectionOpened()
    }
    open(with: tls)
  }
}
