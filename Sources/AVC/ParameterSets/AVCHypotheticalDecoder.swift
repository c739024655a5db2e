// SPDX-License-Identifier: MIT

public import ApusBytes

/// Parameters of the hypothetical reference decoder (`hrd_parameters`): ITU-T H.264, E.1.2.
public struct AVCHypotheticalDecoder: SyntaxStructure, Hashable {
  /// A delivery schedule of the stream.
  public struct Schedule: SyntaxStructure, Hashable {
    public var bitRateValueMinus1: UInt32 = 0
    public var cpbSizeValueMinus1: UInt32 = 0
    public var cbrFlag = false

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.ue("bit_rate_value_minus1", &bitRateValueMinus1)
      try v.ue("cpb_size_value_minus1", &cpbSizeValueMinus1)
      try v.flag("cbr_flag", &cbrFlag)
    }
  }

  public var bitRateScale: UInt8 = 0
  public var cpbSizeScale: UInt8 = 0
  public var schedules = [Schedule()]
  public var initialCPBRemovalDelayLengthMinus1: UInt8 = 23
  public var cpbRemovalDelayLengthMinus1: UInt8 = 23
  public var dpbOutputDelayLengthMinus1: UInt8 = 23
  public var timeOffsetLength: UInt8 = 24

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var countMinus1 = UInt8(truncatingIfNeeded: schedules.count &- 1)
    try v.ue("cpb_cnt_minus1", &countMinus1, in: 0...31)
    try v.u(4, "bit_rate_scale", &bitRateScale)
    try v.u(4, "cpb_size_scale", &cpbSizeScale)
    try v.list("SchedSelIdx", &schedules, count: Int(countMinus1) + 1)
    try v.u(5, "initial_cpb_removal_delay_length_minus1", &initialCPBRemovalDelayLengthMinus1)
    try v.u(5, "cpb_removal_delay_length_minus1", &cpbRemovalDelayLengthMinus1)
    try v.u(5, "dpb_output_delay_length_minus1", &dpbOutputDelayLengthMinus1)
    try v.u(5, "time_offset_length", &timeOffsetLength)
  }
}
