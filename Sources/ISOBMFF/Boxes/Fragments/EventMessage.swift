// SPDX-License-Identifier: MIT

public import ApusBytes

/// Event message (`emsg`): ISO/IEC 23009-1, 5.10.3.3.
public struct EventMessage: FullBox {
  public static let types: [FourCC] = ["emsg"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var schemeIDURI: Text = ""
  public var value: Text = ""
  public var timescale: UInt32 = 1000
  /// The presentation time in version 0, relative to the start of the segment.
  public var presentationTimeDelta: UInt32 = 0
  /// The presentation time in version 1, on the timeline of the media.
  public var presentationTime: UInt64 = 0
  public var eventDuration: UInt32 = 0
  public var id: UInt32 = 0
  public var messageData = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if version == 0 {
      try v.text("scheme_id_uri", &schemeIDURI)
      try v.text("value", &value)
    }
    try v.u(32, "timescale", &timescale)
    if version == 0 {
      try v.u(32, "presentation_time_delta", &presentationTimeDelta)
    } else {
      try v.u(64, "presentation_time", &presentationTime)
    }
    try v.u(32, "event_duration", &eventDuration)
    try v.u(32, "id", &id)
    if version == 1 {
      try v.text("scheme_id_uri", &schemeIDURI)
      try v.text("value", &value)
    }
    try v.extent("message_data", &messageData, count: nil)
  }
}

/// Producer reference time (`prft`): ISO/IEC 14496-12, 8.16.5.
public struct ProducerReferenceTime: FullBox {
  public static let types: [FourCC] = ["prft"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var referenceTrackID: UInt32 = 1
  /// The NTP time: seconds since 1900 in the upper half, a fraction in the lower.
  public var ntpTimestamp: UInt64 = 0
  public var mediaTime: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "reference_track_ID", &referenceTrackID)
    try v.u(64, "ntp_timestamp", &ntpTimestamp)
    try v.u(version == 0 ? 32 : 64, "media_time", &mediaTime)
  }
}
