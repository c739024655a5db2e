// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sound with a `SoundFormat`: Flash Video 10.1, E.4.2.1 and E.4.2.2.
public struct LegacyAudio: Sendable {
  /// The sample rate: 0 is 5.5 kHz, 1 is 11, 2 is 22, 3 is 44. For AAC it is always 3, whatever the actual rate.
  public var soundRate: UInt8 = 3
  public var is16Bit = true
  public var isStereo = true
  /// The type of an AAC packet: 0 is a configuration, 1 a frame.
  public var packetType: UInt8 = 1
  public var data = Extent()

  public init() {}

  /// Creates a packet of AAC.
  public init(packetType: UInt8, data: Extent) {
    self.packetType = packetType
    self.data = data
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ format: SoundFormat)
    throws(SyntaxError)
  {
    try v.u(2, "SoundRate", &soundRate)
    try v.flag("SoundSize", &is16Bit)
    try v.flag("SoundType", &isStereo)
    if format == .aac { try v.u(8, "AACPacketType", &packetType) }
    try v.extent("data", &data, count: nil)
  }
}
