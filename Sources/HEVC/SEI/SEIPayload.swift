// SPDX-License-Identifier: MIT

public import ApusBytes

/// The payload of a supplemental enhancement information message, with its declaration: ITU-T H.265, Annex D.
public protocol SEIPayload: SyntaxStructure {
  /// The `payloadType` of the messages that contain it.
  static var payloadType: UInt32 { get }
  /// Creates an empty payload, to be read in this context.
  init(in context: SEIContext)
}

extension SEIPayload {
  /// Creates an empty payload, for types whose form depends on no context.
  public init(in context: SEIContext) { self.init() }
}

/// The context that the form of a payload may depend on.
public struct SEIContext: Sendable {
  /// The header of the NAL unit with the message.
  public var header: NALUnitHeader
  /// The parameter sets that precede the message.
  public var sets: ParameterSets
  /// `payloadSize`.
  public var size: Int

  /// Creates a context for reading a payload.
  ///
  /// - Parameter size: the value of `payloadSize`.
  public init(header: NALUnitHeader, sets: ParameterSets, size: Int) {
    self.header = header
    self.sets = sets
    self.size = size
  }
}

/// The bits after the declared fields of a payload: `reserved_payload_extension_data`, a one and zeros (ITU-T H.265,
/// D.2.1). There are none if the fields end at a byte boundary.
public struct SEIPayloadTail: Blank, Hashable, Sendable {
  public var alignmentBits: UInt8 = 0
  public var extensionData: [UInt8] = []

  public init() {}

  /// Returns the one and the zeros after fields that end within a byte.
  static func ending(bitsUntilAligned: Int) -> SEIPayloadTail {
    var tail = SEIPayloadTail()
    tail.alignmentBits = bitsUntilAligned == 0 ? 0 : 1 << UInt8(bitsUntilAligned - 1)
    return tail
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.bitsUntilAligned > 0 {
      try v.u(v.bitsUntilAligned, "payload_alignment_bits", &alignmentBits, as: .hex)
    }
    if v.isReading ? v.remaining > 0 : !extensionData.isEmpty {
      try v.bytes(
        "reserved_payload_extension_data", &extensionData,
        count: v.isReading ? nil : extensionData.count)
    }
  }
}
