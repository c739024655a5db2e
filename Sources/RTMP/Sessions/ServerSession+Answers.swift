// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

/// The answers of the server.
extension ServerSession {
  mutating func answerConnect(_ command: Command, encoding: Double) {
    let configuration = configuration
    var properties: [(String, AMFValue)] = [("fmsVer", "FMS/3,0,1,123"), ("capabilities", 31.0)]
    // A client that did not mention Enhanced RTMP may not cope with its properties.
    if clientCapabilities != nil, let own = configuration.capabilities {
      properties += own.members
    }
    let status: [(String, AMFValue)] = [
      ("level", "status"), ("code", "NetConnection.Connect.Success"),
      ("description", "Connection succeeded."), ("objectEncoding", .number(encoding)),
    ]
    let values: [AMFValue] = [.object(properties), .object(status)]
    perform { channel throws(SyntaxError) in
      try channel.send(.windowAcknowledgementSize(configuration.window))
      try channel.send(.setPeerBandwidth(configuration.window, limit: 2))
      try channel.send(.setChunkSize(configuration.chunkSize))
      try channel.send(Command("_result", command.transaction, values))
    }
  }

  mutating func answerFCPublish(_ command: Command) {
    let status = Status(level: "status", code: "NetStream.Publish.Start", text: "")
    perform { channel throws(SyntaxError) in
      try channel.send(Command("_result", command.transaction, [.null, .undefined]))
      try channel.send(Command("onFCPublish", 0, [.null, status.value]))
    }
  }

  mutating func answerUnpublish() {
    let status = Status(level: "status", code: "NetStream.Unpublish.Success", text: "")
    send(status, on: request?.streamID ?? 0)
  }

  mutating func welcome(_ request: ServerRequest) {
    let streamID = request.streamID
    perform { channel throws(SyntaxError) in
      try channel.send(.userControl(UserControl(.streamBegin, streamID)))
    }
    switch request.purpose {
    case .publish:
      send(
        Status(level: "status", code: "NetStream.Publish.Start", text: "Publishing."), on: streamID)
    case .play:
      send(
        Status(level: "status", code: "NetStream.Play.Reset", text: "Playing and resetting."),
        on: streamID)
      send(
        Status(level: "status", code: "NetStream.Play.Start", text: "Started playing."),
        on: streamID)
    }
  }

  mutating func reject(_ request: ServerRequest, _ status: Status) {
    send(status, on: request.streamID)
    let words = request.purpose == .publish ? "publisher" : "player"
    close(SessionError(.refused, "a \(words) was refused: \(status)", code: status.code))
  }

  mutating func sendReconnectRequest(_ target: String?, _ text: String) {
    var members: [(String, AMFValue)] = [
      ("level", "status"), ("code", "NetConnection.Connect.ReconnectRequest"),
      ("description", .text(text)),
    ]
    if let target { members.append(("tcUrl", .text(target))) }
    let value = AMFValue.object(members)
    perform { channel throws(SyntaxError) in
      try channel.send(Command("onStatus", 0, [.null, value]))
    }
  }

  mutating func sendClosingMessages() {
    guard let request, state == .playing || state == .publishing else { return }
    if state == .publishing { return answerUnpublish() }
    send(
      Status(level: "status", code: "NetStream.Play.UnpublishNotify", text: "The stream ended."),
      on: request.streamID)
    perform { channel throws(SyntaxError) in
      try channel.send(.userControl(UserControl(.streamEOF, request.streamID)))
    }
  }

  private mutating func send(_ status: Status, on streamID: UInt32) {
    perform { channel throws(SyntaxError) in
      try channel.send(
        Command("onStatus", 0, [.null, status.value]), on: .streamCommand, streamID: streamID)
    }
  }
}
