// SPDX-License-Identifier: MIT

internal import ApusTLS
public import FLV
public import RTMP

/// One client of a listener. It is kept by its loop up to its last event.
public final class ServerLink {
  /// Counts up from 1, for each listener.
  public let id: Int
  /// The client's address and port.
  public let peer: String
  public private(set) var session: ServerSession

  private let loop: EventLoop
  private let deadlines: ListenerOptions.Deadlines
  private let onEvent: (ServerLink, ServerLinkEvent) -> Void
  /// What the client hears instead of getting its stream; `nil` where there is room for it.
  private let refusal: Status?
  private var connection: Connection?
  private var deadline: TimerID?
  private var isOver = false
  /// Why the session ended, until the socket is closed too.
  private var reason: SessionError?
  /// How many bytes had come when the publisher was looked at last, and whether it was asked to answer since.
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
      goodbye: deadlines.goodbye)
    let connection = Connection(descriptor, tls, settings, on: loop, owner: self)
    self.connection = connection
    connection.isReading = isReading
    expectRequest()
    connection.begin()
    onEvent(self, .opened)
  }

  /// Says yes to the request.
  public func accept() {
    guard session.state == .waiting else { return }
    perform(session.accept())
  }

  /// Says no, and closes.
  public func refuse(_ status: Status) { perform(session.refuse(status)) }

  /// Sends tags to a player, all in one system call where the socket takes them.
  public func send(_ tags: [OutgoingTag]) throws(SessionError) {
    guard let connection, !isOver else {
      throw SessionError(.misuse, "a tag cannot be sent while there is no connection")
    }
    try connection.write(tags) { tag, output throws(SessionError) in
      try session.append(tag, to: &output)
    }
    countHeld()
  }

  public func ping(_ time: UInt32) { perform(session.ping(time)) }

  /// Asks the client to go elsewhere; `nil` for the same address.
  public func requestReconnect(to target: String?, because text: String) {
    perform(session.requestReconnect(to: target, because: text))
  }

  /// Bytes that were given and that the kernel has not taken yet.
  public var queued: Int { connection?.queued ?? 0 }

  /// `queued`, and what the kernel has not sent yet. Where that is above the low-water mark, `drained` will come.
  public var unsent: Int { connection?.unsent ?? 0 }

  /// How long a segment takes to the client and back, in microseconds, as the kernel has measured it.
  public var roundTrip: Int64? { connection?.roundTrip }

  /// Whether tags are read. While they are not, TCP holds the client back.
  public var isReading = true {
    didSet { settle() }
  }

  /// Ends the stream, sends what is queued, closes; `ended` comes then.
  public func end() {
    guard !isOver else { return }
    perform(session.end())
  }

  /// Closes at once. No event comes any more.
  public func abort() {
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

  /// Called with the growth of `held` at each change.
  var onHeld: ((Int) -> Void)?
  /// How many bytes it holds: of messages that are not whole, and of what the client has not taken.
  private(set) var held = 0

  private func countHeld() {
    let now = isOver ? 0 : session.pending + queued
    guard now != held else { return }
    let change = now - held
    held = now
    onHeld?(change)
  }

  /// Whether the client has no stream, and has asked for none.
  var isIdle: Bool {
    switch session.state {
    case .handshake, .connect, .idle: refusal == nil
    case .waiting, .publishing, .playing, .ended: false
    }
  }

  /// Closes at once, because others need the room.
  func giveWay(_ words: String) { finish(SessionError(.limit, words)) }

  // MARK: Deadlines

  private func set(_ nanoseconds: Int64?, _ body: @escaping (ServerLink) -> Void) {
    if let deadline { loop.cancel(deadline) }
    deadline = nanoseconds.map { time in
      loop.after(time) { [weak self] in
        guard let self, !isOver else { return }
        body(self)
      }
    }
  }

  private func expectRequest() {
    let limit = deadlines.request
    set(limit) { link in
      let time = Duration.text(limit)
      link.finish(
        SessionError(.deadline, "the client \(link.peer) asked for no stream within \(time)"))
    }
  }

  /// Looks twice in the time that a publisher may be silent, and asks it to answer the first time.
  private func expectBytes() {
    let limit = deadlines.silence
    set(limit / 2) { link in
      let received = link.connection?.received ?? 0
      if received != link.silence.received || !link.isReading {
        link.silence = (received, false)
      } else if link.silence.isAsked {
        let time = Duration.text(limit)
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

  /// While a request waits nothing is read.
  private func settle() {
    let isReading = isReading && session.state != .waiting
    if let connection, connection.isReading != isReading { connection.isReading = isReading }
  }

  /// The last event.
  private func finish(_ error: SessionError?) {
    guard !isOver else { return }
    abort()
    onEvent(self, .ended(error))
  }
}

extension ServerLink: ConnectionOwner {
  /// The client speaks first.
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
