// SPDX-License-Identifier: MIT

/// The type of a message: RTMP 1.0, 5.4, 6.1 and 7.1.
public struct MessageType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Set Chunk Size: RTMP 1.0, 5.4.1.
  public static let setChunkSize = MessageType(rawValue: 1)
  /// Abort Message: RTMP 1.0, 5.4.2.
  public static let abort = MessageType(rawValue: 2)
  /// Acknowledgement: RTMP 1.0, 5.4.3.
  public static let acknowledgement = MessageType(rawValue: 3)
  /// A user control message: RTMP 1.0, 6.2.
  public static let userControl = MessageType(rawValue: 4)
  /// Window Acknowledgement Size: RTMP 1.0, 5.4.4.
  public static let windowAcknowledgementSize = MessageType(rawValue: 5)
  /// Set Peer Bandwidth: RTMP 1.0, 5.4.5.
  public static let setPeerBandwidth = MessageType(rawValue: 6)
  /// A packet of sound, in the form of an FLV tag's data.
  public static let audio = MessageType(rawValue: 8)
  /// A packet of video, in the form of an FLV tag's data.
  public static let video = MessageType(rawValue: 9)
  /// Metadata in AMF 3.
  public static let dataAMF3 = MessageType(rawValue: 15)
  /// A command in AMF 3.
  public static let commandAMF3 = MessageType(rawValue: 17)
  /// Metadata in AMF 0.
  public static let data = MessageType(rawValue: 18)
  /// A command in AMF 0.
  public static let command = MessageType(rawValue: 20)
  /// Several messages of sound, video or metadata in one: RTMP 1.0, 7.1.6.
  public static let aggregate = MessageType(rawValue: 22)

  /// Whether it carries sound or pictures.
  var isMedia: Bool { self == .audio || self == .video || self == .aggregate }
}

/// A message: RTMP 1.0, 5.1.
public struct Message: Hashable, Sendable {
  /// The type of the message.
  public var type: MessageType
  /// Milliseconds modulo 2³².
  public var timestamp: UInt32
  /// The message stream; 0 for messages about the connection.
  public var streamID: UInt32
  /// The contents, without chunk headers.
  public var payload: [UInt8]

  /// Creates a message.
  public init(_ type: MessageType, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: [UInt8]) {
    self.type = type
    self.timestamp = timestamp
    self.streamID = streamID
    self.payload = payload
  }
}
