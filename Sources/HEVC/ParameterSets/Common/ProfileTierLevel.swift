// SPDX-License-Identifier: MIT

public import ApusBytes

/// Profile, tier and level (`profile_tier_level()`): ITU-T H.265, 7.3.3.
public struct ProfileTierLevel: SyntaxStructure, Hashable {
  public var general = ProfileIndication()
  public var generalLevelIDC: UInt8 = 0
  public var subLayerFlags: [SubLayerFlags] = []
  public var reservedZero2Bits: [UInt8] = []
  /// The profiles and levels of the sub-layers below the highest.
  public var subLayers: [SubLayer] = []

  public init() {}

  /// The flags that state which fields of a sub-layer are present: `sub_layer_profile_present_flag` and
  /// `sub_layer_level_present_flag`.
  public struct SubLayerFlags: Blank, Hashable, Sendable {
    public var profilePresent = false
    public var levelPresent = false
    public init() {}
  }

  /// The profile and level of one temporal sub-layer.
  public struct SubLayer: Blank, Hashable, Sendable {
    public var profile = ProfileIndication()
    public var levelIDC: UInt8 = 0
    public init() {}
  }

  /// Visits the syntax with a profile, and without sub-layers.
  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, profilePresent: true, maxSubLayersMinus1: 0)
  }

  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, profilePresent: Bool, maxSubLayersMinus1: UInt8
  ) throws(SyntaxError) {
    if profilePresent { try general.syntax(&v) }
    try v.u(8, "general_level_idc", &generalLevelIDC)
    let count = Int(maxSubLayersMinus1)
    try v.list("sub_layer_flags", &subLayerFlags, count: count) { flags, v throws(SyntaxError) in
      try v.flag("sub_layer_profile_present_flag", &flags.profilePresent)
      try v.flag("sub_layer_level_present_flag", &flags.levelPresent)
    }
    if count > 0 {
      try v.values(2, "reserved_zero_2bits", &reservedZero2Bits, count: 8 - count)
    }
    let present = subLayerFlags
    try v.indexed("sub_layers", &subLayers, count: count) { index, layer, v throws(SyntaxError) in
      if present[index].profilePresent { try layer.profile.syntax(&v, isGeneral: false) }
      if present[index].levelPresent { try v.u(8, "sub_layer_level_idc", &layer.levelIDC) }
    }
  }
}
