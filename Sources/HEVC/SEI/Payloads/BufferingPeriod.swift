// SPDX-License-Identifier: MIT

public import ApusBytes

/// Buffering period (`buffering_period()`): ITU-T H.265, D.2.2.
public struct BufferingPeriod: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 0

  public var bpSeqParameterSetID: UInt8 = 0
  public var irapCPBParamsPresentFlag = false
  public var cpbDelayOffset: UInt32 = 0
  public var dpbDelayOffset: UInt32 = 0
  public var concatenationFlag = false
  public var auCPBRemovalDelayDeltaMinus1: UInt32 = 0
  public var nal: [InitialDelay] = []
  public var vcl: [InitialDelay] = []

  /// The decoder models of the sequence parameter sets, keyed by ID.
  private var models: [UInt8: HRDParameters] = [:]

  public init() {}
  public init(in context: SEIContext) { models = context.sets.decoderModels }

  /// The initial delays of a delivery schedule.
  public struct InitialDelay: Blank, Hashable, Sendable {
    public var delay: UInt32 = 0
    public var offset: UInt32 = 0
    public var altDelay: UInt32 = 0
    public var altOffset: UInt32 = 0
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("bp_seq_parameter_set_id", &bpSeqParameterSetID, in: 0...15)
    guard let model = models[bpSeqParameterSetID] else {
      throw v.failure(
        .unsupported, "bp_seq_parameter_set_id",
        "is \(bpSeqParameterSetID), of which no decoder model (hrd_parameters) was seen")
    }
    let common = model.common
    if !common.subPicHRDParamsPresentFlag {
      try v.flag("irap_cpb_params_present_flag", &irapCPBParamsPresentFlag)
    }
    let cpbBits = Int(common.auCPBRemovalDelayLengthMinus1) + 1
    if irapCPBParamsPresentFlag {
      try v.u(cpbBits, "cpb_delay_offset", &cpbDelayOffset)
      try v.u(Int(common.dpbOutputDelayLengthMinus1) + 1, "dpb_delay_offset", &dpbDelayOffset)
    }
    try v.flag("concatenation_flag", &concatenationFlag)
    try v.u(cpbBits, "au_cpb_removal_delay_delta_minus1", &auCPBRemovalDelayDeltaMinus1)
    let bits = Int(common.initialCPBRemovalDelayLengthMinus1) + 1
    let hasAlternatives = common.subPicHRDParamsPresentFlag || irapCPBParamsPresentFlag
    let count = model.subLayers.first?.cpbCount ?? 0
    if common.nalHRDParametersPresentFlag {
      try v.list("nal_initial_cpb_removal", &nal, count: count) { item, v throws(SyntaxError) in
        try v.u(bits, "nal_initial_cpb_removal_delay", &item.delay)
        try v.u(bits, "nal_initial_cpb_removal_offset", &item.offset)
        guard hasAlternatives else { return }
        try v.u(bits, "nal_initial_alt_cpb_removal_delay", &item.altDelay)
        try v.u(bits, "nal_initial_alt_cpb_removal_offset", &item.altOffset)
      }
    }
    if common.vclHRDParametersPresentFlag {
      try v.list("vcl_initial_cpb_removal", &vcl, count: count) { item, v throws(SyntaxError) in
        try v.u(bits, "vcl_initial_cpb_removal_delay", &item.delay)
        try v.u(bits, "vcl_initial_cpb_removal_offset", &item.offset)
        guard hasAlternatives else { return }
        try v.u(bits, "vcl_initial_alt_cpb_removal_delay", &item.altDelay)
        try v.u(bits, "vcl_initial_alt_cpb_removal_offset", &item.altOffset)
      }
    }
  }
}

extension ParameterSets {
  /// The decoder models of all sequences, either from the sequence or from its video parameter set.
  var decoderModels: [UInt8: HRDParameters] {
    sequences.compactMapValues { sequence in
      let timing = sequence.vui.timing
      return timing.vuiHRDParametersPresentFlag
        ? timing.hrdParameters
        : videos[sequence.spsVideoParameterSetID]?.timing.hrds.first?.parameters
    }
  }
}
