// SPDX-License-Identifier: MIT

public import ApusBytes

/// The extensions after `sps_extension_present_flag`: ITU-T H.265, 7.3.2.2.1.
public struct SequenceExtensions: Blank, Hashable, Sendable {
  public var spsExtensionPresentFlag = false
  public var spsRangeExtensionFlag = false
  public var spsMultilayerExtensionFlag = false
  public var sps3DExtensionFlag = false
  public var spsSCCExtensionFlag = false
  public var spsExtension4bits: UInt8 = 0
  public var range = SequenceRangeExtension()
  public var interViewMVVertConstraintFlag = false
  public var threeD = Sequence3DExtension()
  public var screenContent = SequenceScreenContentExtension()
  /// `sps_extension_data_flag`s.
  public var extensionData: [Bool] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ format: SequenceFormat)
    throws(SyntaxError)
  {
    try v.flag("sps_extension_present_flag", &spsExtensionPresentFlag)
    guard spsExtensionPresentFlag else { return }
    try v.flag("sps_range_extension_flag", &spsRangeExtensionFlag)
    try v.flag("sps_multilayer_extension_flag", &spsMultilayerExtensionFlag)
    try v.flag("sps_3d_extension_flag", &sps3DExtensionFlag)
    try v.flag("sps_scc_extension_flag", &spsSCCExtensionFlag)
    try v.u(4, "sps_extension_4bits", &spsExtension4bits)
    if spsRangeExtensionFlag { try v.group("sps_range_extension", &range) }
    if spsMultilayerExtensionFlag {
      try v.flag("inter_view_mv_vert_constraint_flag", &interViewMVVertConstraintFlag)
    }
    if sps3DExtensionFlag { try v.group("sps_3d_extension", &threeD) }
    if spsSCCExtensionFlag {
      try v.group("sps_scc_extension") { v throws(SyntaxError) in
        try screenContent.syntax(&v, format)
      }
    }
    if spsExtension4bits != 0 { try v.extensionData("sps_extension_data_flag", &extensionData) }
  }
}

/// `sps_range_extension()`: ITU-T H.265, 7.3.2.2.2.
public struct SequenceRangeExtension: SyntaxStructure, Hashable {
  public var transformSkipRotationEnabledFlag = false
  public var transformSkipContextEnabledFlag = false
  public var implicitRDPCMEnabledFlag = false
  public var explicitRDPCMEnabledFlag = false
  public var extendedPrecisionProcessingFlag = false
  public var intraSmoothingDisabledFlag = false
  public var highPrecisionOffsetsEnabledFlag = false
  public var persistentRiceAdaptationEnabledFlag = false
  public var cabacBypassAlignmentEnabledFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("transform_skip_rotation_enabled_flag", &transformSkipRotationEnabledFlag)
    try v.flag("transform_skip_context_enabled_flag", &transformSkipContextEnabledFlag)
    try v.flag("implicit_rdpcm_enabled_flag", &implicitRDPCMEnabledFlag)
    try v.flag("explicit_rdpcm_enabled_flag", &explicitRDPCMEnabledFlag)
    try v.flag("extended_precision_processing_flag", &extendedPrecisionProcessingFlag)
    try v.flag("intra_smoothing_disabled_flag", &intraSmoothingDisabledFlag)
    try v.flag("high_precision_offsets_enabled_flag", &highPrecisionOffsetsEnabledFlag)
    try v.flag("persistent_rice_adaptation_enabled_flag", &persistentRiceAdaptationEnabledFlag)
    try v.flag("cabac_bypass_alignment_enabled_flag", &cabacBypassAlignmentEnabledFlag)
  }
}
