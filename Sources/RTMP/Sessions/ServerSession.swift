// SPDX-License-Identifier: MIT

internal import ApusBytes
public import FLV

/// The server's side of a connection: receives one stream, or provides one. Bytes go in, actions come out.
public struct ServerSession: Sendable, Session {
  /// The configuration as passed to `init`.
  public let configuration: ServerConfiguration
  /// The progress of the session.
  public private(set) var state = ServerState.handshake
  /// The stream that the client requested; `nil` while it has requested none.
  public internal(set) var request: ServerRequest?

  var channel: MessageChannel
  var clock = TagClock()
  var app = ""
  var flashVersion = ""
  var clientCapabilities: Capabilities?
  var lastStreamID: UInt32 = 0
  var actions: [ServerAction] = []
  /// The bytes received while a request is waiting.
  private var held: [UInt8] = []
  private(set) var handshake = ServerHandshake()
  private var random: any RandomNumberGenerator & Sendable

  /// Creates a session that waits for the client's handshake.
  ///
  /// - Parameter random: the generator for the handshake; a fixed one makes a session reproducible.
  public init(
    _ configuration: ServerConfiguration,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.configuration = configuration
    self.random = random
    channel = MessageChannel(limits: configuration.limits, window: configuration.window)
    channel.reader.takesMedia = false
  }

  /// The number of bytes held in incomplete messages, and in input that waits for the answer to a request.
  public var pending: Int { channel.reader.pending + held.count }

  /// Processes bytes from the client, in pieces of any size.
  ///
  /// - Returns: the actions to carry out, in this order.
  public mutating func receive(_ bytes: Span<UInt8>) -> [ServerAction] {
    guard state != .ended else { return [] }
    do throws(SessionError) {
      var position = 0
      if state == .handshake {
        channel.output += try handshake.receive(bytes, from: &position, using: &random)
        guard handshake.isDone else { return flushed() }
        enter(.connect)
      }
      try count(bytes.count - position)
      try read(bytes, from: position)
    } catch {
      close(error)
    }
    return flushed()
  }

  /// Records that the client closed the connection; this also ends a stream that was not ended.
  public mutating func disconnected() -> [ServerAction] {
    guard state != .ended else { return [] }
    let isClean = state == .idle
    close(
      isClean ? nil : SessionError(.closed, "the client disconnected without ending its stream"))
    return flushed()
  }

  /// Accepts the request, and reads the input that came after it.
  public mutating func accept() -> [ServerAction] {
    guard state == .waiting, let request else { return [] }
    enter(request.purpose == .publish ? .publishing : .playing)
    welcome(request)
    let bytes = held
    held = []
    do throws(SessionError) {
      try read(bytes.span, from: 0)
    } catch {
      close(error)
    }
    return flushed()
  }

  /// Refuses the request, for example with `NetStream.Publish.BadName` if the name is taken.
  public mutating func refuse(_ status: Status) -> [ServerAction] {
    guard state == .waiting, let request else { return [] }
    reject(request, status)
    return flushed()
  }

  /// Appends the message of a tag to bytes that are to be sent to a player.
  public mutating func append(_ tag: OutgoingTag, to output: inout [UInt8]) throws(SessionError) {
    guard state == .playing, let request else {
      throw SessionError(.misuse, "a tag cannot be sent in the state “\(state.rawValue)”")
    }
    do throws(SyntaxError) {
      try channel.append(tag, streamID: request.streamID, isPublished: false, to: &output)
    } catch {
      throw SessionError(error)
    }
  }

  /// Asks for a `pong` with this time.
  public mutating func ping(_ time: UInt32) -> [ServerAction] {
    guard state != .handshake, state != .ended else { return [] }
    perform { channel throws(SyntaxError) in
      try channel.send(.userControl(UserControl(.pingRequest, time)))
    }
    return flushed()
  }

  /// Asks the client to reconnect elsewhere, as defined by Enhanced RTMP; `nil` for the same address.
  public mutating func requestReconnect(to target: String?, because text: String)
    -> [ServerAction]
  {
    guard state == .publishing || state == .playing else { return [] }
    sendReconnectRequest(target, text)
    return flushed()
  }

  /// Ends the stream from this side.
  public mutating func end() -> [ServerAction] {
    guard state != .ended else { return [] }
    sendClosingMessages()
    close(nil)
    return flushed()
  }

  private mutating func read(_ bytes: Span<UInt8>, from start: Int) throws(SessionError) {
    var position = start
    while state != .ended {
      if state == .waiting {
        guard held.count + bytes.count - position <= configuration.held else {
          throw SessionError(
            .limit, "more than \(configuration.held) bytes came before the stream was accepted")
        }
        unsafe bytes.extracting(position..<bytes.count).withUnsafeBufferPointer {
          unsafe held.append(contentsOf: $0)
        }
        return
      }
      guard let next = try nextMessage(bytes, from: &position) else { return }
      try react(to: next)
    }
  }

  mutating func enter(_ state: ServerState) {
    self.state = state
    // Only a client whose stream was accepted may send sound and pictures.
    let takesMedia = state == .publishing
    if channel.reader.takesMedia != takesMedia { channel.reader.takesMedia = takesMedia }
    actions.append(.state(state))
  }

  mutating func close(_ error: SessionError?) {
    guard state != .ended else { return }
    flush()
    held = []
    enter(.ended)
    actions.append(.close(error))
  }
}
