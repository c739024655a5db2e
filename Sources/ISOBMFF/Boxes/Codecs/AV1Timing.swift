// SPDX-License-Identifier: MIT

public import ApusBytes

/// The clock of an AV1 stream, and the lengths of fields that use it: AV1 Bitstream & Decoding Process Specification,
/// 5.5.3 and 5.5.4.
public struct AV1Timing: SyntaxStructure, Hashable {
  public var timingInfoPresentFlag = false
  public var numUnitsInDisplayTick: UInt32 = 0
  public var timeScale: UInt32 = 0
  public var equalPictureInterval = false
  public var numTicksPerPictureMinus1: UInt32 = 0
  public var decoderModelInfoPresentFlag = false
  public var bufferDelayLengthMinus1: UInt8 = 0
  public var numUnitsInDecodingTick: UInt32 = 0
  public var bufferRemovalTimeLengthMinus1: UInt8 = 0
  public var framePresentationTimeLengthMinus1: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("timing_info_present_flag", &timingInfoPresentFlag)
    guard timingInfoPresentFlag else { return }
    try v.u(32, "num_units_in_display_tick", &numUnitsInDisplayTick)
    try v.u(32, "time_scale", &timeScale)
    try v.flag("equal_picture_interval", &equalPictureInterval)
    // uvlc() is the code ue(v).
    if equalPictureInterval { try v.ue("num_ticks_per_picture_minus_1", &numTicksPerPictureMinus1) }
    try v.flag("decoder_model_info_present_flag", &decoderModelInfoPresentFlag)
    guard decoderModelInfoPresentFlag else { return }
    try v.u(5, "buffer_delay_length_minus_1", &bufferDelayLengthMinus1)
    try v.u(32, "num_units_in_decoding_tick", &numUnitsInDecodingTick)
    try v.u(5, "buffer_removal_time_length_minus_1", &bufferRemovalTimeLengthMinus1)
    try v.u(5, "frame_presentation_time_length_minus_1", &framePresentationTimeLengthMinus1)
  }
}
