// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum SequenceParameterSetFormatRows {
  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 4:2:2 -D 10",
      """
      4201010408000003 009d080000030000 1eb0102061365959 a4932bc040400000 03004000000642
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=4
      general_profile_compatibility_flag=134217728 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_max_12bit_constraint_flag=1
      general_max_10bit_constraint_flag=1 general_max_8bit_constraint_flag=0
      general_max_422chroma_constraint_flag=1 general_max_420chroma_constraint_flag=0
      general_max_monochrome_constraint_flag=0 general_intra_constraint_flag=0
      general_one_picture_only_constraint_flag=0 general_lower_bit_rate_constraint_flag=1
      general_reserved_zero_34bits=0 general_inbld_flag=0 general_level_idc=30
      sps_seq_parameter_set_id=0 chroma_format_idc=2 pic_width_in_luma_samples=128
      pic_height_in_luma_samples=96 conformance_window_flag=0 bit_depth_luma_minus8=2
      bit_depth_chroma_minus8=2 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=4
      sps_max_num_reorder_pics=2 sps_max_latency_increase_plus1=5
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 4:4:4 -D 12 --keyint 1",
      """
      4201010408000003 0098280000030000 1e9002040c2294b7 524995e020200000 0300200000030321
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=4
      general_profile_compatibility_flag=134217728 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_max_12bit_constraint_flag=1
      general_max_10bit_constraint_flag=0 general_max_8bit_constraint_flag=0
      general_max_422chroma_constraint_flag=0 general_max_420chroma_constraint_flag=0
      general_max_monochrome_constraint_flag=0 general_intra_constraint_flag=1
      general_one_picture_only_constraint_flag=0 general_lower_bit_rate_constraint_flag=1
      general_reserved_zero_34bits=0 general_inbld_flag=0 general_level_idc=30
      sps_seq_parameter_set_id=0 chroma_format_idc=3 separate_colour_plane_flag=0
      pic_width_in_luma_samples=128 pic_height_in_luma_samples=96 conformance_window_flag=0
      bit_depth_luma_minus8=4 bit_depth_chroma_minus8=4 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=2
      sps_max_num_reorder_pics=0 sps_max_latency_increase_plus1=1
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 4:0:0",
      """
      4201010408000003 009fc80000030000 1ec0408185965669 24caf01010000003 0010000003019080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=4
      general_profile_compatibility_flag=134217728 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_max_12bit_constraint_flag=1
      general_max_10bit_constraint_flag=1 general_max_8bit_constraint_flag=1
      general_max_422chroma_constraint_flag=1 general_max_420chroma_constraint_flag=1
      general_max_monochrome_constraint_flag=1 general_intra_constraint_flag=0
      general_one_picture_only_constraint_flag=0 general_lower_bit_rate_constraint_flag=1
      general_reserved_zero_34bits=0 general_inbld_flag=0 general_level_idc=30
      sps_seq_parameter_set_id=0 chroma_format_idc=0 pic_width_in_luma_samples=128
      pic_height_in_luma_samples=96 conformance_window_flag=0 bit_depth_luma_minus8=0
      bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=4
      sps_max_num_reorder_pics=2 sps_max_latency_increase_plus1=5
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --profile mainstillpicture",
      """
      4201010370000003 0090000003000003 003ca0162024596e a4932bc040400000 03004000000642
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=3
      general_profile_compatibility_flag=1879048192 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=60 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=176 pic_height_in_luma_samples=144 conformance_window_flag=0
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=2
      sps_max_num_reorder_pics=0 sps_max_latency_increase_plus1=1
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --level-idc 5.1 --high-tier",
      """
      4201012160000003 0090000003000003 0099a01620245965 66924caf01010000 0300010000030019 08
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=1 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=153 sps_seq_parameter_set_id=0
      chroma_format_idc=1 pic_width_in_luma_samples=176 pic_height_in_luma_samples=144
      conformance_window_flag=0 bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
      log2_max_pic_order_cnt_lsb_minus4=4 sps_sub_layer_ordering_info_present_flag=1
      sps_max_dec_pic_buffering_minus1=4 sps_max_num_reorder_pics=2
      sps_max_latency_increase_plus1=5 log2_min_luma_coding_block_size_minus3=0
      log2_diff_max_min_luma_coding_block_size=3 log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
  ]
}
