// SPDX-License-Identifier: MIT

internal import Bytes

/// Sequence parameter set of H.264 up to what its pictures look like: ITU-T H.264, 7.3.2.1.1 and E.1.1.
struct AVCSequenceParameterSet: SyntaxStructure {
  var profileIDC: UInt8 = 0
  var chromaFormatIDC: UInt8 = 1
  var hasSeparateColourPlanes = false
  var bitDepthLumaMinus8: UInt8 = 0
  var bitDepthChromaMinus8: UInt8 = 0
  var widthInMbsMinus1: UInt32 = 0
  var heightInMapUnitsMinus1: UInt32 = 0
  var isFrameMbsOnly = true
  /// Left, right, top, bottom, in units of `cropUnit`.
  var cropping: [UInt32] = [0, 0, 0, 0]
  var hasVideoSignalType = false
  var isFullRange = false
  /// Primaries, transfer characteristics, matrix coefficients.
  var colour: [UInt8] = [2, 2, 2]

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var header: UInt8 = 0x67
    try v.u(8, "nal_unit_header", &header, as: .hex)
    try v.u(8, "profile_idc", &profileIDC)
    var constraintsAndLevel: UInt16 = 0
    try v.u(16, "constraints and level_idc", &constraintsAndLevel, as: .hex)
    var number: UInt32 = 0
    try v.ue("seq_parameter_set_id", &number, in: 0...31)
    if Self.highProfiles.contains(profileIDC) { try high(&v) }
    try v.ue("log2_max_frame_num_minus4", &number, in: 0...12)
    try orderCount(&v)
    try v.ue("max_num_ref_frames", &number)
    var flag = false
    try v.flag("gaps_in_frame_num_value_allowed_flag", &flag)
    try v.ue("pic_width_in_mbs_minus1", &widthInMbsMinus1, in: 0...0xffff)
    try v.ue("pic_height_in_map_units_minus1", &heightInMapUnitsMinus1, in: 0...0xffff)
    try v.flag("frame_mbs_only_flag", &isFrameMbsOnly)
    if !isFrameMbsOnly { try v.flag("mb_adaptive_frame_field_flag", &flag) }
    try v.flag("direct_8x8_inference_flag", &flag)
    try v.flag("frame_cropping_flag", &flag)
    if flag {
      for index in 0..<4 { try v.ue("frame_crop_offset", &cropping[index], in: 0...0xfffff) }
    }
    try v.flag("vui_parameters_present_flag", &flag)
    if flag { try usability(&v) }
  }

  private static let highProfiles: Set<UInt8> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  private mutating func high<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("chroma_format_idc", &chromaFormatIDC, in: 0...3)
    if chromaFormatIDC == 3 { try v.flag("separate_colour_plane_flag", &hasSeparateColourPlanes) }
    try v.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, in: 0...6)
    try v.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, in: 0...6)
    var flag = false
    try v.flag("qpprime_y_zero_transform_bypass_flag", &flag)
    try v.flag("seq_scaling_matrix_present_flag", &flag)
    guard flag else { return }
    for index in 0..<(chromaFormatIDC == 3 ? 12 : 8) {
      try v.flag("seq_scaling_list_present_flag", &flag)
      if flag { try scalingList(&v, size: index < 6 ? 16 : 64) }
    }
  }

  private func scalingList<V: SyntaxVisitor>(_ v: inout V, size: Int) throws(SyntaxError) {
    var (last, next) = (8, 8)
    for _ in 0..<size {
      if next != 0 {
        var delta: Int16 = 0
        try v.se("delta_scale", &delta, in: -128...127)
        next = (last + Int(delta) + 256) % 256
      }
      if next != 0 { last = next }
    }
  }

  private func orderCount<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var type: UInt8 = 0
    try v.ue("pic_order_cnt_type", &type, in: 0...2)
    var number: UInt32 = 0
    if type == 0 {
      try v.ue("log2_max_pic_order_cnt_lsb_minus4", &number, in: 0...12)
    } else if type == 1 {
      var flag = false
      try v.flag("delta_pic_order_always_zero_flag", &flag)
      var offset: Int32 = 0
      try v.se("offset_for_non_ref_pic", &offset)
      try v.se("offset_for_top_to_bottom_field", &offset)
      try v.ue("num_ref_frames_in_pic_order_cnt_cycle", &number, in: 0...255)
      for _ in 0..<number { try v.se("offset_for_ref_frame", &offset) }
    }
  }

  private mutating func usability<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var flag = false
    try v.flag("aspect_ratio_info_present_flag", &flag)
    if flag {
      var ratio: UInt8 = 0
      try v.u(8, "aspect_ratio_idc", &ratio)
      var sides: UInt32 = 0
      if ratio == 255 { try v.u(32, "sar_width and sar_height", &sides) }
    }
    try v.flag("overscan_info_present_flag", &flag)
    if flag { try v.flag("overscan_appropriate_flag", &flag) }
    try v.flag("video_signal_type_present_flag", &hasVideoSignalType)
    guard hasVideoSignalType else { return }
    var format: UInt8 = 0
    try v.u(3, "video_format", &format)
    try v.flag("video_full_range_flag", &isFullRange)
    try v.flag("colour_description_present_flag", &flag)
    guard flag else { return }
    for index in 0..<3 { try v.u(8, "colour_description", &colour[index]) }
  }
}

extension AVCSequenceParameterSet {
  /// Reads a NAL unit.
  init(_ bytes: [UInt8]) throws(SyntaxError) {
    var reader = SyntaxReader(escaped: bytes)
    try syntax(&reader)
  }

  /// How many luma samples one unit of `cropping` covers (`CropUnitX`, `CropUnitY`).
  private var cropUnit: (x: Int, y: Int) {
    let fields = isFrameMbsOnly ? 1 : 2
    switch hasSeparateColourPlanes ? 0 : chromaFormatIDC {
    case 1: return (2, 2 * fields)
    case 2: return (2, fields)
    default: return (1, fields)
    }
  }

  /// The sides of the picture, cropped.
  var width: Int {
    (Int(widthInMbsMinus1) + 1) * 16 - cropUnit.x * (Int(cropping[0]) + Int(cropping[1]))
  }

  var height: Int {
    (Int(heightInMapUnitsMinus1) + 1) * 16 * (isFrameMbsOnly ? 1 : 2)
      - cropUnit.y * (Int(cropping[2]) + Int(cropping[3]))
  }
}
