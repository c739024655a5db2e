// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum VideoParameterSetRows {
  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 --hrd",
      """
      40010c01ffff0160 0000030090000003 000003003c959809
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=32 nuh_layer_id=0 nuh_temporal_id_plus1=1
      vps_video_parameter_set_id=0 vps_base_layer_internal_flag=1
      vps_base_layer_available_flag=1 vps_max_layers_minus1=0 vps_max_sub_layers_minus1=0
      vps_temporal_id_nesting_flag=1 vps_reserved_0xffff_16bits=65535 general_profile_space=0
      general_tier_flag=0 general_profile_idc=1 general_profile_compatibility_flag=1610612736
      general_progressive_source_flag=1 general_interlaced_source_flag=0
      general_non_packed_constraint_flag=0 general_frame_only_constraint_flag=1
      general_reserved_zero_7bits=0 general_one_picture_only_constraint_flag=0
      general_reserved_zero_35bits=0 general_inbld_flag=0 general_level_idc=60
      vps_sub_layer_ordering_info_present_flag=1 vps_max_dec_pic_buffering_minus1=4
      vps_max_num_reorder_pics=2 vps_max_latency_increase_plus1=5 vps_max_layer_id=0
      vps_num_layer_sets_minus1=0 vps_timing_info_present_flag=0 vps_extension_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --temporal-layers",
      """
      40010c02ffff0160 0000030090000003 000003001e000095 94aca048
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=32 nuh_layer_id=0 nuh_temporal_id_plus1=1
      vps_video_parameter_set_id=0 vps_base_layer_internal_flag=1
      vps_base_layer_available_flag=1 vps_max_layers_minus1=0 vps_max_sub_layers_minus1=1
      vps_temporal_id_nesting_flag=0 vps_reserved_0xffff_16bits=65535 general_profile_space=0
      general_tier_flag=0 general_profile_idc=1 general_profile_compatibility_flag=1610612736
      general_progressive_source_flag=1 general_interlaced_source_flag=0
      general_non_packed_constraint_flag=0 general_frame_only_constraint_flag=1
      general_reserved_zero_7bits=0 general_one_picture_only_constraint_flag=0
      general_reserved_zero_35bits=0 general_inbld_flag=0 general_level_idc=30
      sub_layer_profile_present_flag=0 sub_layer_level_present_flag=0
      reserved_zero_2bits=0,0,0,0,0,0,0 vps_sub_layer_ordering_info_present_flag=1
      vps_max_dec_pic_buffering_minus1=4 vps_max_num_reorder_pics=2
      vps_max_latency_increase_plus1=4 vps_max_dec_pic_buffering_minus1=4
      vps_max_num_reorder_pics=2 vps_max_latency_increase_plus1=4 vps_max_layer_id=0
      vps_num_layer_sets_minus1=0 vps_timing_info_present_flag=0 vps_extension_flag=0
      rbsp_stop_one_bit=1
      """),
  ]
}
