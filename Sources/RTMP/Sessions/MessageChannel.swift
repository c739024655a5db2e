// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV

/// The common part of both sides of a connection after the handshake: sends and receives messages, and answers those of
/// the protocol itself.
struct MessageChannel: Sendable {
  /// The chunk streams on which messages are sent, as all publishers use them. One server does not read any above 63.
  enum Lane: UInt32 {
    case control = 2
    case command = 3
    case audio = 4
    case data = 5
    case video = 6
    case streamCommand = 8
  }

  var reader: ChunkReader
  private var writer = ChunkWriter()
  /// The bytes to be sent.
  var output: [UInt8] = []

  /// The number of bytes received since the handshake, modulo 2³².
  private var received: UInt32 = 0
  private var acknowledged: UInt32 = 0
  /// The number of bytes after which the peer expects an acknowledgement; 0 for never.
  private var window: UInt32 = 0
  private var ownWindow: UInt32
  /// The number of pings that may still be answered before more input is requested.
  private var pingsLeft = 0

  private static let pingsAtOnce = 16

  init(limits: ChunkLimits, window: UInt32) {
    reader = ChunkReader(limits: limits)
    ownWindow = window
  }

  /// Counts bytes of an input, and acknowledges them when due: at most once for each input, because some peers ask for
  /// it after each byte.
  mutating func count(_ bytes: Int) throws(SyntaxError) {
    pingsLeft = Self.pingsAtOnce
    received &+= UInt32(truncatingIfNeeded: bytes)
    guard window > 0, received &- acknowledged >= max(window / 2, 1) else { return }
    acknowledged = received
    try send(.acknowledgement(received))
  }

  mutating func send(_ control: ControlMessage) throws(SyntaxError) {
    try writer.append(
      control.type, on: Lane.control.rawValue, streamID: 0, timestamp: 0, head: control.bytes(),
      to: &output)
    if case .setChunkSize(let size) = control { writer.chunkSize = Int(size) }
  }

  mutating func send(_ command: Command, on lane: Lane = .command, streamID: UInt32 = 0)
    throws(SyntaxError)
  {
    try writer.append(
      .command, on: lane.rawValue, streamID: streamID, timestamp: 0, head: command.bytes(),
      to: &output)
  }

  /// Appends a tag to bytes that the caller sends.
  ///
  /// - Parameter isPublished: whether metadata are preceded by the word that makes a server keep them.
  mutating func append(
    _ tag: OutgoingTag, streamID: UInt32, isPublished: Bool, to output: inout [UInt8]
  ) throws(SyntaxError) {
    var head = tag.head
    if tag.type == .script, isPublished, head.starts(with: ReceivedTag.onMetaData) {
      head = ReceivedTag.setDataFrame + head
    }
    let lane: Lane =
      switch tag.type {
      case .audio: .audio
      case .video: .video
      default: .data
      }
    try writer.append(
      MessageType(rawValue: tag.type.rawValue), on: lane.rawValue, streamID: streamID,
      timestamp: UInt32(truncatingIfNeeded: tag.time), head: head, payload: tag.payload, to: &output
    )
  }

  /// Handles a message about the connection; returns `nil` for any other.
  mutating func apply(_ message: Message) throws(SyntaxError) -> ControlMessage? {
    switch message.type {
    case .setChunkSize, .abort, .acknowledgement, .userControl, .windowAcknowledgementSize,
      .setPeerBandwidth:
      break
    default: return nil
    }
    let control = try ControlMessage(message)
    switch control {
    case .windowAcknowledgementSize(let size): window = size
    case .setPeerBandwidth(let size, _) where size != ownWindow && size > 0:
      ownWindow = size
      try send(.windowAcknowledgementSize(size))
    case .userControl(let event) where event.event == .pingRequest && pingsLeft > 0:
      pingsLeft -= 1
      try send(.userControl(UserControl(.pingResponse, event.value)))
    default: break
    }
    return control
  }
}
