// SPDX-License-Identifier: MIT

public import ApusBytes

/// The part of the message header that a chunk repeats: RTMP 1.0, 5.3.1.2.
public enum ChunkForm: UInt8, CaseIterable, Hashable, Sendable {
  /// The whole message header, with an absolute time.
  case full = 0
  /// Everything except the message stream, with a difference of time.
  case sameStream = 1
  /// Only a difference of time.
  case sameLength = 2
  /// Nothing of the message header.
  case continued = 3

  /// The size of the message header, in bytes.
  var size: Int {
    switch self {
    case .full: 11
    case .sameStream: 7
    case .sameLength: 3
    case .continued: 0
    }
  }
}

/// The header of a chunk: RTMP 1.0, 5.3.1.
///
/// This is the declaration; `ChunkReader` and `ChunkWriter` code the same bytes at memory speed, and the tests compare
/// them.
public struct ChunkHeader: SyntaxStructure, Hashable {
  public var form = ChunkForm.full
  public var chunkStreamID: UInt32 = 2
  /// The timestamp: absolute in a full header, otherwise the difference from the previous message.
  public var timestamp: UInt32 = 0
  public var messageLength: UInt32 = 0
  public var messageType: UInt8 = 0
  public var messageStreamID: UInt32 = 0
  /// The time that the chunks of a message repeat in a separate field if it exceeds 24 bits. A continued chunk has the
  /// field if the previous header had it, which its bytes do not show.
  public var extendedTimestamp: UInt32?

  /// The value of a 24-bit field for a time in a separate field.
  static let escape: UInt32 = 0xff_ffff

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var fmt = form.rawValue
    try v.u(2, "fmt", &fmt)
    form = ChunkForm(rawValue: fmt) ?? .full
    try streamIDSyntax(&v)
    if form != .continued {
      var field = extendedTimestamp == nil ? timestamp : Self.escape
      try v.u(24, "timestamp", &field)
      if v.isReading {
        timestamp = field
        extendedTimestamp = field == Self.escape ? 0 : nil
      }
    }
    if form == .full || form == .sameStream {
      try v.u(24, "message_length", &messageLength)
      try v.u(8, "message_type_id", &messageType)
    }
    if form == .full {
      var swapped = messageStreamID.byteSwapped
      try v.u(32, "message_stream_id", &swapped)
      messageStreamID = swapped.byteSwapped
    }
    if var extended = extendedTimestamp {
      try v.u(32, "extended_timestamp", &extended)
      extendedTimestamp = extended
      timestamp = extended
    }
  }

  /// Visits one to three bytes; the second form of three has its low byte first.
  private mutating func streamIDSyntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var short: UInt8 =
      switch chunkStreamID {
      case ..<64: UInt8(chunkStreamID)
      case ..<320: 0
      default: 1
      }
    try v.u(6, "cs_id", &short)
    switch short {
    case 0:
      var more = UInt8(truncatingIfNeeded: chunkStreamID &- 64)
      try v.u(8, "cs_id_minus_64", &more)
      chunkStreamID = UInt32(more) + 64
    case 1:
      var more = UInt16(truncatingIfNeeded: chunkStreamID &- 64).byteSwapped
      try v.u(16, "cs_id_minus_64", &more)
      chunkStreamID = UInt32(more.byteSwapped) + 64
    default: chunkStreamID = UInt32(short)
    }
  }
}
