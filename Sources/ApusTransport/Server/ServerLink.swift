// SPDX-License-Identifier: MIT

internal import ApusTLS
package import FLV
package import RTMP

/// A client of a listener. Its loop keeps it alive up to its last event.
package final class ServerLink {
  /// The number of the link, counting up from 1 for each listener.
  package let id: Int
  /// The client's address and port.
  package let peer: String
  package private(set) var session: ServerSession

  private let loop: EventLoop
  private let deadlines: ListenerOptions.Deadlines
  private let onEvent: (ServerLink, ServerLinkEvent) -> Void
  /// The status sent to the client instead of its stream; `nil` if there is room for it.
  private let refusal: Status?
  private var connection: Connection?
  private var deadline: TimerID?
  private var isOver = false
  /// The reason why the session ended, until the socket is closed too.
  private var reason: SessionError?
  /// The number of bytes received when the publisher was last checked, and whether it was asked to answer since.
  private(set) var silence = (received: 0, isAsked: false)

  init(
    id: Int, peer: String, _ configuration: ServerConfiguration, _ options: ListenerOptions,
    refusal: Status?, on loop: EventLoop,
    _ onEvent: @escaping (ServerLink, ServerLinkEvent) -> Void
  ) {
    self.id = id
    self.peer = peer
    self.loop = loop
    self.onEvent = onEvent
    self.refusal = refusal
    deadlines = options.deadlines
    session = ServerSession(configuration)
  }

  /// Takes over the socket.
  func begin(_ descriptor: Int32, _ tls: TLSSession?, notSentLowWater: Int) {
    let settings = ConnectionSettings(
      peer: "the client \(peer)", notSentLowWater: notSentLowWater, silence: deadlines.stall,
      closing: deadlines.closing)
    let connection = Connection(descriptor, tls, settings, on: loop, owner: self)
    self.connection = connection
    connection.isReading = isReading
    expectRequest()
    connection.begin()
    onEvent(self, .opened)
  }

  /// Accepts the request.
  package func accept() {
    guard session.state == .waiting else { return }
    perform(session.accept())
  }

  /// Refuses the request, and closes.
  package func refuse(_ status: Status) { perform(session.refuse(status)) }

  /// Sends tags to a player, all in one system call if the socket accepts them.
  package func send(_ tags: [OutgoingTag]) throws(SessionError) {
    guard let connection, !isOver else {
      throw SessionError(.misuse, "a tag cannot be sent while there is no connection")
    }
    try connection.write(tags) { tag, output throws(SessionError) in
      try session.append(tag, to: &output)
    }
    countHeld()
  }

  package func ping(_ time: UInt32) { perform(session.ping(time)) }

  /// Asks the client to reconnect elsewhere; `nil` for the same address.
  package func requestReconnect(to target: String?, because text: String) {
    perform(session.requestReconnect(to: target, because: text))
  }

  /// The number of bytes that the kernel has not accepted yet.
  package var queued: Int { connection?.queued ?? 0 }

  /// The sum of `queued` and the bytes that the kernel has not sent yet. If it is above the low-water mark, `drained`
  /// will follow.
  package var unsent: Int { connection?.unsent ?? 0 }

  /// The round-trip time to the client in microseconds, as measured by the kernel.
  package var roundTrip: Duration? { connection?.roundTrip }

  /// Whether tags are read. Otherwise TCP slows the client down.
  package var isReading = true {
    didSet { settle() }
  }

  /// Ends the stream, sends everything queued, and closes; `ended` follows.
  package func end() {
    guard !isOver else { return }
    perform(session.end())
  }

  /// Closes at once. No events follow.
  package func abort() {
    guard !isOver else { return }
    isOver = true
    if let deadline { loop.cancel(deadline) }
    connection?.close()
    connection = nil
    countHeld()
    onRelease?()
  }

  /// Called once, when the connection is gone.
  var onRelease: (() -> Void)?

  // MARK: Memory

  /// Called with the change of `held`.
  var onHeld: ((Int) -> Void)?
  /// The number of bytes it holds: of incomplete messages, and of data that the client has not accepted.
  private(set) var held = 0

  private func countHeld() {
    let now = isOver ? 0 : session.pending + queued
    guard now != held else { return }
    let change = now - held
    held = now
    onHeld?(change)
  }

  /// Whether the client has no stream, and has requested none.
  var isIdle: Bool {
    switch session.state {
    case .handshake, .connect, .idle: refusal == nil
    case .waiting, .publishing, .playing, .ended: false
    }
  }

  /// Closes at once, because others need its resources.
  func giveWay(_ words: String) { finish(SessionError(.limit, words)) }

  // MARK: Deadlines

  private func set(_ limit: Duration?, _ body: @escaping (ServerLink) -> Void) {
    if let deadline { loop.cancel(deadline) }
    deadline = limit.map { time in
      loop.after(time) { [weak self] in
        guard let self, !isOver else { return }
        body(self)
      }
    }
  }

  private func expectRequest() {
    let limit = deadlines.request
    set(limit) { link in
      let time = limit.text
      link.finish(
        SessionError(.deadline, "the client \(link.peer) asked for no stream within \(time)"))
    }
  }

  /// Checks twice within the time that a publisher may be silent, and asks it to answer the first time.
  private func expectBytes() {
    let limit = deadlines.silence
    set(limit / 2) { link in
      let received = link.connection?.received ?? 0
      if received != link.silence.received || !link.isReading {
        link.silence = (received, false)
      } else if link.silence.isAsked {
        let time = limit.text
        return link.finish(
          SessionError(.deadline, "nothing came from the client \(link.peer) for \(time)"))
      } else {
        link.silence.isAsked = true
        link.ping(UInt32(truncatingIfNeeded: link.loop.now / 1_000_000))
        guard !link.isOver else { return }
      }
      link.expectBytes()
    }
  }

  // MARK: Actions

  private func perform(_ actions: [ServerAction]) {
    for case .send(let bytes) in actions { connection?.answer(bytes) }
    connection?.flush()
    for action in actions {
      guard !isOver else { return }
      switch action {
      case .send: break
      case .state(let state): enter(state)
      case .request(let request):
        if let refusal { refuse(refusal) } else { onEvent(self, .request(request)) }
      case .tag(let tag): onEvent(self, .tag(tag))
      case .pong(let time): onEvent(self, .pong(time))
      case .streamEnded: onEvent(self, .streamEnded)
      case .close(let error):
        reason = error
        if let connection { connection.finish() } else { finish(error) }
      }
    }
  }

  private func enter(_ state: ServerState) {
    switch state {
    case .handshake, .connect: break
    case .idle: expectRequest()
    case .publishing:
      silence = (connection?.received ?? 0, false)
      expectBytes()
    case .waiting, .playing, .ended: set(nil) { _ in }
    }
    settle()
    onEvent(self, .state(state))
  }

  /// Stops reading while a request is waiting.
  private func settle() {
    let isReading = isReading && session.state != .waiting
    if let connection, connection.isReading != isReading { connection.isReading = isReading }
  }

  /// Reports the last event.
  private func finish(_ error: SessionError?) {
    guard !isOver else { return }
    abort()
    onEvent(self, .ended(error))
  }
}

extension ServerLink: ConnectionOwner {
  /// Does nothing, because the client sends first.
  func connectionOpened() {}

  func connectionReceived(_ bytes: Span<UInt8>) {
    perform(session.receive(bytes))
    countHeld()
  }

  func connectionDrained() {
    countHeld()
    onEvent(self, .drained)
  }

  func connectionLost(_ error: SessionError?) {
    connection = nil
    if let error { return finish(error) }
    perform(session.disconnected())
  }

  func connectionClosed(_ error: SessionError?) {
    connection = nil
    finish(reason ?? error)
  }
}
