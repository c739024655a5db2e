// SPDX-License-Identifier: MIT

internal import ApusBytes
public import FLV

/// The client's side of a connection, publishing or playing: RTMP 1.0, 7.2, adapted to the actual behaviour of servers.
///
/// It owns no socket and no clock. Bytes go in, actions come out; the bytes of `send` actions and those of `append`
/// must be sent in the order in which they came.
public struct ClientSession: Sendable, Session {
  /// The configuration as passed to `init`.
  public let configuration: ClientConfiguration
  /// The progress of the session.
  public private(set) var state = ClientState.idle
  /// The capabilities that the server declared; `nil` if it declared none, which proves nothing.
  public internal(set) var serverCapabilities: Capabilities?
  /// The names of the server software in its answer to `connect`, such as `FMS/3,0,1,123`; made safe to print.
  public internal(set) var serverSoftware: [String] = []
  /// Whether the server signed its part of the handshake, which happens only if the client did.
  public var isServerSigned: Bool { handshake.isServerSigned }
  /// The version bytes in the server's handshake.
  public var serverVersion: [UInt8] { handshake.serverVersion }
  /// Whether the server is nginx-rtmp, which accepts enhanced video without an error and drops it.
  public var isNginx: Bool { serverVersion == [0x0d, 0x0e, 0x0a, 0x0d] }

  /// Whether the capabilities are declared; if a server closes the connection or does not answer, it is tried without
  /// them.
  public internal(set) var isEnhanced: Bool

  var channel: MessageChannel
  var clock = TagClock()
  var signIn = SignIn()
  var streamID: UInt32 = 0
  var actions: [ClientAction] = []
  private var handshake: ClientHandshake
  private var random: any RandomNumberGenerator & Sendable

  /// The numbers of the commands: `connect` has to be 1.
  enum Transaction {
    static let connect: Double = 1
    static let releaseStream: Double = 2
    static let fcPublish: Double = 3
    static let createStream: Double = 4
    static let request: Double = 5
    static let fcUnpublish: Double = 6
    static let deleteStream: Double = 7
  }

  /// Creates a session that does nothing before `start`.
  ///
  /// - Parameter random: the generator for the handshake; a fixed one makes a session reproducible.
  public init(
    _ configuration: ClientConfiguration,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.configuration = configuration
    isEnhanced = configuration.capabilities != nil
    var random = random
    handshake = ClientHandshake(configuration.handshake, using: &random)
    channel = MessageChannel(limits: configuration.limits, window: configuration.window)
    self.random = random
  }

  /// Starts the session on an open connection, including one after `connectAgain`.
  public mutating func start() -> [ClientAction] {
    handshake = ClientHandshake(configuration.handshake, using: &random)
    channel = MessageChannel(limits: configuration.limits, window: configuration.window)
    clock = TagClock()
    streamID = 0
    channel.output = handshake.opening
    enter(.handshake)
    return flushed()
  }

  /// Processes bytes from the server, in pieces of any size.
  ///
  /// - Returns: the actions to carry out, in this order.
  public mutating func receive(_ bytes: Span<UInt8>) -> [ClientAction] {
    guard state != .idle, state != .ended else { return [] }
    do throws(SessionError) {
      var position = 0
      if state == .handshake {
        channel.output += try handshake.receive(bytes, from: &position, using: &random)
        guard handshake.isDone else { return flushed() }
        try connect()
      }
      try read(bytes, from: position)
    } catch {
      close(error)
    }
    return flushed()
  }

  /// Records that the peer closed the connection.
  public mutating func disconnected() -> [ClientAction] {
    guard state != .idle, state != .ended else { return [] }
    if state == .connect, isEnhanced {
      connectPlainly()
    } else {
      // A server that requires TLS closes a connection that begins without it.
      let hint =
        state == .handshake && configuration.address.scheme == .rtmp ? "; try rtmps://" : ""
      close(
        SessionError(
          .closed, "the server closed the connection during the stage “\(state.rawValue)”\(hint)"))
    }
    return flushed()
  }

  /// Handles a server that does not answer in time: some do not answer if they do not understand the capabilities.
  /// Returns nothing if that cannot be the reason, and nothing is left to try.
  public mutating func unanswered() -> [ClientAction] {
    if state == .connect, isEnhanced { connectPlainly() }
    return flushed()
  }

  /// Appends the message of a tag to bytes that are to be sent. Many tags may share them.
  public mutating func append(_ tag: OutgoingTag, to output: inout [UInt8]) throws(SessionError) {
    guard state == .running, configuration.purpose == .publish else {
      throw SessionError(.misuse, "a tag cannot be sent in the state “\(state.rawValue)”")
    }
    do throws(SyntaxError) {
      try channel.append(tag, streamID: streamID, isPublished: true, to: &output)
    } catch {
      throw SessionError(error)
    }
  }

  /// Asks for a `pong` with this time.
  public mutating func ping(_ time: UInt32) -> [ClientAction] {
    guard state == .running else { return [] }
    perform { channel throws(SyntaxError) in
      try channel.send(.userControl(UserControl(.pingRequest, time)))
    }
    return flushed()
  }

  /// Sends the closing messages. The end of the stream itself must be sent before.
  public mutating func end() -> [ClientAction] {
    guard state != .idle, state != .ended else { return [] }
    if state == .request || state == .running { sendClosingMessages() }
    close(nil)
    return flushed()
  }

  private mutating func read(_ bytes: Span<UInt8>, from start: Int) throws(SessionError) {
    var position = start
    try count(bytes.count - start)
    while state != .ended, state != .idle {
      guard let next = try nextMessage(bytes, from: &position) else { return }
      try react(to: next)
    }
  }

  mutating func enter(_ state: ClientState) {
    self.state = state
    actions.append(.state(state))
  }

  mutating func close(_ error: SessionError?) {
    guard state != .ended else { return }
    flush()
    enter(.ended)
    actions.append(.close(error))
  }

  /// Ends this connection and requests another.
  mutating func connectAgain(because reason: String) {
    channel.output = []
    enter(.idle)
    actions.append(.connectAgain(because: reason))
  }

  /// Returns 32 random bits, in hexadecimal.
  mutating func nonce() -> String {
    HandshakeBlock.noise(4, using: &random).hexadecimal()
  }
}
