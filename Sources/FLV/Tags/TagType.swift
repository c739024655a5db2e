// SPDX-License-Identifier: MIT

public import ApusBytes

/// The type of a tag, or of an RTMP message: Flash Video 10.1, E.4.1; RTMP 1.0, 7.1.
public struct TagType: RawRepresentable, Hashable, Sendable, FieldCoded {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Sound.
  public static let audio = TagType(rawValue: 8)
  /// Video.
  public static let video = TagType(rawValue: 9)
  /// Script data in AMF 3, which only RTMP servers write.
  public static let scriptAMF3 = TagType(rawValue: 15)
  /// Metadata and other script data in AMF 0.
  public static let script = TagType(rawValue: 18)

  /// Whether it is one of the types above.
  public var isKnown: Bool {
    self == .audio || self == .video || self == .script || self == .scriptAMF3
  }

  public init() { self = .script }
  public init(fieldBits: UInt64) { rawValue = UInt8(truncatingIfNeeded: fieldBits) }
  public var fieldBits: UInt64 { UInt64(rawValue) }
  public static var kind: FieldKind { .unsigned }
}

extension TagType: CustomStringConvertible {
  public var description: String {
    switch self {
    case .audio: "audio"
    case .video: "video"
    case .script: "script"
    case .scriptAMF3: "script (AMF 3)"
    default: "type \(rawValue)"
    }
  }
}
