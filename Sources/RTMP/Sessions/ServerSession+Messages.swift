// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

/// The server's handling of messages from the client.
extension ServerSession {
  /// The most streams that a client may create: it needs one, and more only after failures.
  private static let maxStreams: UInt32 = 8

  mutating func react(to message: Message) throws(SessionError) {
    do throws(SyntaxError) {
      if let control = try channel.apply(message) {
        if case .userControl(let event) = control, event.event == .pingResponse {
          actions.append(.pong(event.value))
        }
        return
      }
      if message.type == .aggregate {
        for part in try Aggregate.messages(in: message) { takeTag(part) }
        return
      }
    } catch {
      throw SessionError(error)
    }
    switch message.type {
    case .command, .commandAMF3: try react(to: Command(message), streamID: message.streamID)
    default: takeTag(message)
    }
  }

  private mutating func takeTag(_ message: Message) {
    guard state == .publishing, let tag = ReceivedTag(message, clock: &clock) else { return }
    actions.append(.tag(tag))
  }

  private mutating func react(to command: Command, streamID: UInt32) throws(SessionError) {
    if state == .connect, command.name != "connect" {
      throw SessionError(
        .protocol, "the client begins with \(Printable.text(command.name)) instead of connect")
    }
    switch command.name {
    case "connect": try takeConnect(command)
    case "releaseStream", "FCSubscribe", "getStreamLength", "_checkbw":
      perform { channel throws(SyntaxError) in
        try channel.send(Command("_result", command.transaction, [.null, .undefined]))
      }
    case "FCPublish": answerFCPublish(command)
    case "createStream": try takeCreateStream(command)
    case "publish": try takeRequest(.publish, command, streamID)
    case "play": try takeRequest(.play, command, streamID)
    case "FCUnpublish", "closeStream", "deleteStream":
      if state == .publishing || state == .playing {
        if state == .publishing { answerUnpublish() }
        enter(.idle)
        request = nil
        actions.append(.streamEnded)
      }
    default: break
    }
  }

  private mutating func takeConnect(_ command: Command) throws(SessionError) {
    guard state == .connect else {
      throw SessionError(.protocol, "the client connects a second time")
    }
    let object = command.values.first
    app = object?["app"]?.text ?? ""
    flashVersion = Printable.text(object?["flashVer"]?.text ?? "")
    clientCapabilities = Capabilities(command.values)
    enter(.idle)
    answerConnect(command, encoding: object?["objectEncoding"]?.number ?? 0)
  }

  private mutating func takeCreateStream(_ command: Command) throws(SessionError) {
    guard lastStreamID < Self.maxStreams else {
      throw SessionError(.limit, "the client creates more than \(Self.maxStreams) streams")
    }
    lastStreamID += 1
    let id = Double(lastStreamID)
    perform { channel throws(SyntaxError) in
      try channel.send(Command("_result", command.transaction, [.null, .number(id)]))
    }
  }

  private mutating func takeRequest(
    _ purpose: ServerRequest.Purpose, _ command: Command, _ streamID: UInt32
  ) throws(SessionError) {
    let key = StreamKey(command.argument(0)?.text ?? "")
    let request = ServerRequest(
      purpose: purpose, app: app, key: key, capabilities: clientCapabilities,
      flashVersion: flashVersion, streamID: streamID)
    guard state == .idle else {
      throw SessionError(.protocol, "the client asks for a second stream")
    }
    if let access = configuration.access, !access.allows(app: app, key: key) {
      let code = purpose == .publish ? "NetStream.Publish.Denied" : "NetStream.Play.StreamNotFound"
      return reject(
        request, Status(level: "error", code: code, text: "no such app and key"))
    }
    self.request = request
    enter(.waiting)
    actions.append(.request(request))
  }
}
