// SPDX-License-Identifier: MIT

/// The type of a message: RTMP 1.0, 5.4, 6.1 and 7.1.
public struct MessageType: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let setChunkSize = MessageType(rawValue: 1)
  public static let abort = MessageType(rawValue: 2)
  public static let acknowledgement = MessageType(rawValue: 3)
  public static let userControl = MessageType(rawValue: 4)
  public static let windowAcknowledgementSize = MessageType(rawValue: 5)
  public static let setPeerBandwidth = MessageType(rawValue: 6)
  public static let audio = MessageType(rawValue: 8)
  public static let video = MessageType(rawValue: 9)
  public static let dataAMF3 = MessageType(rawValue: 15)
  public static let commandAMF3 = MessageType(rawValue: 17)
  public static let data = MessageType(rawValue: 18)
  public static let command = MessageType(rawValue: 20)
  public static let aggregate = MessageType(rawValue: 22)

  /// Whether it carries sound or pictures.
  var isMedia: Bool { self == .audio || self == .video || self == .aggregate }
}

/// A message: RTMP 1.0, 5.1.
public struct Message: Hashable, Sendable {
  public var type: MessageType
  /// Milliseconds modulo 2³².
  public var timestamp: UInt32
  public var streamID: UInt32
  public var payload: [UInt8]

  public init(_ type: MessageType, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: [UInt8]) {
    self.type = type
    self.timestamp = timestamp
    self.streamID = streamID
    self.payload = payload
  }
}
