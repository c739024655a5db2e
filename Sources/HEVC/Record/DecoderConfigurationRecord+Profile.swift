// SPDX-License-Identifier: MIT

import ApusBytes

extension DecoderConfigurationRecord {
  /// The profile, tier and level in the form of a parameter set.
  public var profileTierLevel: ProfileTierLevel {
    var writer = SyntaxWriter(ArraySink())
    var copy = self
    copy.arrays = []
    var result = ProfileTierLevel()
    guard (try? copy.syntax(&writer)) != nil else { return result }
    // Bytes 1 to 12 are those of `profile_tier_level()`.
    var reader = SyntaxReader(MemorySource(Array(writer.sink.bytes.dropFirst().prefix(12))))
    try? result.syntax(&reader)
    return result
  }

  /// The name of the profile; `nil` if it has none.
  public var profileName: String? { profileTierLevel.profileName }
  /// The name of the tier: `Main` or `High`.
  public var tierName: String { generalTierFlag ? "High" : "Main" }
  /// `4.0`, `5.1`.
  public var levelName: String { Level.name(of: generalLevelIDC) }
  /// The chroma format, such as `4:2:0`.
  public var chromaFormatName: String { ChromaFormat.name(of: chromaFormatIDC) }
  /// The number of bits of a luma sample.
  public var bitDepthLuma: Int { Int(bitDepthLumaMinus8) + 8 }
  /// The number of bits of a chroma sample.
  public var bitDepthChroma: Int { Int(bitDepthChromaMinus8) + 8 }
  /// The number of bytes in the length before each NAL unit.
  public var lengthSize: Int { Int(lengthSizeMinusOne) + 1 }
}
