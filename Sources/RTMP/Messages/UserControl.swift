// SPDX-License-Identifier: MIT

public import ApusBytes

/// A user control message: RTMP 1.0, 6.2 and 7.1.7.
public struct UserControl: SyntaxStructure, Hashable {
  /// The event that the message announces.
  public struct Event: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A stream can be used.
    public static let streamBegin = Event(rawValue: 0)
    /// The data of a stream have ended.
    public static let streamEOF = Event(rawValue: 1)
    /// A stream has no data at present.
    public static let streamDry = Event(rawValue: 2)
    /// The event with the stream and a number of milliseconds.
    public static let setBufferLength = Event(rawValue: 3)
    /// A stream is recorded rather than live.
    public static let streamIsRecorded = Event(rawValue: 4)
    /// A request for `pingResponse` with the same time.
    public static let pingRequest = Event(rawValue: 6)
    /// The answer to `pingRequest`.
    public static let pingResponse = Event(rawValue: 7)
  }

  public var event = Event.streamBegin
  /// The stream, or the time of a ping.
  public var value: UInt32 = 0
  /// Further data of an event: the milliseconds of `setBufferLength`, and anything in unknown events.
  public var rest: [UInt8] = []

  public init() {}

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - value: the stream, or the time of a ping.
  ///   - milliseconds: the length of the buffer, for `setBufferLength` only.
  public init(_ event: Event, _ value: UInt32, milliseconds: UInt32? = nil) {
    self.event = event
    self.value = value
    if let milliseconds {
      rest = (0..<4).map { UInt8(truncatingIfNeeded: milliseconds >> (24 - 8 * $0)) }
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var type = event.rawValue
    try v.u(16, "event_type", &type)
    event = Event(rawValue: type)
    // SWF verification (26) is requested without data.
    if !v.isReading || v.remaining >= 4 { try v.u(32, "event_data", &value) }
    try v.bytes("event_rest", &rest, count: nil)
  }
}
