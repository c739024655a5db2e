// SPDX-License-Identifier: MIT

public import ApusBytes

/// The clock of H.264 pictures and the buffering that a decoder needs: the end of ITU-T H.264, E.1.1.
public struct AVCBuffering: SyntaxStructure, Hashable {
  public var timingInfoPresentFlag = false
  public var numUnitsInTick: UInt32 = 0
  public var timeScale: UInt32 = 0
  public var fixedFrameRateFlag = false
  public var nalHRDParametersPresentFlag = false
  public var nalHRD = AVCHypotheticalDecoder()
  public var vclHRDParametersPresentFlag = false
  public var vclHRD = AVCHypotheticalDecoder()
  public var lowDelayHRDFlag = false
  public var picStructPresentFlag = false
  public var bitstreamRestrictionFlag = false
  public var motionVectorsOverPicBoundariesFlag = true
  public var maxBytesPerPicDenom: UInt8 = 2
  public var maxBitsPerMbDenom: UInt8 = 1
  public var log2MaxMVLengthHorizontal: UInt8 = 16
  public var log2MaxMVLengthVertical: UInt8 = 16
  public var maxNumReorderFrames: UInt8 = 0
  public var maxDecFrameBuffering: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("timing_info_present_flag", &timingInfoPresentFlag)
    if timingInfoPresentFlag {
      try v.u(32, "num_units_in_tick", &numUnitsInTick)
      try v.u(32, "time_scale", &timeScale)
      try v.flag("fixed_frame_rate_flag", &fixedFrameRateFlag)
    }
    try v.flag("nal_hrd_parameters_present_flag", &nalHRDParametersPresentFlag)
    if nalHRDParametersPresentFlag { try v.group("hrd_parameters", &nalHRD) }
    try v.flag("vcl_hrd_parameters_present_flag", &vclHRDParametersPresentFlag)
    if vclHRDParametersPresentFlag { try v.group("hrd_parameters", &vclHRD) }
    if nalHRDParametersPresentFlag || vclHRDParametersPresentFlag {
      try v.flag("low_delay_hrd_flag", &lowDelayHRDFlag)
    }
    try v.flag("pic_struct_present_flag", &picStructPresentFlag)
    try v.flag("bitstream_restriction_flag", &bitstreamRestrictionFlag)
    guard bitstreamRestrictionFlag else { return }
    try v.flag("motion_vectors_over_pic_boundaries_flag", &motionVectorsOverPicBoundariesFlag)
    try v.ue("max_bytes_per_pic_denom", &maxBytesPerPicDenom, in: 0...16)
    try v.ue("max_bits_per_mb_denom", &maxBitsPerMbDenom, in: 0...16)
    try v.ue("log2_max_mv_length_horizontal", &log2MaxMVLengthHorizontal, in: 0...16)
    try v.ue("log2_max_mv_length_vertical", &log2MaxMVLengthVertical, in: 0...16)
    try v.ue("max_num_reorder_frames", &maxNumReorderFrames, in: 0...16)
    try v.ue("max_dec_frame_buffering", &maxDecFrameBuffering, in: 0...16)
  }
}
