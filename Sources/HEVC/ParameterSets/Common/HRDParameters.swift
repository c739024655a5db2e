// SPDX-License-Identifier: MIT

public import ApusBytes

/// Hypothetical reference decoder parameters (`hrd_parameters()`): ITU-T H.265, E.2.2.
public struct HRDParameters: Blank, Hashable, Sendable {
  public var common = Common()
  public var subLayers: [SubLayer] = []

  public init() {}

  /// The part that all sub-layers share; a set may inherit it from the previous one.
  public struct Common: Blank, Hashable, Sendable {
    public var nalHRDParametersPresentFlag = false
    public var vclHRDParametersPresentFlag = false
    public var subPicHRDParamsPresentFlag = false
    public var tickDivisorMinus2: UInt8 = 0
    public var duCPBRemovalDelayIncrementLengthMinus1: UInt8 = 0
    public var subPicCPBParamsInPicTimingSEIFlag = false
    public var dpbOutputDelayDULengthMinus1: UInt8 = 0
    public var bitRateScale: UInt8 = 0
    public var cpbSizeScale: UInt8 = 0
    public var cpbSizeDUScale: UInt8 = 0
    public var initialCPBRemovalDelayLengthMinus1: UInt8 = 23
    public var auCPBRemovalDelayLengthMinus1: UInt8 = 23
    public var dpbOutputDelayLengthMinus1: UInt8 = 23

    public init() {}

    /// `CpbDpbDelaysPresentFlag`.
    public var cpbDPBDelaysPresent: Bool {
      nalHRDParametersPresentFlag || vclHRDParametersPresentFlag
    }

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("nal_hrd_parameters_present_flag", &nalHRDParametersPresentFlag)
      try v.flag("vcl_hrd_parameters_present_flag", &vclHRDParametersPresentFlag)
      guard cpbDPBDelaysPresent else { return }
      try v.flag("sub_pic_hrd_params_present_flag", &subPicHRDParamsPresentFlag)
      if subPicHRDParamsPresentFlag {
        try v.u(8, "tick_divisor_minus2", &tickDivisorMinus2)
        try v.u(
          5, "du_cpb_removal_delay_increment_length_minus1", &duCPBRemovalDelayIncrementLengthMinus1
        )
        try v.flag(
          "sub_pic_cpb_params_in_pic_timing_sei_flag", &subPicCPBParamsInPicTimingSEIFlag)
        try v.u(5, "dpb_output_delay_du_length_minus1", &dpbOutputDelayDULengthMinus1)
      }
      try v.u(4, "bit_rate_scale", &bitRateScale)
      try v.u(4, "cpb_size_scale", &cpbSizeScale)
      if subPicHRDParamsPresentFlag { try v.u(4, "cpb_size_du_scale", &cpbSizeDUScale) }
      try v.u(5, "initial_cpb_removal_delay_length_minus1", &initialCPBRemovalDelayLengthMinus1)
      try v.u(5, "au_cpb_removal_delay_length_minus1", &auCPBRemovalDelayLengthMinus1)
      try v.u(5, "dpb_output_delay_length_minus1", &dpbOutputDelayLengthMinus1)
    }
  }

  /// The decoder models of one temporal sub-layer: E.2.2.
  public struct SubLayer: Blank, Hashable, Sendable {
    public var fixedPicRateGeneralFlag = false
    public var fixedPicRateWithinCVSFlag = false
    public var elementalDurationInTCMinus1: UInt16 = 0
    public var lowDelayHRDFlag = false
    public var cpbCntMinus1: UInt8 = 0
    public var nal: [Schedule] = []
    public var vcl: [Schedule] = []

    public init() {}

    /// `CpbCnt`.
    public var cpbCount: Int { Int(cpbCntMinus1) + 1 }

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ common: Common) throws(SyntaxError) {
      try v.flag("fixed_pic_rate_general_flag", &fixedPicRateGeneralFlag)
      if fixedPicRateGeneralFlag {
        if v.isReading { fixedPicRateWithinCVSFlag = true }
      } else {
        try v.flag("fixed_pic_rate_within_cvs_flag", &fixedPicRateWithinCVSFlag)
      }
      if fixedPicRateWithinCVSFlag {
        try v.ue("elemental_duration_in_tc_minus1", &elementalDurationInTCMinus1, in: 0...2047)
      } else {
        try v.flag("low_delay_hrd_flag", &lowDelayHRDFlag)
      }
      if !lowDelayHRDFlag { try v.ue("cpb_cnt_minus1", &cpbCntMinus1, in: 0...31) }
      if common.nalHRDParametersPresentFlag {
        try v.list("nal_sub_layer_hrd_parameters", &nal, count: cpbCount) {
          schedule, v throws(SyntaxError) in try schedule.syntax(&v, common)
        }
      }
      if common.vclHRDParametersPresentFlag {
        try v.list("vcl_sub_layer_hrd_parameters", &vcl, count: cpbCount) {
          schedule, v throws(SyntaxError) in try schedule.syntax(&v, common)
        }
      }
    }
  }

  /// A delivery schedule (`sub_layer_hrd_parameters()`): E.2.3.
  public struct Schedule: Blank, Hashable, Sendable {
    public var bitRateValueMinus1: UInt32 = 0
    public var cpbSizeValueMinus1: UInt32 = 0
    public var cpbSizeDUValueMinus1: UInt32 = 0
    public var bitRateDUValueMinus1: UInt32 = 0
    public var cbrFlag = false

    public init() {}

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ common: Common) throws(SyntaxError) {
      try v.ue("bit_rate_value_minus1", &bitRateValueMinus1)
      try v.ue("cpb_size_value_minus1", &cpbSizeValueMinus1)
      if common.subPicHRDParamsPresentFlag {
        try v.ue("cpb_size_du_value_minus1", &cpbSizeDUValueMinus1)
        try v.ue("bit_rate_du_value_minus1", &bitRateDUValueMinus1)
      }
      try v.flag("cbr_flag", &cbrFlag)
    }
  }

  /// - Parameter inherited: the common part of the previous set, for a set without one.
  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, inherited: Common? = nil, maxSubLayersMinus1: UInt8
  ) throws(SyntaxError) {
    if let inherited {
      if v.isReading { common = inherited }
    } else {
      try common.syntax(&v)
    }
    let common = common
    try v.list("sub_layers", &subLayers, count: Int(maxSubLayersMinus1) + 1) {
      layer, v throws(SyntaxError) in try layer.syntax(&v, common)
    }
  }
}
