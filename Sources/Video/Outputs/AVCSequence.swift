// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEVC
internal import ISOBMFF

/// What a sample entry says of AVC pictures, from their sequence parameter set: ITU-T H.264, 7.3.2.1.1 and E.1.1.
struct AVCSequence: Sendable {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var sampleAspectRatio: (width: Int, height: Int)?
  private(set) var colour: ColourInformation?
  /// `chroma_format_idc`.
  private(set) var chromaFormat: UInt32 = 1
  private(set) var order = AVCOrderParameters()

  /// `nil` for what cannot be read.
  init?(nalUnit: [UInt8]) {
    guard nalUnit.count > 4 else { return nil }
    var reader = SyntaxReader(escaped: Array(nalUnit.dropFirst()))
    do throws(SyntaxError) {
      try read(&reader)
    } catch {
      return nil
    }
  }

  private var profile: UInt8 = 0
  private var isSeparate = false
  private var number: UInt32 = 0
  private var signed: Int32 = 0
  private var bit = false
  private var byte: UInt8 = 0

  private mutating func read(_ v: inout SyntaxReader) throws(SyntaxError) {
    try v.u(8, "profile_idc", &profile)
    try v.u(8, "constraint_set_flags", &byte)
    try v.u(8, "level_idc", &byte)
    try v.ue("seq_parameter_set_id", &order.id, in: 0...31)
    if [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135].contains(profile) {
      try readHighProfile(&v)
    }
    try v.ue("log2_max_frame_num_minus4", &number, in: 0...12)
    order.frameNumberBits = Int(number) + 4
    order.hasSeparatePlanes = isSeparate
    try readOrderCount(&v)
    try v.ue("max_num_ref_frames", &number)
    try v.flag("gaps_in_frame_num_value_allowed_flag", &bit)
    var columns: UInt32 = 0
    var rows: UInt32 = 0
    try v.ue("pic_width_in_mbs_minus1", &columns, in: 0...4095)
    try v.ue("pic_height_in_map_units_minus1", &rows, in: 0...4095)
    var isFrames = true
    try v.flag("frame_mbs_only_flag", &isFrames)
    order.isFramesOnly = isFrames
    if !isFrames { try v.flag("mb_adaptive_frame_field_flag", &bit) }
    try v.flag("direct_8x8_inference_flag", &bit)
    let fields = isFrames ? 1 : 2
    width = Int(columns + 1) * 16
    height = Int(rows + 1) * 16 * fields
    try v.flag("frame_cropping_flag", &bit)
    if bit { try readCropping(&v, fields: fields) }
    try v.flag("vui_parameters_present_flag", &bit)
    if bit { try readUsability(&v) }
  }

  private mutating func readHighProfile(_ v: inout SyntaxReader) throws(SyntaxError) {
    try v.ue("chroma_format_idc", &chromaFormat, in: 0...3)
    if chromaFormat == 3 { try v.flag("separate_colour_plane_flag", &isSeparate) }
    try v.ue("bit_depth_luma_minus8", &number, in: 0...6)
    try v.ue("bit_depth_chroma_minus8", &number, in: 0...6)
    try v.flag("qpprime_y_zero_transform_bypass_flag", &bit)
    try v.flag("seq_scaling_matrix_present_flag", &bit)
    guard bit else { return }
    for list in 0..<(chromaFormat == 3 ? 12 : 8) {
      try v.flag("seq_scaling_list_present_flag", &bit)
      if bit { try readScalingList(&v, count: list < 6 ? 16 : 64) }
    }
  }

  private mutating func readScalingList(_ v: inout SyntaxReader, count: Int) throws(SyntaxError) {
    var (last, next) = (8, 8)
    for _ in 0..<count {
      if next != 0 {
        try v.se("delta_scale", &signed, in: -128...127)
        next = (last + Int(signed) + 256) % 256
      }
      if next != 0 { last = next }
    }
  }

  private mutating func readOrderCount(_ v: inout SyntaxReader) throws(SyntaxError) {
    try v.ue("pic_order_cnt_type", &number, in: 0...2)
    order.type = Int(number)
    if number == 0 {
      try v.ue("log2_max_pic_order_cnt_lsb_minus4", &number, in: 0...12)
      order.lsbBits = Int(number) + 4
    }
    guard order.type == 1 else { return }
    try v.flag("delta_pic_order_always_zero_flag", &order.hasNoDeltas)
    try v.se("offset_for_non_ref_pic", &signed)
    order.offsetForOthers = Int(signed)
    try v.se("offset_for_top_to_bottom_field", &signed)
    var count: UInt32 = 0
    try v.ue("num_ref_frames_in_pic_order_cnt_cycle", &count, in: 0...255)
    for _ in 0..<count {
      try v.se("offset_for_ref_frame", &signed)
      order.cycle.append(Int(signed))
    }
  }

  private mutating func readCropping(_ v: inout SyntaxReader, fields: Int) throws(SyntaxError) {
    var edges: [UInt32] = [0, 0, 0, 0]
    try v.ue("frame_crop_left_offset", &edges[0], in: 0...0xffff)
    try v.ue("frame_crop_right_offset", &edges[1], in: 0...0xffff)
    try v.ue("frame_crop_top_offset", &edges[2], in: 0...0xffff)
    try v.ue("frame_crop_bottom_offset", &edges[3], in: 0...0xffff)
    let format = isSeparate ? 0 : chromaFormat
    let across = format == 1 || format == 2 ? 2 : 1
    let down = (format == 1 ? 2 : 1) * fields
    width -= across * Int(edges[0] + edges[1])
    height -= down * Int(edges[2] + edges[3])
  }

  private mutating func readUsability(_ v: inout SyntaxReader) throws(SyntaxError) {
    try v.flag("aspect_ratio_info_present_flag", &bit)
    if bit { try readAspectRatio(&v) }
    try v.flag("overscan_info_present_flag", &bit)
    if bit { try v.flag("overscan_appropriate_flag", &bit) }
    try v.flag("video_signal_type_present_flag", &bit)
    guard bit else { return }
    var found = ColourInformation()
    try v.u(3, "video_format", &byte)
    try v.flag("video_full_range_flag", &found.fullRangeFlag)
    try v.flag("colour_description_present_flag", &bit)
    if bit {
      try v.u(8, "colour_primaries", &found.colourPrimaries)
      try v.u(8, "transfer_characteristics", &found.transferCharacteristics)
      try v.u(8, "matrix_coefficients", &found.matrixCoefficients)
    }
    if bit || found.fullRangeFlag { colour = found }
  }

  private mutating func readAspectRatio(_ v: inout SyntaxReader) throws(SyntaxError) {
    try v.u(8, "aspect_ratio_idc", &byte)
    if byte == 255 {
      var ratio: (width: UInt16, height: UInt16) = (0, 0)
      try v.u(16, "sar_width", &ratio.width)
      try v.u(16, "sar_height", &ratio.height)
      sampleAspectRatio = (Int(ratio.width), Int(ratio.height))
    } else {
      sampleAspectRatio = SequenceParameterSet.sampleAspectRatio(of: byte)
    }
  }
}
