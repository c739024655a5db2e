// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum SequenceParameterSetRows {
  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 178x146",
      """
      4201010160000003 0090000003000003 003ca01720267249 96566924caf01010 0000030010000003
      01e080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=60 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=184 pic_height_in_luma_samples=152 conformance_window_flag=1
      conf_win_left_offset=0 conf_win_right_offset=3 conf_win_top_offset=0
      conf_win_bottom_offset=3 bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
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
      vui_time_scale=30 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --sar 4:3 --overscan show --videoformat ntsc --range full --chromaloc 2 --display-window",
      """
      4201010160000003 0090000003000003 003ca01620245965 66924caf0eab0101 01b62ce513000003
      0001000003001908
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=60 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=176 pic_height_in_luma_samples=144 conformance_window_flag=0
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=4
      sps_max_num_reorder_pics=2 sps_max_latency_increase_plus1=5
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=14 overscan_info_present_flag=1
      overscan_appropriate_flag=0 video_signal_type_present_flag=1 video_format=2
      video_full_range_flag=1 colour_description_present_flag=1 colour_primaries=1
      transfer_characteristics=1 matrix_coeffs=1 chroma_loc_info_present_flag=1
      chroma_sample_loc_type_top_field=2 chroma_sample_loc_type_bottom_field=2
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=1 def_disp_win_left_offset=2 def_disp_win_right_offset=6
      def_disp_win_top_offset=4 def_disp_win_bottom_offset=8 vui_timing_info_present_flag=1
      vui_num_units_in_tick=1 vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --sar 100:99 --overscan crop",
      """
      4201010160000003 0090000003000003 003ca01620245965 66924cafff006400 63c0800000030080
      00000c84
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=60 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=176 pic_height_in_luma_samples=144 conformance_window_flag=0
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=4
      sps_max_num_reorder_pics=2 sps_max_latency_increase_plus1=5
      log2_min_luma_coding_block_size_minus3=0 log2_diff_max_min_luma_coding_block_size=3
      log2_min_luma_transform_block_size_minus2=0
      log2_diff_max_min_luma_transform_block_size=3 max_transform_hierarchy_depth_inter=0
      max_transform_hierarchy_depth_intra=0 scaling_list_enabled_flag=0 amp_enabled_flag=0
      sample_adaptive_offset_enabled_flag=1 pcm_enabled_flag=0 num_short_term_ref_pic_sets=0
      long_term_ref_pics_present_flag=0 sps_temporal_mvp_enabled_flag=1
      strong_intra_smoothing_enabled_flag=1 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=255 sar_width=100 sar_height=99
      overscan_info_present_flag=1 overscan_appropriate_flag=1
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      neutral_chroma_indication_flag=0 field_seq_flag=0 frame_field_info_present_flag=0
      default_display_window_flag=0 vui_timing_info_present_flag=1 vui_num_units_in_tick=1
      vui_time_scale=25 vui_poc_proportional_to_timing_flag=0
      vui_hrd_parameters_present_flag=0 bitstream_restriction_flag=0
      sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hrd --vbv-maxrate 500",
      """
      4201010160000003 0090000003000003 003ca01620245965 66924caf01010000 0300010000030019
      600c965e001e8400 07a122
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=60 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=176 pic_height_in_luma_samples=144 conformance_window_flag=0
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
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
      vui_hrd_parameters_present_flag=1 nal_hrd_parameters_present_flag=1
      vcl_hrd_parameters_present_flag=0 sub_pic_hrd_params_present_flag=0 bit_rate_scale=0
      cpb_size_scale=1 initial_cpb_removal_delay_length_minus1=18
      au_cpb_removal_delay_length_minus1=11 dpb_output_delay_length_minus1=5
      fixed_pic_rate_general_flag=1 elemental_duration_in_tc_minus1=0 cpb_cnt_minus1=0
      bit_rate_value_minus1=7811 cpb_size_value_minus1=15624 cbr_flag=0
      bitstream_restriction_flag=0 sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --temporal-layers",
      """
      4201020160000003 0090000003000003 001e0000a0102061 659594acb24995e0 2020000003002000
      00030321
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=1 sps_temporal_id_nesting_flag=0
      general_profile_space=0 general_tier_flag=0 general_profile_idc=1
      general_profile_compatibility_flag=1610612736 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=30 sub_layer_profile_present_flag=0
      sub_layer_level_present_flag=0 reserved_zero_2bits=0,0,0,0,0,0,0
      sps_seq_parameter_set_id=0 chroma_format_idc=1 pic_width_in_luma_samples=128
      pic_height_in_luma_samples=96 conformance_window_flag=0 bit_depth_luma_minus8=0
      bit_depth_chroma_minus8=0 log2_max_pic_order_cnt_lsb_minus4=4
      sps_sub_layer_ordering_info_present_flag=1 sps_max_dec_pic_buffering_minus1=4
      sps_max_num_reorder_pics=2 sps_max_latency_increase_plus1=4
      sps_max_dec_pic_buffering_minus1=4 sps_max_num_reorder_pics=2
      sps_max_latency_increase_plus1=4 log2_min_luma_coding_block_size_minus3=0
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
    NALRow(
      "x265 3.5 --hdr10 --colorprim bt2020 --transfer smpte2084",
      """
      4201010220000003 0090000003000003 001ea01020613659 59a4932bc05a8488 0482000003000200
      0003003210
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=33 nuh_layer_id=0 nuh_temporal_id_plus1=1
      sps_video_parameter_set_id=0 sps_max_sub_layers_minus1=0 sps_temporal_id_nesting_flag=1
      general_profile_space=0 general_tier_flag=0 general_profile_idc=2
      general_profile_compatibility_flag=536870912 general_progressive_source_flag=1
      general_interlaced_source_flag=0 general_non_packed_constraint_flag=0
      general_frame_only_constraint_flag=1 general_reserved_zero_7bits=0
      general_one_picture_only_constraint_flag=0 general_reserved_zero_35bits=0
      general_inbld_flag=0 general_level_idc=30 sps_seq_parameter_set_id=0 chroma_format_idc=1
      pic_width_in_luma_samples=128 pic_height_in_luma_samples=96 conformance_window_flag=0
      bit_depth_luma_minus8=2 bit_depth_chroma_minus8=2 log2_max_pic_order_cnt_lsb_minus4=4
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
      video_signal_type_present_flag=1 video_format=5 video_full_range_flag=0
      colour_description_present_flag=1 colour_primaries=9 transfer_characteristics=16
      matrix_coeffs=9 chroma_loc_info_present_flag=0 neutral_chroma_indication_flag=0
      field_seq_flag=0 frame_field_info_present_flag=0 default_display_window_flag=0
      vui_timing_info_present_flag=1 vui_num_units_in_tick=1 vui_time_scale=25
      vui_poc_proportional_to_timing_flag=0 vui_hrd_parameters_present_flag=0
      bitstream_restriction_flag=0 sps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
  ]
}
