// SPDX-License-Identifier: MIT

public import ApusBytes

/// One message (`sei_message()`): ITU-T H.265, 7.3.5.
public struct SEIMessage: Blank, Sendable {
  /// The payload, parsed or as bytes.
  public enum Content: Sendable {
    case typed(any SEIPayload, SEIPayloadTail)
    /// The payload as bytes, with the reason if its form is known.
    case raw([UInt8], SyntaxError?)
  }

  public var payloadType: UInt32 = 0
  public var content: Content = .raw([], nil)

  public init() {}

  /// Creates a message with a payload, to be written.
  public init(_ payload: any SEIPayload) {
    payloadType = type(of: payload).payloadType
    var writer = SyntaxWriter(CountingSink())
    var copy = payload
    try? copy.syntax(&writer)
    content = .typed(payload, .ending(bitsUntilAligned: writer.bitsUntilAligned))
  }

  /// Creates a message with a payload as bytes, without emulation prevention bytes.
  public init(payloadType: UInt32, bytes: [UInt8]) {
    self.payloadType = payloadType
    content = .raw(bytes, nil)
  }

  /// The parsed payload; `nil` if it is kept as bytes.
  public var payload: (any SEIPayload)? {
    guard case .typed(let payload, _) = content else { return nil }
    return payload
  }

  /// The name of the payload in the standard.
  public var name: String { SEIPayloadNames.name(of: payloadType) }

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, _ header: NALUnitHeader, _ sets: ParameterSets,
    _ payloads: [any SEIPayload.Type]
  ) throws(SyntaxError) {
    try v.coded("last_payload_type_byte", &payloadType)
    var size = v.isReading ? 0 : UInt32(clamping: try payloadBytes().count)
    try v.coded("last_payload_size_byte", &size)
    if v.isReading {
      var bytes: [UInt8] = []
      try v.bytes("payload", &bytes, count: Int(size))
      let context = SEIContext(header: header, sets: sets, size: bytes.count)
      let declared = payloads.filter { $0.payloadType == payloadType }
      content = .raw(bytes, nil)
      for payload in declared + [SEIPayloadNames.declared[payloadType]].compactMap(\.self) {
        content = Self.content(of: bytes, as: payload, in: context)
        if case .typed = content { break }
      }
      return
    }
    switch content {
    case .raw(var bytes, _):
      if !bytes.isEmpty { try v.bytes("payload", &bytes, count: bytes.count) }
    case .typed(var payload, var tail):
      try payload.syntax(&v)
      try tail.syntax(&v)
    }
  }

  /// Returns the payload without emulation prevention bytes.
  public func payloadBytes() throws(SyntaxError) -> [UInt8] {
    switch content {
    case .raw(let bytes, _): return bytes
    case .typed(var payload, var tail):
      var writer = SyntaxWriter(ArraySink())
      try payload.syntax(&writer)
      try tail.syntax(&writer)
      return writer.sink.bytes
    }
  }

  private static func content(
    of bytes: [UInt8], as type: any SEIPayload.Type, in context: SEIContext
  ) -> Content {
    var payload: any SEIPayload = type.init(in: context)
    var tail = SEIPayloadTail()
    do throws(SyntaxError) {
      var reader = SyntaxReader(MemorySource(bytes))
      try payload.syntax(&reader)
      try tail.syntax(&reader)
      var message = SEIMessage()
      message.content = .typed(payload, tail)
      guard try message.payloadBytes() == bytes else {
        throw reader.failure(.invalid, "payload", "would not be written back to the same bytes")
      }
      return message.content
    } catch {
      return .raw(bytes, error)
    }
  }
}
