// SPDX-License-Identifier: MIT

public import ApusBytes

/// A sequence parameter set of H.264 (`seq_parameter_set_data`): ITU-T H.264, 7.3.2.1.1.
public struct AVCSequenceParameterSet: SyntaxStructure, Hashable {
  public var profileIDC: UInt8 = 0
  public var constraintSetFlags: UInt8 = 0
  public var levelIDC: UInt8 = 0
  public var id: UInt8 = 0
  public var format = AVCSampleFormat()
  public var log2MaxFrameNumMinus4: UInt8 = 0
  public var pictureOrder = AVCPictureOrder()
  public var maxNumRefFrames: UInt32 = 0
  public var gapsInFrameNumValueAllowedFlag = false
  public var picWidthInMbsMinus1: UInt32 = 0
  public var picHeightInMapUnitsMinus1: UInt32 = 0
  public var frameMbsOnlyFlag = true
  public var mbAdaptiveFrameFieldFlag = false
  public var direct8x8InferenceFlag = false
  public var frameCroppingFlag = false
  public var frameCropLeftOffset: UInt32 = 0
  public var frameCropRightOffset: UInt32 = 0
  public var frameCropTopOffset: UInt32 = 0
  public var frameCropBottomOffset: UInt32 = 0
  public var vuiParametersPresentFlag = false
  public var vui = AVCUsability()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "profile_idc", &profileIDC)
    try v.constraintFlags(&constraintSetFlags)
    try v.u(8, "level_idc", &levelIDC)
    try v.ue("seq_parameter_set_id", &id, in: 0...31)
    if Self.profilesWithFormat.contains(profileIDC) { try format.syntax(&v) }
    try v.ue("log2_max_frame_num_minus4", &log2MaxFrameNumMinus4, in: 0...12)
    try pictureOrder.syntax(&v)
    try v.ue("max_num_ref_frames", &maxNumRefFrames)
    try v.flag("gaps_in_frame_num_value_allowed_flag", &gapsInFrameNumValueAllowedFlag)
    try v.ue("pic_width_in_mbs_minus1", &picWidthInMbsMinus1, in: 0...0xffff)
    try v.ue("pic_height_in_map_units_minus1", &picHeightInMapUnitsMinus1, in: 0...0xffff)
    try v.flag("frame_mbs_only_flag", &frameMbsOnlyFlag)
    if !frameMbsOnlyFlag { try v.flag("mb_adaptive_frame_field_flag", &mbAdaptiveFrameFieldFlag) }
    try v.flag("direct_8x8_inference_flag", &direct8x8InferenceFlag)
    try v.flag("frame_cropping_flag", &frameCroppingFlag)
    if frameCroppingFlag {
      try v.ue("frame_crop_left_offset", &frameCropLeftOffset, in: 0...0xfffff)
      try v.ue("frame_crop_right_offset", &frameCropRightOffset, in: 0...0xfffff)
      try v.ue("frame_crop_top_offset", &frameCropTopOffset, in: 0...0xfffff)
      try v.ue("frame_crop_bottom_offset", &frameCropBottomOffset, in: 0...0xfffff)
    }
    try v.flag("vui_parameters_present_flag", &vuiParametersPresentFlag)
    if vuiParametersPresentFlag { try vui.syntax(&v) }
  }

  /// The profiles whose sets describe the sample format; others have 4:2:0 with 8 bits.
  private static let profilesWithFormat: Set<UInt8> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]
}

extension SyntaxVisitor {
  /// Visits the constraint flags, with `constraint_set0_flag` in the highest bit, and two reserved bits.
  fileprivate mutating func constraintFlags(_ flags: inout UInt8) throws(SyntaxError) {
    let names: [StaticString] = [
      "constraint_set0_flag", "constraint_set1_flag", "constraint_set2_flag",
      "constraint_set3_flag", "constraint_set4_flag", "constraint_set5_flag",
    ]
    var result: UInt8 = 0
    for (index, name) in names.enumerated() {
      var flag = flags << UInt8(index) & 0x80 != 0
      try self.flag(name, &flag)
      if flag { result |= 0x80 >> UInt8(index) }
    }
    var reserved = flags & 3
    try u(2, "reserved_zero_2bits", &reserved)
    flags = result | reserved
  }
}
