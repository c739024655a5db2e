// SPDX-License-Identifier: MIT

/// Reference processing units that a script wrote by the tables of ETSI GS CCM 001 (Tests/Scripts/test_dolby.py), and what
/// ffprobe 5.1 says of them.
enum DolbyVisionRows {
  static let rows: [NALRow] = [
    NALRow(
      "profile 5",
      """
      7c01190809004061b6506f003ff801ffc00fffd00000a800002e8000054000017400002a00000bc80008
      000800080008000800080008000800000300000300000300000300000300000300080008000800080008
      0008000800080008003fffc000000300000300000300180803e03855f3983f8880
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=62 nuh_layer_id=0 nuh_temporal_id_plus1=1
      rpu_nal_prefix=25 rpu_type=2 rpu_format=18 vdr_rpu_profile=0 vdr_rpu_level=0
      vdr_seq_info_present_flag=1 chroma_resampling_explicit_filter_flag=0
      coefficient_data_type=0 coefficient_log2_denom=23 vdr_rpu_normalized_idc=1
      bl_video_full_range_flag=1 bl_bit_depth_minus8=2 el_bit_depth_minus8=2
      vdr_bit_depth_minus8=4 spatial_resampling_filter_flag=0 reserved_zero_3bits=0
      el_spatial_resampling_filter_flag=0 disable_residual_flag=1
      vdr_rpu_data_bits=47
      vdr_rpu_data_byte=\
      0,63,248,1,255,192,15,255,208,0,0,168,0,0,46,128,0,5,64,0,1,116,0,0,42,0,0,11,\
      200,0,8,0,8,0,8,0,8,0,8,0,8,0,8,0,8,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,8,0,8,0,8,0,8,\
      0,8,0,8,0,8,0,8,0,63,255,192,0,0,0,0,0,0,0,24,8,3,224,56,85,243,152,63,136
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "profile 7",
      """
      7c011908090840613650af003ff801ffc00ffc001fffa000001000003d00000300800001e80000040000
      0c008000008000038000000300200000e00000200000c00800000800003800000e400040004000400040
      004000400040004000000300000300000300000300000300000300400040004000400040004000400040
      004001fffe0000030000030000030000c0401f01c2a8a9b5fdc080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=62 nuh_layer_id=0 nuh_temporal_id_plus1=1
      rpu_nal_prefix=25 rpu_type=2 rpu_format=18 vdr_rpu_profile=1 vdr_rpu_level=0
      vdr_seq_info_present_flag=1 chroma_resampling_explicit_filter_flag=0
      coefficient_data_type=0 coefficient_log2_denom=23 vdr_rpu_normalized_idc=1
      bl_video_full_range_flag=0 bl_bit_depth_minus8=2 el_bit_depth_minus8=2
      vdr_bit_depth_minus8=4 spatial_resampling_filter_flag=0 reserved_zero_3bits=0
      el_spatial_resampling_filter_flag=1 disable_residual_flag=0
      vdr_rpu_data_bits=47
      vdr_rpu_data_byte=\
      0,63,248,1,255,192,15,252,0,31,255,160,0,0,16,0,0,61,0,0,0,128,0,1,232,0,0,4,0,\
      0,12,0,128,0,0,128,0,3,128,0,0,0,32,0,0,224,0,0,32,0,0,192,8,0,0,8,0,0,56,0,0,\
      14,64,0,64,0,64,0,64,0,64,0,64,0,64,0,64,0,64,0,0,0,0,0,0,0,0,0,0,0,0,0,64,0,64,\
      0,64,0,64,0,64,0,64,0,64,0,64,0,64,1,255,254,0,0,0,0,0,0,0,0,192,64,31,1,194,\
      168,169,181,253,192
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "profile 8",
      """
      7c0119080908406136506f003ff801ffc00fffd000000800001e800000400000f400000302000007c800
      080008000800080008000800080008000003000003000003000003000003000003000800080008000800
      080008000800080008003fffc000000300000300000300180803e03855d4e2aa5b80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=62 nuh_layer_id=0 nuh_temporal_id_plus1=1
      rpu_nal_prefix=25 rpu_type=2 rpu_format=18 vdr_rpu_profile=1 vdr_rpu_level=0
      vdr_seq_info_present_flag=1 chroma_resampling_explicit_filter_flag=0
      coefficient_data_type=0 coefficient_log2_denom=23 vdr_rpu_normalized_idc=1
      bl_video_full_range_flag=0 bl_bit_depth_minus8=2 el_bit_depth_minus8=2
      vdr_bit_depth_minus8=4 spatial_resampling_filter_flag=0 reserved_zero_3bits=0
      el_spatial_resampling_filter_flag=0 disable_residual_flag=1
      vdr_rpu_data_bits=47
      vdr_rpu_data_byte=\
      0,63,248,1,255,192,15,255,208,0,0,8,0,0,30,128,0,0,64,0,0,244,0,0,2,0,0,7,200,0,\
      8,0,8,0,8,0,8,0,8,0,8,0,8,0,8,0,0,0,0,0,0,0,0,0,0,0,0,0,8,0,8,0,8,0,8,0,8,0,8,0,\
      8,0,8,0,8,0,63,255,192,0,0,0,0,0,0,0,24,8,3,224,56,85,212,226,170,91
      rbsp_stop_one_bit=1
      """),
  ]
}
