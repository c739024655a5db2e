// SPDX-License-Identifier: MIT

/// Made with x264 (core 164), and by hand where it has no such sets; the values are those that ffmpeg 5.1 names
/// (`-bsf:v trace_headers`).
enum AVCParameterSetRows {
  static let rows: [AVCParameterSetRow] = [
    AVCParameterSetRow(
      "x264 -profile:v baseline, SPS",
      """
      6742c00ad905278888c044000003000400000300c83c489920
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=66
      constraint_set0_flag=1 constraint_set1_flag=1 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 log2_max_frame_num_minus4=0
      pic_order_cnt_type=2 max_num_ref_frames=3 gaps_in_frame_num_value_allowed_flag=0
      pic_width_in_mbs_minus1=4 pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1
      direct_8x8_inference_flag=1 frame_cropping_flag=1 frame_crop_left_offset=0
      frame_crop_right_offset=7 frame_crop_top_offset=0 frame_crop_bottom_offset=7
      vui_parameters_present_flag=1 aspect_ratio_info_present_flag=1 aspect_ratio_idc=1
      overscan_info_present_flag=0 video_signal_type_present_flag=0
      chroma_loc_info_present_flag=0 timing_info_present_flag=1 num_units_in_tick=1
      time_scale=50 fixed_frame_rate_flag=0 nal_hrd_parameters_present_flag=0
      vcl_hrd_parameters_present_flag=0 pic_struct_present_flag=0
      bitstream_restriction_flag=1 motion_vectors_over_pic_boundaries_flag=1
      max_bytes_per_pic_denom=0 max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8
      log2_max_mv_length_vertical=8 max_num_reorder_frames=0 max_dec_frame_buffering=3
      rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v baseline, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68cb83cb20
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=0 weighted_bipred_idc=0 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v main, SPS",
      """
      674d400aeca293c4446022000003000200000300641e244b2c
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=77
      constraint_set0_flag=0 constraint_set1_flag=1 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 log2_max_frame_num_minus4=0
      pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2 max_num_ref_frames=4
      gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1 direct_8x8_inference_flag=1
      frame_cropping_flag=1 frame_crop_left_offset=0 frame_crop_right_offset=7
      frame_crop_top_offset=0 frame_crop_bottom_offset=7 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      timing_info_present_flag=1 num_units_in_tick=1 time_scale=50 fixed_frame_rate_flag=0
      nal_hrd_parameters_present_flag=0 vcl_hrd_parameters_present_flag=0
      pic_struct_present_flag=0 bitstream_restriction_flag=1
      motion_vectors_over_pic_boundaries_flag=1 max_bytes_per_pic_denom=0
      max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8 log2_max_mv_length_vertical=8
      max_num_reorder_frames=2 max_dec_frame_buffering=4 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v main, PPS",
      sequence: "674d400aeca293c4446022000003000200000300641e244b2c",
      """
      68ebe3cb20
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=1 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v high, SPS",
      """
      6764000aacd945278888c044000003000400000300c83c489658
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=100
      constraint_set0_flag=0 constraint_set1_flag=0 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 chroma_format_idc=1
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
      qpprime_y_zero_transform_bypass_flag=0 seq_scaling_matrix_present_flag=0
      log2_max_frame_num_minus4=0 pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2
      max_num_ref_frames=4 gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1 direct_8x8_inference_flag=1
      frame_cropping_flag=1 frame_crop_left_offset=0 frame_crop_right_offset=7
      frame_crop_top_offset=0 frame_crop_bottom_offset=7 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      timing_info_present_flag=1 num_units_in_tick=1 time_scale=50 fixed_frame_rate_flag=0
      nal_hrd_parameters_present_flag=0 vcl_hrd_parameters_present_flag=0
      pic_struct_present_flag=0 bitstream_restriction_flag=1
      motion_vectors_over_pic_boundaries_flag=1 max_bytes_per_pic_denom=0
      max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8 log2_max_mv_length_vertical=8
      max_num_reorder_frames=2 max_dec_frame_buffering=4 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v high, PPS",
      sequence: "6764000aacd945278888c044000003000400000300c83c489658",
      """
      68ebe3cb22c0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=1 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=0 second_chroma_qp_index_offset=-2 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 8x8dct=0:weightp=0:qp=20, PPS",
      sequence: "674d400aeca293c4446022000003000200000300641e244b2c",
      """
      68eba1b2c8
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=0 weighted_bipred_idc=2 pic_init_qp_minus26=-6
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 -profile:v high10, SPS",
      """
      676e000aa6cd945278888c0440000003004000000c83c4896580
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=110
      constraint_set0_flag=0 constraint_set1_flag=0 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 chroma_format_idc=1
      bit_depth_luma_minus8=2 bit_depth_chroma_minus8=2
      qpprime_y_zero_transform_bypass_flag=0 seq_scaling_matrix_present_flag=0
      log2_max_frame_num_minus4=0 pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2
      max_num_ref_frames=4 gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1 direct_8x8_inference_flag=1
      frame_cropping_flag=1 frame_crop_left_offset=0 frame_crop_right_offset=7
      frame_crop_top_offset=0 frame_crop_bottom_offset=7 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      timing_info_present_flag=1 num_units_in_tick=1 time_scale=50 fixed_frame_rate_flag=0
      nal_hrd_parameters_present_flag=0 vcl_hrd_parameters_present_flag=0
      pic_struct_present_flag=0 bitstream_restriction_flag=1
      motion_vectors_over_pic_boundaries_flag=1 max_bytes_per_pic_denom=0
      max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8 log2_max_mv_length_vertical=8
      max_num_reorder_frames=2 max_dec_frame_buffering=4 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 4:4:4 cqm=jvt, SPS",
      """
      67f4000a919b28a4f1f1f808800000030080000019078912cb
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=244
      constraint_set0_flag=0 constraint_set1_flag=0 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 chroma_format_idc=3
      separate_colour_plane_flag=0 bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
      qpprime_y_zero_transform_bypass_flag=0 seq_scaling_matrix_present_flag=0
      log2_max_frame_num_minus4=0 pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2
      max_num_ref_frames=4 gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1 direct_8x8_inference_flag=1
      frame_cropping_flag=1 frame_crop_left_offset=0 frame_crop_right_offset=14
      frame_crop_top_offset=0 frame_crop_bottom_offset=14 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      timing_info_present_flag=1 num_units_in_tick=1 time_scale=50 fixed_frame_rate_flag=0
      nal_hrd_parameters_present_flag=0 vcl_hrd_parameters_present_flag=0
      pic_struct_present_flag=0 bitstream_restriction_flag=1
      motion_vectors_over_pic_boundaries_flag=1 max_bytes_per_pic_denom=0
      max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8 log2_max_mv_length_vertical=8
      max_num_reorder_frames=2 max_dec_frame_buffering=4 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 4:4:4 cqm=jvt, PPS",
      sequence: "67f4000a919b28a4f1f1f808800000030080000019078912cb",
      """
      68ebe3c44c000440
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=1 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=1
      pic_scaling_list_present_flag=0,0,0,0,0,0,0,0,0,0,0,0 second_chroma_qp_index_offset=4
      rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 4:2:0 cqm=jvt, PPS",
      sequence: "6764000aacd945278888c044000003000400000300c83c489658",
      """
      68ebe3cb3002c0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=1 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=1 pic_scaling_list_present_flag=0,0,0,0,0,0,0,0
      second_chroma_qp_index_offset=-2 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 4:2:2 interlaced=1:chroma-qp-offset=-3, SPS",
      """
      677a0015bcd9454f1111808800000300080000030190f8a14cb0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=122
      constraint_set0_flag=0 constraint_set1_flag=0 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=21 seq_parameter_set_id=0 chroma_format_idc=2
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
      qpprime_y_zero_transform_bypass_flag=0 seq_scaling_matrix_present_flag=0
      log2_max_frame_num_minus4=0 pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2
      max_num_ref_frames=4 gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=1 frame_mbs_only_flag=0 mb_adaptive_frame_field_flag=1
      direct_8x8_inference_flag=1 frame_cropping_flag=1 frame_crop_left_offset=0
      frame_crop_right_offset=7 frame_crop_top_offset=0 frame_crop_bottom_offset=7
      vui_parameters_present_flag=1 aspect_ratio_info_present_flag=1 aspect_ratio_idc=1
      overscan_info_present_flag=0 video_signal_type_present_flag=0
      chroma_loc_info_present_flag=0 timing_info_present_flag=1 num_units_in_tick=1
      time_scale=50 fixed_frame_rate_flag=0 nal_hrd_parameters_present_flag=0
      vcl_hrd_parameters_present_flag=0 pic_struct_present_flag=1
      bitstream_restriction_flag=1 motion_vectors_over_pic_boundaries_flag=1
      max_bytes_per_pic_denom=0 max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=9
      log2_max_mv_length_vertical=9 max_num_reorder_frames=2 max_dec_frame_buffering=4
      rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 4:2:2 interlaced=1:chroma-qp-offset=-3, PPS",
      sequence: "677a0015bcd9454f1111808800000300080000030190f8a14cb0",
      """
      68fba3c5c85c
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=0 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-5
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=0 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=0 second_chroma_qp_index_offset=-5 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 constrained-intra=1:nodeblock=1:ref=5, SPS",
      """
      6764000aacd985278888c044000003000400000300c83c489668
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=7 profile_idc=100
      constraint_set0_flag=0 constraint_set1_flag=0 constraint_set2_flag=0
      constraint_set3_flag=0 constraint_set4_flag=0 constraint_set5_flag=0
      reserved_zero_2bits=0 level_idc=10 seq_parameter_set_id=0 chroma_format_idc=1
      bit_depth_luma_minus8=0 bit_depth_chroma_minus8=0
      qpprime_y_zero_transform_bypass_flag=0 seq_scaling_matrix_present_flag=0
      log2_max_frame_num_minus4=0 pic_order_cnt_type=0 log2_max_pic_order_cnt_lsb_minus4=2
      max_num_ref_frames=5 gaps_in_frame_num_value_allowed_flag=0 pic_width_in_mbs_minus1=4
      pic_height_in_map_units_minus1=3 frame_mbs_only_flag=1 direct_8x8_inference_flag=1
      frame_cropping_flag=1 frame_crop_left_offset=0 frame_crop_right_offset=7
      frame_crop_top_offset=0 frame_crop_bottom_offset=7 vui_parameters_present_flag=1
      aspect_ratio_info_present_flag=1 aspect_ratio_idc=1 overscan_info_present_flag=0
      video_signal_type_present_flag=0 chroma_loc_info_present_flag=0
      timing_info_present_flag=1 num_units_in_tick=1 time_scale=50 fixed_frame_rate_flag=0
      nal_hrd_parameters_present_flag=0 vcl_hrd_parameters_present_flag=0
      pic_struct_present_flag=0 bitstream_restriction_flag=1
      motion_vectors_over_pic_boundaries_flag=1 max_bytes_per_pic_denom=0
      max_bits_per_mb_denom=0 log2_max_mv_length_horizontal=8 log2_max_mv_length_vertical=8
      max_num_reorder_frames=2 max_dec_frame_buffering=5 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "x264 constrained-intra=1:nodeblock=1:ref=5, PPS",
      sequence: "6764000aacd985278888c044000003000400000300c83c489668",
      """
      68e978f2e8b0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=1
      bottom_field_pic_order_in_frame_present_flag=0 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=4 num_ref_idx_l1_default_active_minus1=0
      weighted_pred_flag=1 weighted_bipred_idc=2 pic_init_qp_minus26=-3
      pic_init_qs_minus26=0 chroma_qp_index_offset=-2
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=1
      redundant_pic_cnt_present_flag=0 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=0 second_chroma_qp_index_offset=-2 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: slice groups in turn, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68d72463547984d8
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=2
      slice_group_map_type=0 run_length_minus1=3,0,11 num_ref_idx_l0_default_active_minus1=2
      num_ref_idx_l1_default_active_minus1=1 weighted_pred_flag=1 weighted_bipred_idc=1
      pic_init_qp_minus26=-7 pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: dispersed slice groups, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68d109aa3cc26c
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=7
      slice_group_map_type=1 num_ref_idx_l0_default_active_minus1=2
      num_ref_idx_l1_default_active_minus1=1 weighted_pred_flag=1 weighted_bipred_idc=1
      pic_init_qp_minus26=-7 pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: slice groups on a background, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68d6d08123daa3cc26c0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=2
      slice_group_map_type=2 top_left=1 bottom_right=7 top_left=8 bottom_right=14
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=1
      weighted_pred_flag=1 weighted_bipred_idc=1 pic_init_qp_minus26=-7
      pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: slice groups that evolve, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68d4591aa3cc26c0
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=1
      slice_group_map_type=4 slice_group_change_direction_flag=1
      slice_group_change_rate_minus1=3 num_ref_idx_l0_default_active_minus1=2
      num_ref_idx_l1_default_active_minus1=1 weighted_pred_flag=1 weighted_bipred_idc=1
      pic_init_qp_minus26=-7 pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: explicit slice groups, PPS",
      sequence: "6742c00ad905278888c044000003000400000300c83c489920",
      """
      68d670a0c30c30c30b547984d8
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=2
      slice_group_map_type=6 pic_size_in_map_units_minus1=19
      slice_group_id=0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1,2,0,1
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=1
      weighted_pred_flag=1 weighted_bipred_idc=1 pic_init_qp_minus26=-7
      pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: scaling lists in full, PPS",
      sequence: "6764000aacd945278888c044000003000400000300c83c489658",
      """
      68db547984de549249249249021004374e9d3a74e9d3a74e9d3a74e9d3a74e9d3a74cb
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=8 pic_parameter_set_id=0
      seq_parameter_set_id=0 entropy_coding_mode_flag=0
      bottom_field_pic_order_in_frame_present_flag=1 num_slice_groups_minus1=0
      num_ref_idx_l0_default_active_minus1=2 num_ref_idx_l1_default_active_minus1=1
      weighted_pred_flag=1 weighted_bipred_idc=1 pic_init_qp_minus26=-7
      pic_init_qs_minus26=3 chroma_qp_index_offset=-4
      deblocking_filter_control_present_flag=1 constrained_intra_pred_flag=0
      redundant_pic_cnt_present_flag=1 transform_8x8_mode_flag=1
      pic_scaling_matrix_present_flag=1 pic_scaling_list_present_flag=1
      delta_scale=-2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 pic_scaling_list_present_flag=0,0,0,0,0,1
      delta_scale=8,-16 pic_scaling_list_present_flag=1
      delta_scale=-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,\
      0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1,0,1,-1
      second_chroma_qp_index_offset=-2 rbsp_stop_one_bit=1
      """),
    AVCParameterSetRow(
      "written by hand: an alpha plane, SPS extension",
      """
      6da7578041
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=13 seq_parameter_set_id=0
      aux_format_idc=1 bit_depth_aux_minus8=2 alpha_incr_flag=1 alpha_opaque_value=700
      alpha_transparent_value=16 additional_extension_flag=0 rbsp_stop_one_bit=1
      """),
  ]
}
