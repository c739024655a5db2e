// SPDX-License-Identifier: MIT

public import ApusBytes

/// An operating point, one of the ways to decode a stream of AV1: AV1 Bitstream & Decoding Process Specification,
/// 5.5.1.
public struct AV1OperatingPoint: Blank, Hashable, Sendable {
  public var idc: UInt16 = 0
  public var seqLevelIndex: UInt8 = 0
  public var seqTier = false
  public var decoderModelPresent = false
  public var decoderBufferDelay: UInt32 = 0
  public var encoderBufferDelay: UInt32 = 0
  public var lowDelayModeFlag = false
  public var initialDisplayDelayPresent = false
  public var initialDisplayDelayMinus1: UInt8 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ timing: AV1Timing, hasDelays: Bool)
    throws(SyntaxError)
  {
    try v.u(12, "operating_point_idc", &idc)
    try v.u(5, "seq_level_idx", &seqLevelIndex)
    if seqLevelIndex > 7 { try v.flag("seq_tier", &seqTier) }
    if timing.decoderModelInfoPresentFlag {
      try v.flag("decoder_model_present_for_this_op", &decoderModelPresent)
      if decoderModelPresent {
        let bits = Int(timing.bufferDelayLengthMinus1) + 1
        try v.u(bits, "decoder_buffer_delay", &decoderBufferDelay)
        try v.u(bits, "encoder_buffer_delay", &encoderBufferDelay)
        try v.flag("low_delay_mode_flag", &lowDelayModeFlag)
      }
    }
    guard hasDelays else { return }
    try v.flag("initial_display_delay_present_for_this_op", &initialDisplayDelayPresent)
    if initialDisplayDelayPresent {
      try v.u(4, "initial_display_delay_minus_1", &initialDisplayDelayMinus1)
    }
  }
}
