// SPDX-License-Identifier: MIT

public import ApusBytes

/// Picture timing (`pic_timing()`): ITU-T H.265, D.2.3.
public struct PictureTiming: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 1

  public var picStruct: UInt8 = 0
  public var sourceScanType: UInt8 = 2
  public var duplicateFlag = false
  public var auCPBRemovalDelayMinus1: UInt32 = 0
  public var picDPBOutputDelay: UInt32 = 0
  public var picDPBOutputDUDelay: UInt32 = 0
  public var duCommonCPBRemovalDelayFlag = false
  public var duCommonCPBRemovalDelayIncrementMinus1: UInt32 = 0
  public var decodingUnits: [DecodingUnit] = []

  private var sequence: SequenceParameterSet?
  private var model: HRDParameters.Common?

  public init() {}
  public init(in context: SEIContext) {
    sequence = context.sets.activeSequence
    model = sequence.flatMap { context.sets.decoderModels[$0.spsSeqParameterSetID]?.common }
  }

  /// The number of NAL units in a decoding unit, and its removal time.
  public struct DecodingUnit: Blank, Hashable, Sendable {
    public var numNALUsInDUMinus1: UInt32 = 0
    public var duCPBRemovalDelayIncrementMinus1: UInt32 = 0
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    guard let sequence else {
      throw v.failure(
        .unsupported, "pic_timing", "depends on an active sequence parameter set, none was seen")
    }
    if sequence.vuiParametersPresentFlag, sequence.vui.frameFieldInfoPresentFlag {
      try v.u(4, "pic_struct", &picStruct)
      try v.u(2, "source_scan_type", &sourceScanType)
      try v.flag("duplicate_flag", &duplicateFlag)
    }
    guard let model, model.cpbDPBDelaysPresent else { return }
    try v.u(
      Int(model.auCPBRemovalDelayLengthMinus1) + 1, "au_cpb_removal_delay_minus1",
      &auCPBRemovalDelayMinus1)
    try v.u(Int(model.dpbOutputDelayLengthMinus1) + 1, "pic_dpb_output_delay", &picDPBOutputDelay)
    guard model.subPicHRDParamsPresentFlag else { return }
    try v.u(
      Int(model.dpbOutputDelayDULengthMinus1) + 1, "pic_dpb_output_du_delay", &picDPBOutputDUDelay)
    guard model.subPicCPBParamsInPicTimingSEIFlag else { return }
    let count = try v.ueCount(
      "num_decoding_units_minus1", decodingUnits.count, minus: 1, in: 0...0xffff)
    try v.flag("du_common_cpb_removal_delay_flag", &duCommonCPBRemovalDelayFlag)
    let bits = Int(model.duCPBRemovalDelayIncrementLengthMinus1) + 1
    if duCommonCPBRemovalDelayFlag {
      try v.u(
        bits, "du_common_cpb_removal_delay_increment_minus1",
        &duCommonCPBRemovalDelayIncrementMinus1)
    }
    let isCommon = duCommonCPBRemovalDelayFlag
    try v.indexed("decoding_units", &decodingUnits, count: count) {
      index, unit, v throws(SyntaxError) in
      try v.ue("num_nalus_in_du_minus1", &unit.numNALUsInDUMinus1)
      if !isCommon, index < count - 1 {
        try v.u(
          bits, "du_cpb_removal_delay_increment_minus1", &unit.duCPBRemovalDelayIncrementMinus1)
      }
    }
  }
}
