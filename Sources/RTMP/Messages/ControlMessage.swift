// SPDX-License-Identifier: MIT

public import ApusBytes

/// The messages about the connection itself: RTMP 1.0, 5.4 and 6.2.
public enum ControlMessage: Hashable, Sendable {
  case setChunkSize(UInt32)
  case abort(chunkStreamID: UInt32)
  /// The number of bytes received, modulo 2³²; some servers send the difference instead. For information only.
  case acknowledgement(UInt32)
  case userControl(UserControl)
  case windowAcknowledgementSize(UInt32)
  /// The bandwidth of the peer, with the limit type: 0 hard, 1 soft, 2 dynamic.
  case setPeerBandwidth(UInt32, limit: UInt8)

  /// The message type for this message.
  public var type: MessageType {
    switch self {
    case .setChunkSize: .setChunkSize
    case .abort: .abort
    case .acknowledgement: .acknowledgement
    case .userControl: .userControl
    case .windowAcknowledgementSize: .windowAcknowledgementSize
    case .setPeerBandwidth: .setPeerBandwidth
    }
  }

  private init?(_ type: MessageType) {
    switch type {
    case .setChunkSize: self = .setChunkSize(0)
    case .abort: self = .abort(chunkStreamID: 0)
    case .acknowledgement: self = .acknowledgement(0)
    case .userControl: self = .userControl(UserControl())
    case .windowAcknowledgementSize: self = .windowAcknowledgementSize(0)
    case .setPeerBandwidth: self = .setPeerBandwidth(0, limit: 0)
    default: return nil
    }
  }

  /// Reads a message; bytes after the last field are ignored.
  public init(_ message: Message) throws(SyntaxError) {
    guard var blank = ControlMessage(message.type) else {
      throw SyntaxError(
        .misuse, field: "message_type_id",
        detail: "\(message.type.rawValue) is not a control message")
    }
    var reader = SyntaxReader(MemorySource(message.payload))
    try blank.syntax(&reader)
    self = blank
  }

  /// Returns the payload of the message.
  public func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    try copy.syntax(&writer)
    return writer.sink.bytes
  }

  private mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    switch self {
    case .setChunkSize(var size):
      try v.u(32, "chunk_size", &size)
      self = .setChunkSize(size)
    case .abort(var id):
      try v.u(32, "chunk_stream_id", &id)
      self = .abort(chunkStreamID: id)
    case .acknowledgement(var count):
      try v.u(32, "sequence_number", &count)
      self = .acknowledgement(count)
    case .userControl(var event):
      try event.syntax(&v)
      self = .userControl(event)
    case .windowAcknowledgementSize(var size):
      try v.u(32, "acknowledgement_window_size", &size)
      self = .windowAcknowledgementSize(size)
    case .setPeerBandwidth(var size, var limit):
      try v.u(32, "acknowledgement_window_size", &size)
      // Some servers omit it.
      if !v.isReading || v.remaining > 0 { try v.u(8, "limit_type", &limit) }
      self = .setPeerBandwidth(size, limit: limit)
    }
  }
}
