// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

/// The client's handling of messages from the server.
extension ClientSession {
  mutating func react(to message: Message) throws(SessionError) {
    do throws(SyntaxError) {
      if let control = try channel.apply(message) { return react(to: control) }
      if message.type == .aggregate {
        for part in try Aggregate.messages(in: message) { takeTag(part) }
        return
      }
    } catch {
      throw SessionError(error)
    }
    switch message.type {
    case .command, .commandAMF3: try react(to: Command(message))
    default: takeTag(message)
    }
  }

  private mutating func react(to control: ControlMessage) {
    guard case .userControl(let event) = control else { return }
    switch event.event {
    case .pingResponse: actions.append(.pong(event.value))
    case .streamEOF where state == .running && configuration.purpose == .play: close(nil)
    default: break
    }
  }

  private mutating func takeTag(_ message: Message) {
    guard configuration.purpose == .play, state == .request || state == .running,
      let tag = ReceivedTag(message, clock: &clock)
    else { return }
    // Some servers begin before they announce it.
    if state == .request { enter(.running) }
    actions.append(.tag(tag))
  }

  private mutating func react(to command: Command) throws(SessionError) {
    switch (command.name, command.transaction) {
    case ("_result", Transaction.connect) where state == .connect:
      serverCapabilities = Capabilities(command.values)
      serverSoftware = software(command)
      createStream()
    case ("_error", Transaction.connect) where state == .connect: try takeRefusal(command)
    case ("_result", Transaction.createStream) where state == .createStream:
      guard let number = command.argument(0)?.integer, let id = UInt32(exactly: number) else {
        throw SessionError(.protocol, "the answer to createStream names no stream")
      }
      streamID = id
      requestStream()
    case ("_error", Transaction.createStream), ("_error", Transaction.request):
      let isStream = command.transaction == Transaction.request
      throw refusal(command, to: isStream ? "stream" : "createStream")
    case ("onStatus", _): try takeStatus(command)
    // Sent by FFmpeg as a server after the end of the stream.
    case ("FCUnpublish", _), ("deleteStream", _), ("closeStream", _):
      if configuration.purpose == .play, state == .running { close(nil) }
    case ("close", _): throw SessionError(.closed, "the server ended the session")
    default: break
    }
  }

  /// Returns `fmsVer`, which most servers copy from Adobe's, and the further names that some servers give.
  private func software(_ command: Command) -> [String] {
    let data = command.argument(0)?["data"]
    let names = [command.values.first?["fmsVer"], data?["srs_server"], data?["srs_version"]]
    return names.compactMap { $0?.text }.filter { !$0.isEmpty }.map(Printable.text)
  }

  /// Handles a refused `connect`: because a user is required, the stream is elsewhere, or the capabilities are not
  /// understood.
  private mutating func takeRefusal(_ command: Command) throws(SessionError) {
    let information = command.argument(0) ?? command.values.first
    let words = information?["description"]?.text ?? ""
    if SignIn.isAsked(by: words) {
      let nonce = nonce()
      try signIn.answer(
        words, as: configuration.address.credentials, app: configuration.address.app, nonce: nonce)
      return connectAgain(because: "the server asks for a user")
    }
    if let target = information?["ex"]?["redirect"]?.text {
      try follow(target, isNow: true)
      return close(nil)
    }
    if isEnhanced { return connectPlainly() }
    throw refusal(command, to: "connect")
  }

  private func refusal(_ command: Command, to request: String) -> SessionError {
    let status =
      Status(command.argument(0), key: configuration.address.key)
      ?? Status(command.values.first, key: configuration.address.key)
    let words = status.map { ": \($0)" } ?? ""
    return SessionError(.refused, "the server refuses the \(request)\(words)", code: status?.code)
  }

  private mutating func takeStatus(_ command: Command) throws(SessionError) {
    guard let status = Status(command.argument(0), key: configuration.address.key) else { return }
    switch status.code {
    case "NetConnection.Connect.ReconnectRequest":
      try follow(command.argument(0)?["tcUrl"]?.text, isNow: false)
    case "NetStream.Publish.Start" where state == .request && configuration.purpose == .publish,
      "NetStream.Play.Start" where state == .request && configuration.purpose == .play:
      enter(.running)
      actions.append(.status(status))
    case "NetStream.Play.UnpublishNotify", "NetStream.Play.Stop", "NetStream.Play.Complete":
      actions.append(.status(status))
      if configuration.purpose == .play, state == .running { close(nil) }
    case "NetConnection.Connect.Closed", "NetConnection.Connect.Rejected":
      throw SessionError(.closed, "the server ended the session: \(status)", code: status.code)
    default:
      guard !status.isError else {
        throw SessionError(.refused, "the server refuses the stream: \(status)", code: status.code)
      }
      actions.append(.status(status))
    }
  }

  /// Follows a redirect. One that the policy forbids is reported and not followed; the stream stays at the current
  /// server.
  private mutating func follow(_ target: String?, isNow: Bool) throws(SessionError) {
    do throws(SessionError) {
      guard configuration.hops < ReconnectPolicy.maxHops else {
        throw SessionError(
          .refused, "the server redirects again, after \(configuration.hops) redirects")
      }
      let address = try configuration.reconnects.address(target, from: configuration.address)
      actions.append(.moveTo(address, isNow: isNow))
    } catch {
      if isNow { throw error }
      actions.append(
        .status(
          Status(
            level: "warning", code: "NetConnection.Connect.ReconnectRequest",
            text: configuration.address.key.masked(error.detail))))
    }
  }
}
