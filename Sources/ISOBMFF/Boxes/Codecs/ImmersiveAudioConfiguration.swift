// SPDX-License-Identifier: MIT

public import ApusBytes

/// The descriptors of immersive audio (`iacb`): Immersive Audio Model and Formats 1.0, 6.2.2.
public struct ImmersiveAudioConfiguration: Box {
  public static let types: [FourCC] = ["iacb"]
  public var configurationVersion: UInt8 = 1
  /// The size of the units, and the units themselves (3.2), in which numbers may be coded with different lengths.
  public var units: Extent {
    get { descriptors.bytes }
    set { descriptors = ConfigurationUnits(newValue) }
  }
  private var descriptors = ConfigurationUnits<ImmersiveAudioUnits>()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    try descriptors.syntax(&v, "configOBUs")
  }
}

// MARK: - Meaning

extension ImmersiveAudioConfiguration {
  /// The profiles and the codec of the substreams.
  public struct Summary: Hashable, Sendable {
    /// The profile that a decoder must support (`primary_profile`).
    public var primaryProfile: UInt8 = 0
    /// A further profile that the stream conforms to (`additional_profile`).
    public var additionalProfile: UInt8 = 0
    /// The codec of the substreams (`codec_id`), such as `Opus`.
    public var codec: FourCC = "    "
  }

  /// The summary of the units; `nil` if they cannot be read.
  public var summary: Summary? {
    do {
      var reader = SyntaxReader(MemorySource(try units.prefix(1 << 12).bytes()))
      _ = try Self.number(&reader)
      var (summary, hasProfiles) = (Summary(), false)
      while reader.remaining > 0 {
        var (type, flags) = (UInt8(0), UInt8(0))
        try reader.u(5, "obu_type", &type)
        try reader.u(3, "obu_flags", &flags)
        var payload: [UInt8] = []
        try reader.bytes("obu", &payload, count: try Self.number(&reader))
        var unit = SyntaxReader(MemorySource(payload))
        // Type 31 contains the profiles, type 0 the codec.
        if type == 31 {
          var code: FourCC = "iamf"
          try unit.u(32, "ia_code", &code)
          try unit.u(8, "primary_profile", &summary.primaryProfile)
          try unit.u(8, "additional_profile", &summary.additionalProfile)
          hasProfiles = true
        } else if type == 0, hasProfiles {
          _ = try Self.number(&unit)
          try unit.u(32, "codec_id", &summary.codec)
          return summary
        }
      }
    } catch {
      return nil
    }
    return nil
  }

  private static func number(_ reader: inout SyntaxReader) throws(SyntaxError) -> Int {
    var number = LEB128()
    try number.syntax(&reader)
    return number.count
  }
}
