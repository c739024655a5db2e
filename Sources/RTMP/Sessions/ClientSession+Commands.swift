// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

/// The commands of the client.
extension ClientSession {
  mutating func connect() throws(SessionError) {
    enter(.connect)
    let (configuration, query) = (configuration, signIn.query)
    var members: [(String, AMFValue)] = [
      ("app", .text(configuration.address.app + query)),
      ("type", "nonprivate"),
      ("flashVer", .text(configuration.flashVersion)),
      ("tcUrl", .text(configuration.address.tcURL + query)),
    ]
    if configuration.purpose == .play {
      members += [
        ("fpad", false), ("capabilities", 15.0), ("audioCodecs", 4071.0), ("videoCodecs", 252.0),
      ]
    }
    if isEnhanced, let own = configuration.capabilities { members += own.members }
    let object = AMFValue.object(members)
    perform { channel throws(SyntaxError) in
      try channel.send(.setChunkSize(configuration.chunkSize))
      try channel.send(Command("connect", Transaction.connect, [object]))
    }
  }

  mutating func connectPlainly() {
    isEnhanced = false
    connectAgain(because: "the server rejects the fields of Enhanced RTMP")
  }

  /// Sends the commands that create a stream. Servers differ on whether they answer the first two, so nothing waits for
  /// them.
  mutating func createStream() {
    enter(.createStream)
    let (configuration, key) = (configuration, AMFValue.text(configuration.address.key.unmasked))
    perform { channel throws(SyntaxError) in
      try channel.send(.windowAcknowledgementSize(configuration.window))
      if configuration.purpose == .publish {
        try channel.send(Command("releaseStream", Transaction.releaseStream, [.null, key]))
        try channel.send(Command("FCPublish", Transaction.fcPublish, [.null, key]))
      }
      try channel.send(Command("createStream", Transaction.createStream, [.null]))
    }
  }

  mutating func requestStream() {
    enter(.request)
    let (purpose, key) = (configuration.purpose, AMFValue.text(configuration.address.key.unmasked))
    let streamID = streamID
    perform { channel throws(SyntaxError) in
      switch purpose {
      case .publish:
        try channel.send(
          Command("publish", Transaction.request, [.null, key, "live"]), on: .streamCommand,
          streamID: streamID)
      case .play:
        // Plays the live stream, or a recorded one from its start.
        try channel.send(
          Command("play", Transaction.request, [.null, key, -2000.0]), on: .streamCommand,
          streamID: streamID)
        try channel.send(
          .userControl(UserControl(.setBufferLength, streamID, milliseconds: 3000)))
      }
    }
  }

  mutating func sendClosingMessages() {
    let (purpose, key) = (configuration.purpose, AMFValue.text(configuration.address.key.unmasked))
    let streamID = Double(streamID)
    perform { channel throws(SyntaxError) in
      if purpose == .publish {
        try channel.send(Command("FCUnpublish", Transaction.fcUnpublish, [.null, key]))
      }
      try channel.send(
        Command("deleteStream", Transaction.deleteStream, [.null, .number(streamID)]))
    }
  }
}
