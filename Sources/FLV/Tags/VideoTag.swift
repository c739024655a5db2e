// SPDX-License-Identifier: MIT

public import ApusBytes

/// The data of a video tag, in either form: Flash Video 10.1, E.4.3.1; Enhanced RTMP v2, "Enhanced Video".
public struct VideoTag: SyntaxStructure {
  public var frameType = FrameType.key
  public var content = Content.legacy(LegacyVideo())

  public enum Content: Sendable {
    /// The older form, with a `CodecID` in the first byte.
    case legacy(LegacyVideo)
    /// The form of Enhanced RTMP, with `IsExVideoHeader` set.
    case enhanced(EnhancedVideo)
  }

  public init() {}

  public init(_ frameType: FrameType, _ content: Content) {
    self.frameType = frameType
    self.content = content
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var isEnhanced = enhanced != nil
    try v.flag("IsExVideoHeader", &isEnhanced)
    if v.isReading { content = isEnhanced ? .enhanced(EnhancedVideo()) : .legacy(LegacyVideo()) }
    try v.u(3, "FrameType", &frameType)
    switch content {
    case .legacy(var packet):
      try packet.syntax(&v, frameType)
      content = .legacy(packet)
    case .enhanced(var packet):
      try packet.syntax(&v, frameType)
      content = .enhanced(packet)
    }
  }

  public var legacy: LegacyVideo? {
    if case .legacy(let packet) = content { packet } else { nil }
  }

  public var enhanced: EnhancedVideo? {
    if case .enhanced(let packet) = content { packet } else { nil }
  }
}

/// The encoder's description of the picture in three bits, which are less reliable than the NAL units.
public struct FrameType: RawRepresentable, Hashable, Sendable, FieldCoded {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let key = FrameType(rawValue: 1)
  public static let inter = FrameType(rawValue: 2)
  public static let disposableInter = FrameType(rawValue: 3)
  public static let generatedKey = FrameType(rawValue: 4)
  /// Not a picture, but a command or additional information.
  public static let command = FrameType(rawValue: 5)

  public init() { self = .key }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }
  public static var kind: FieldKind { .unsigned }
}

extension FrameType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .key: "key"
    case .inter: "inter"
    case .disposableInter: "disposable"
    case .generatedKey: "generated key"
    case .command: "command"
    default: "frame type \(rawValue)"
    }
  }
}
