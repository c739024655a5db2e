// SPDX-License-Identifier: MIT

public import ApusBytes

/// Supplemental enhancement information of H.264 (`sei_rbsp()`): ITU-T H.264, 7.3.2.3.
///
/// Only payloads that are user data with a UUID are parsed.
public struct AVCSupplementalInformation: SyntaxStructure, Hashable {
  public var messages: [Message] = []

  public init() {}

  /// One message (`sei_message()`): 7.3.2.3.1.
  public struct Message: SyntaxStructure, Hashable {
    public var payloadType: UInt32 = 0
    /// The payload without emulation prevention bytes.
    public var payload: [UInt8] = []

    public init() {}

    /// The type `user_data_unregistered`: D.1.7.
    private static let userData: UInt32 = 5

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.coded("last_payload_type_byte", &payloadType)
      var size = UInt32(clamping: payload.count)
      try v.coded("last_payload_size_byte", &size)
      if v.isReading { return try v.bytes("payload", &payload, count: Int(size)) }
      guard payloadType == Self.userData, size >= 16 else {
        return size > 0 ? try v.bytes("payload", &payload, count: Int(size)) : ()
      }
      var (uuid, data) = (Array(payload.prefix(16)), Array(payload.dropFirst(16)))
      try v.bytes("uuid_iso_iec_11578", &uuid, count: 16, .uuid)
      let end = data.last == 0 ? data.dropLast() : data[...]
      let isText = !end.isEmpty && end.allSatisfy { (0x20..<0x7f).contains($0) || $0 == 0x0a }
      try v.bytes("user_data_payload_byte", &data, count: data.count, isText ? .text : .bytes)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading { messages = [] }
    var index = 0
    repeat {
      guard v.isReading || index < messages.count else { break }
      var message = v.isReading ? Message() : messages[index]
      try v.group("sei_message", &message)
      if v.isReading { messages.append(message) }
      index += 1
    } while v.moreData(index < messages.count)
  }
}
