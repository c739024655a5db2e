// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import TestSupport
import Testing

/// A NAL unit of a sequence parameter set, whole.
private struct Unit: SyntaxStructure {
  var header = AVCNALUnitHeader()
  var set = AVCSequenceParameterSet()
  var trailing = TrailingBits()

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try set.syntax(&v)
    try trailing.syntax(&v)
  }

  init() {}

  init(_ bytes: [UInt8]) throws(SyntaxError) {
    var reader = SyntaxReader(escaped: bytes)
    try syntax(&reader)
  }

  func bytes() throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink(), escaping: true)
    var copy = self
    try copy.syntax(&writer)
    return writer.sink.bytes
  }
}

/// Sets that x264 wrote (`ffmpeg -f lavfi -i testsrc=s=66x50 -c:v libx264 …`), and what FFmpeg's `trace_headers`
/// says of them.
@Suite struct AVCSequenceParameterSetTests {
  static let rows: [(bytes: String, fields: [String])] = [
    (
      "6764000bacd945278888c05a808080a000000300200000064c0c0061a800c35cd8600f142996",
      [
        "profile_idc=100", "level_idc=11", "chroma_format_idc=1", "max_num_ref_frames=4",
        "log2_max_pic_order_cnt_lsb_minus4=2", "pic_width_in_mbs_minus1=4",
        "pic_height_in_map_units_minus1=3", "frame_mbs_only_flag=1", "frame_crop_right_offset=7",
        "frame_crop_bottom_offset=7", "aspect_ratio_idc=1", "colour_primaries=1",
        "num_units_in_tick=1", "time_scale=50", "nal_hrd_parameters_present_flag=1",
        "hrd_parameters.cpb_size_scale=3",
        "hrd_parameters.SchedSelIdx[0].bit_rate_value_minus1=3124",
        "hrd_parameters.SchedSelIdx[0].cbr_flag=1",
        "hrd_parameters.initial_cpb_removal_delay_length_minus1=19",
        "hrd_parameters.cpb_removal_delay_length_minus1=12",
        "hrd_parameters.dpb_output_delay_length_minus1=6", "low_delay_hrd_flag=0",
        "log2_max_mv_length_horizontal=9", "max_num_reorder_frames=2", "max_dec_frame_buffering=4",
      ]
    ),
    (
      "67f4000a919b28a4f1f1f808800000030080000019078912cb",
      [
        "profile_idc=244", "chroma_format_idc=3", "separate_colour_plane_flag=0",
        "frame_crop_right_offset=14", "frame_crop_bottom_offset=14",
        "log2_max_mv_length_vertical=8", "max_dec_frame_buffering=4",
      ]
    ),
    (
      "677a0015b6cd9454f111180b64000003000400000300c87c50a658",
      [
        "profile_idc=122", "bit_depth_luma_minus8=2", "bit_depth_chroma_minus8=2",
        "pic_height_in_map_units_minus1=1", "frame_mbs_only_flag=0",
        "mb_adaptive_frame_field_flag=1", "video_format=5", "video_full_range_flag=1",
        "colour_description_present_flag=0", "pic_struct_present_flag=1",
      ]
    ),
    (
      "6742c00ad905278888c044000003000400000300c83c489920",
      [
        "profile_idc=66", "constraint_set0_flag=1", "constraint_set1_flag=1",
        "pic_order_cnt_type=2",
        "max_num_ref_frames=3", "video_signal_type_present_flag=0", "max_num_reorder_frames=0",
        "max_dec_frame_buffering=3",
      ]
    ),
  ]

  @Test(arguments: rows) func `it reads every field`(bytes: String, fields: [String]) throws {
    var unit = try Unit(hex(bytes))
    let listing = try FieldMapper.fields(at: 0, escaping: true) { v throws(SyntaxError) in
      try unit.syntax(&v)
    }.flatMap(\.leaves).map { "\($0.name)=\($0.field.text)" }
    for field in fields { #expect(listing.contains(field), "\(listing)") }
  }

  @Test(arguments: rows) func `it writes the same bytes`(bytes: String, _: [String]) throws {
    #expect(try Unit(hex(bytes)).bytes() == hex(bytes))
  }

  @Test(arguments: rows) func `it loses no bit that is flipped`(bytes: String, _: [String]) throws {
    let bytes = hex(bytes)
    var read = 0
    for bit in 8..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      guard let unit = try? Unit(flipped) else { continue }
      read += 1
      // Emulation prevention that a flip made needless is not written again.
      let rewritten = try Unit(try unit.bytes())
      #expect(rewritten.set == unit.set, "bit \(bit)")
    }
    #expect(read > bytes.count)
  }

  @Test(arguments: rows) func `it refuses a set cut before its pictures`(
    bytes: String, _: [String]
  ) throws {
    let bytes = hex(bytes)
    let whole = try AVCSequenceParameterSet(nalUnit: bytes)
    var refused = 0
    for count in 0..<bytes.count {
      guard let cut = try? AVCSequenceParameterSet(nalUnit: Array(bytes.prefix(count))) else {
        refused += 1
        continue
      }
      #expect(cut.width == whole.width && cut.height == whole.height, "\(count) bytes")
    }
    #expect(refused >= 10)
  }

  /// A list that ends early with the scale 0, and one with all of its scales: 7.3.2.1.1.1.
  @Test func `it keeps scaling lists`() throws {
    var unit = Unit()
    unit.set.profileIDC = 100
    unit.set.format.seqScalingMatrixPresentFlag = true
    unit.set.format.scalingLists = Array(repeating: AVCScalingList(), count: 8)
    unit.set.format.scalingLists[0].isPresent = true
    unit.set.format.scalingLists[0].deltas = [4, -12]
    unit.set.format.scalingLists[7].isPresent = true
    unit.set.format.scalingLists[7].deltas = (0..<64).map { Int8($0 % 3) }
    #expect(try Unit(try unit.bytes()).set == unit.set)
  }
}
