// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Profile, tier and level of VVC (`VvcPTLRecord`): ISO/IEC 14496-15, 11.2.4.2.2.
public struct VVCProfile: Hashable, Sendable {
  public var reserved: UInt8 = 0
  public var idc: UInt8 = 1
  public var isHighTier = false
  public var levelIDC: UInt8 = 51
  /// The bits of `ptl_frame_only_constraint_flag`, `ptl_multi_layer_enabled_flag` and `general_constraint_info`.
  public var constraints: [UInt8] = []
  public var sublayerLevels: [SublayerLevel] = []
  public var subprofiles: [UInt32] = []

  /// The level of a temporal sub-layer, if it is present.
  public struct SublayerLevel: Hashable, Sendable {
    var isPresent = false
    var levelIDC: UInt8 = 0
  }

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, sublayers: Int) throws(SyntaxError) {
    try v.u(2, "reserved", &reserved)
    let count = try v.count(6, "num_bytes_constraint_info", constraints.count)
    try v.u(7, "general_profile_idc", &idc)
    try v.flag("general_tier_flag", &isHighTier)
    try v.u(8, "general_level_idc", &levelIDC)
    try v.bytes("constraint_info", &constraints, count: count)
    if sublayers > 1 {
      if v.isReading {
        sublayerLevels = [SublayerLevel](repeating: SublayerLevel(), count: sublayers - 1)
      }
      for index in sublayerLevels.indices {
        try v.flag("ptl_sublayer_level_present_flag", &sublayerLevels[index].isPresent)
      }
      var zero: UInt8 = 0
      if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "ptl_reserved_zero_bits", &zero) }
      for index in sublayerLevels.indices where sublayerLevels[index].isPresent {
        try v.u(8, "sublayer_level_idc", &sublayerLevels[index].levelIDC)
      }
    }
    let profiles = try v.count(8, "ptl_num_sub_profiles", subprofiles.count)
    try v.values(32, "general_sub_profile_idc", &subprofiles, count: profiles, as: .hex)
  }
}
