// SPDX-License-Identifier: MIT

public import ApusBytes

/// A modifier of the packet after it (`ModEx`): Enhanced RTMP v2, "Enhanced Audio" and "Enhanced Video".
public struct PacketModifier: Blank, Hashable, Sendable {
  /// The type: 0 is `TimestampOffsetNano`.
  public var type: UInt8 = 0
  /// The data, at least one byte and at most 65536.
  public var data: [UInt8] = [0]
  /// Whether the size is written with 16 bits; this is required beyond 255 bytes, and should not be done below.
  public var hasLongSize = false

  /// The most modifiers that are accepted in one packet.
  static let most = 8

  public init() {}

  /// Creates a modifier with the nanoseconds to be added to the presentation time in milliseconds.
  public init(nanoseconds: UInt32) {
    data = [16, 8, 0].map { UInt8(truncatingIfNeeded: nanoseconds >> $0) }
  }

  /// The nanoseconds of a `TimestampOffsetNano`; `nil` for anything else.
  public var nanoseconds: UInt32? {
    guard type == 0, data.count >= 3 else { return nil }
    return UInt32(bigEndianBytes: data.prefix(3))
  }

  /// Visits everything except the four bits with the type of the packet that follows.
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    guard v.isReading || (1...65536).contains(data.count) else {
      throw v.failure(.misuse, "modExData", "has \(data.count) bytes, allowed are 1 to 65536")
    }
    var size = UInt8(clamping: data.count - 1)
    if hasLongSize || data.count > 255 { size = 255 }
    try v.u(8, "modExDataSize", &size)
    var count = Int(size) + 1
    if size == 255 {
      var long = UInt16(clamping: data.count - 1)
      try v.u(16, "modExDataSize", &long)
      count = Int(long) + 1
    }
    if v.isReading { hasLongSize = size == 255 }
    try v.bytes("modExData", &data, count: count)
    try v.u(4, "modExType", &type)
  }

  /// Visits the modifiers before a packet, and the type of the packet itself.
  ///
  /// - Parameter packetType: four bits; 7 announces a modifier.
  static func list<V: SyntaxVisitor>(
    _ modifiers: inout [PacketModifier], _ name: StaticString, _ packetType: inout UInt8,
    _ v: inout V
  ) throws(SyntaxError) {
    if v.isReading { modifiers = [] }
    var next = modifiers.isEmpty ? packetType : 7
    try v.u(4, name, &next)
    var index = 0
    while next == 7 {
      guard index < most else {
        throw v.failure(.limit, "ModEx", "appears more than \(most) times in one packet")
      }
      if v.isReading { modifiers.append(PacketModifier()) }
      try v.group("ModEx") { v throws(SyntaxError) in try modifiers[index].syntax(&v) }
      index += 1
      next = index < modifiers.count ? 7 : packetType
      try v.u(4, name, &next)
    }
    packetType = next
  }
}
