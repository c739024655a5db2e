// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import ApusThreads
package import FLV
internal import Glibc
package import RTMP

/// An RTMP session of a client, with its sockets: resolves, connects, secures, drives the session, and connects again
/// if the session requests it. Its loop keeps it alive from `open` to its last event.
package final class ClientLink {
  package let configuration: ClientConfiguration
  package let options: ClientOptions
  package private(set) var session: ClientSession
  /// The address and port to which the connection was made.
  package private(set) var peer: String?

  private let loop: EventLoop
  private let onEvent: (ClientLink, ClientLinkEvent) -> Void
  private var connector: Connector?
  private var connection: Connection?
  private var context: TLSContext?
  private var addresses: [SocketAddress] = []
  private var deadline: TimerID?
  private var isOpen = false
  private var isOver = false
  /// The reason why the session ended, until the socket is closed too.
  private var reason: SessionError?
  private var attempts = 0
  /// The numbers of bytes and system calls of earlier connections.
  private var before = (bytes: 0, calls: 0)

  /// The most connections that any server should require: one plain retry, and two to sign in.
  private static let maxAttempts = 5

  package init(
    _ configuration: ClientConfiguration, _ options: ClientOptions = ClientOptions(),
    on loop: EventLoop, _ onEvent: @escaping (ClientLink, ClientLinkEvent) -> Void
  ) {
    self.configuration = configuration
    self.options = options
    self.loop = loop
    self.onEvent = onEvent
    session = ClientSession(configuration)
  }

  /// Starts connecting. Must be called once.
  package func open() {
    guard !isOpen, !isOver else { return }
    isOpen = true
    enter(.resolve)
    if configuration.address.scheme == .rtmps {
      do throws(TLSError) {
        context = try TLSContext(trusting: options.trust)
      } catch {
        let error = SessionError(.security, error.description)
        return loop.soon { self.finish(error) }
      }
    }
    options.resolve(configuration.address.host, configuration.address.port, loop) {
      self.react(to: $0)
    }
  }

  /// Sends tags, all in one system call if the socket accepts them; the rest is queued.
  package func send(_ tags: [OutgoingTag]) throws(SessionError) {
    guard let connection, !isOver else {
      throw SessionError(.misuse, "a tag cannot be sent while there is no connection")
    }
    try connection.write(tags) { tag, output throws(SessionError) in
      try session.append(tag, to: &output)
    }
  }

  /// Sends a ping; the server's `pong` returns the time.
  package func ping(_ time: UInt32) { perform(session.ping(time)) }

  /// The number of bytes that the kernel has not accepted yet.
  package var queued: Int { connection?.queued ?? 0 }

  /// The sum of `queued` and the bytes that the kernel has not sent yet. If it is above the low-water mark, `drained`
  /// will follow.
  package var unsent: Int { connection?.unsent ?? 0 }

  /// The round-trip time in microseconds, as measured by TCP.
  package var roundTrip: Duration? { connection?.roundTrip }

  /// The number of bytes that the kernel accepted, over all connections of this link.
  package var bytesSent: Int { before.bytes + (connection?.taken ?? 0) }

  /// The number of system calls used for sending.
  package var systemCalls: Int { before.calls + (connection?.systemCalls ?? 0) }

  /// Whether tags are read. Otherwise TCP slows the server down.
  package var isReading = true {
    didSet { connection?.isReading = isReading }
  }

  /// Sends the closing messages and everything queued, and closes; `ended` follows.
  package func end() {
    guard isOpen, !isOver else { return }
    if session.state == .idle { return loop.soon { self.finish(nil) } }
    perform(session.end())
  }

  /// Closes at once. No events follow.
  package func abort() {
    isOver = true
    drop()
    if let deadline { loop.cancel(deadline) }
  }

  // MARK: Stages

  private func enter(_ stage: ClientStage) {
    if let deadline { loop.cancel(deadline) }
    deadline = nil
    guard var limit = stage.deadline(options.deadlines) else { return }
    // This leaves time to try once more, plainly.
    if case .session(.connect) = stage, session.isEnhanced { limit /= 2 }
    deadline = loop.after(limit) { [weak self] in
      guard let self else { return }
      let actions = session.unanswered()
      guard actions.isEmpty else { return perform(actions) }
      finish(stage.error(configuration.address, after: limit))
    }
  }

  private func react(to outcome: Resolver.Outcome) {
    guard !isOver, addresses.isEmpty else { return }
    switch outcome {
    case .addresses(let found):
      addresses = found
      connect()
    case .failure(let words):
      finish(
        SessionError(
          .network, "the name \(configuration.address.host) cannot be resolved: \(words)"))
    }
  }

  private func connect() {
    attempts += 1
    enter(.connect)
    let connector = Connector(addresses, pause: options.nextAddress.nanoseconds, on: loop) {

      self.react(to: $0)
    }
    self.connector = connector
    connector.begin()
  }

  private func react(to outcome: Connector.Outcome) {
    connector = nil
    switch outcome {
    case .connected(let descriptor, let address): begin(descriptor, address)
    case .failed(let words):
      let address = configuration.address
      finish(
        SessionError(
          .network, "cannot connect to \(address.host) port \(address.port) (\(words))"))
    }
  }

  private func begin(_ descriptor: Int32, _ address: SocketAddress) {
    peer = address.description
    // If the session wants another connection, only the address that worked is tried.
    addresses = [address]
    var session: TLSSession?
    if let context {
      enter(.tls)
      do throws(TLSError) {
        session = try TLSSession(context, host: configuration.address.host)
      } catch {
        Glibc.close(descriptor)
        return finish(SessionError(.security, error.description))
      }
    }
    let settings = ConnectionSettings(
      peer: "the server \(configuration.address.host)",
      notSentLowWater: options.notSentLowWater, noDelay: options.noDelay,
      silence: options.deadlines.silence, closing: options.deadlines.closing)
    let connection = Connection(descriptor, session, settings, on: loop, owner: self)
    self.connection = connection
    connection.isReading = isReading
    connection.begin()
  }

  // MARK: Actions

  private func perform(_ actions: [ClientAction]) {
    for case .send(let bytes) in actions { connection?.answer(bytes) }
    connection?.flush()
    for action in actions {
      guard !isOver else { return }
      switch action {
      case .send: break
      case .state(let state):
        if state != .idle { enter(.session(state)) }
        tell(.state(state))
      case .tag(let tag): tell(.tag(tag))
      case .status(let status): tell(.status(status))
      case .pong(let time): tell(.pong(time))
      case .moveTo(let address, let isNow): tell(.moveTo(address, isNow: isNow))
      case .connectAgain(let why): connectAgain(why)
      case .close(let error): close(error)
      }
    }
  }

  private func connectAgain(_ why: String) {
    drop()
    guard attempts < Self.maxAttempts else {
      let host = configuration.address.host
      return finish(
        SessionError(.refused, "\(host) asks for yet another connection: \(why)"))
    }
    // The connection that is being read from has to finish first.
    loop.soon { if !self.isOver { self.connect() } }
  }

  private func close(_ error: SessionError?) {
    guard let connection else { return finish(error) }
    reason = error
    connection.finish()
  }

  private func drop() {
    connector?.cancel()
    connector = nil
    guard let connection else { return }
    before.bytes += connection.taken
    before.calls += connection.systemCalls
    self.connection = nil
    connection.close()
  }

  /// Reports the last event.
  private func finish(_ error: SessionError?) {
    guard !isOver else { return }
    abort()
    onEvent(self, .ended(error))
  }

  private func tell(_ event: ClientLinkEvent) { onEvent(self, event) }
}

extension ClientLink: ConnectionOwner {
  func connectionOpened() { perform(session.start()) }

  func connectionReceived(_ bytes: Span<UInt8>) { perform(session.receive(bytes)) }

  func connectionDrained() { tell(.drained) }

  func connectionLost(_ error: SessionError?) {
    drop()
    if let error { return finish(error) }
    guard session.state != .idle else {
      let host = configuration.address.host
      return finish(
        SessionError(.security, "\(host) closed the connection during the TLS handshake"))
    }
    perform(session.disconnected())
  }

  func connectionClosed(_ error: SessionError?) {
    drop()
    finish(reason ?? error)
  }
}
