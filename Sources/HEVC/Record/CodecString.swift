// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The `codecs` parameter of a media type: RFC 6381, and ISO/IEC 14496-15, Annex E.
public enum CodecString {
  /// Returns the parameter for HEVC, such as `hvc1.1.6.L120.B0`.
  ///
  /// - Parameters:
  ///   - sampleEntry: the four-character code that the string begins with.
  ///   - compatibility: flag j is bit 31 − j; the string has them in reverse.
  ///   - constraints: the six bytes after the flags; trailing zeros are omitted.
  public static func hevc(
    sampleEntry: String = "hvc1", profileSpace: UInt8, profileIDC: UInt8, compatibility: UInt32,
    isHighTier: Bool, levelIDC: UInt8, constraints: UInt64
  ) -> String {
    let space = ["", "A", "B", "C"][Int(profileSpace & 3)]
    var parts = [
      sampleEntry, "\(space)\(profileIDC)", reversed(compatibility).hexadecimal(uppercase: true),
      "\(isHighTier ? "H" : "L")\(levelIDC)",
    ]
    var bytes = constraints.bigEndianBytes.dropFirst(2)
    while bytes.last == 0 { bytes.removeLast() }
    parts += bytes.map { $0.hexadecimal(uppercase: true) }
    return parts.joined(separator: ".")
  }

  /// Returns the parameter for Dolby Vision, such as `dvh1.05.06`: Dolby Vision Streams within the ISO Base Media File
  /// Format, 2.2 (the fields are those of `dvcC` and similar boxes).
  public static func dolbyVision(sampleEntry: String, profile: UInt8, level: UInt8) -> String {
    "\(sampleEntry).\(twoDigits(profile)).\(twoDigits(level))"
  }

  private static func twoDigits(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private static func reversed(_ bits: UInt32) -> UInt32 {
    (0..<32).reduce(0) { $0 << 1 | (bits >> UInt32($1) & 1) }
  }
}

extension ProfileTierLevel {
  /// Returns the `codecs` parameter for the general profile, tier and level, such as `hvc1.1.6.L120.B0`.
  public func codecString(sampleEntry: String = "hvc1") -> String {
    CodecString.hevc(
      sampleEntry: sampleEntry, profileSpace: general.profileSpace, profileIDC: general.profileIDC,
      compatibility: general.profileCompatibilityFlags, isHighTier: general.tierFlag,
      levelIDC: generalLevelIDC, constraints: general.constraintIndicatorFlags)
  }
}

extension SequenceParameterSet {
  /// Returns the `codecs` parameter for the sequence, such as `hvc1.1.6.L120.B0`.
  public func codecString(sampleEntry: String = "hvc1") -> String {
    profileTierLevel.codecString(sampleEntry: sampleEntry)
  }
}

extension DecoderConfigurationRecord {
  /// Returns the `codecs` parameter for the record, such as `hvc1.1.6.L120.B0`.
  public func codecString(sampleEntry: String = "hvc1") -> String {
    CodecString.hevc(
      sampleEntry: sampleEntry, profileSpace: generalProfileSpace, profileIDC: generalProfileIDC,
      compatibility: generalProfileCompatibilityFlags, isHighTier: generalTierFlag,
      levelIDC: generalLevelIDC, constraints: generalConstraintIndicatorFlags)
  }
}
