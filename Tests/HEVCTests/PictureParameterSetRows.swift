// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum PictureParameterSetRows {
  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 defaults",
      """
      4401c172b46240
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=0
      pps_cr_qp_offset=0 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1
      weighted_bipred_flag=0 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=1 pps_loop_filter_across_slices_enabled_flag=1
      deblocking_filter_control_present_flag=0 pps_scaling_list_data_present_flag=0
      lists_modification_present_flag=0 log2_parallel_merge_level_minus2=0
      slice_segment_header_extension_present_flag=0 pps_extension_present_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --no-deblock",
      """
      4401c172b47490
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=0
      pps_cr_qp_offset=0 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1
      weighted_bipred_flag=0 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=1 pps_loop_filter_across_slices_enabled_flag=1
      deblocking_filter_control_present_flag=1 deblocking_filter_override_enabled_flag=0
      pps_deblocking_filter_disabled_flag=1 pps_scaling_list_data_present_flag=0
      lists_modification_present_flag=0 log2_parallel_merge_level_minus2=0
      slice_segment_header_extension_present_flag=0 pps_extension_present_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --deblock -2:3",
      """
      4401c172b470c524
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=0
      pps_cr_qp_offset=0 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1
      weighted_bipred_flag=0 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=1 pps_loop_filter_across_slices_enabled_flag=1
      deblocking_filter_control_present_flag=1 deblocking_filter_override_enabled_flag=0
      pps_deblocking_filter_disabled_flag=0 pps_beta_offset_div2=3 pps_tc_offset_div2=-2
      pps_scaling_list_data_present_flag=0 lists_modification_present_flag=0
      log2_parallel_merge_level_minus2=0 slice_segment_header_extension_present_flag=0
      pps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --lossless --tskip",
      """
      4401c175ab12
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=1
      cu_qp_delta_enabled_flag=0 pps_cb_qp_offset=0 pps_cr_qp_offset=0
      pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1 weighted_bipred_flag=0
      transquant_bypass_enabled_flag=1 tiles_enabled_flag=0 entropy_coding_sync_enabled_flag=1
      pps_loop_filter_across_slices_enabled_flag=1 deblocking_filter_control_present_flag=0
      pps_scaling_list_data_present_flag=0 lists_modification_present_flag=0
      log2_parallel_merge_level_minus2=0 slice_segment_header_extension_present_flag=0
      pps_extension_present_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --slices 2 --wpp",
      """
      4401c172b44240
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=0
      pps_cr_qp_offset=0 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1
      weighted_bipred_flag=0 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=1 pps_loop_filter_across_slices_enabled_flag=0
      deblocking_filter_control_present_flag=0 pps_scaling_list_data_present_flag=0
      lists_modification_present_flag=0 log2_parallel_merge_level_minus2=0
      slice_segment_header_extension_present_flag=0 pps_extension_present_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 4:4:4 -D 12 --keyint 1",
      """
      4401c172860c0224
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=6
      pps_cr_qp_offset=6 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=0
      weighted_bipred_flag=0 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=0 pps_loop_filter_across_slices_enabled_flag=1
      deblocking_filter_control_present_flag=0 pps_scaling_list_data_present_flag=0
      lists_modification_present_flag=0 log2_parallel_merge_level_minus2=0
      slice_segment_header_extension_present_flag=0 pps_extension_present_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --ref 6 --weightb",
      """
      4401c172b62240
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=34 nuh_layer_id=0 nuh_temporal_id_plus1=1
      pps_pic_parameter_set_id=0 pps_seq_parameter_set_id=0
      dependent_slice_segments_enabled_flag=0 output_flag_present_flag=0
      num_extra_slice_header_bits=0 sign_data_hiding_enabled_flag=1 cabac_init_present_flag=0
      num_ref_idx_l0_default_active_minus1=0 num_ref_idx_l1_default_active_minus1=0
      init_qp_minus26=0 constrained_intra_pred_flag=0 transform_skip_enabled_flag=0
      cu_qp_delta_enabled_flag=1 diff_cu_qp_delta_depth=1 pps_cb_qp_offset=0
      pps_cr_qp_offset=0 pps_slice_chroma_qp_offsets_present_flag=0 weighted_pred_flag=1
      weighted_bipred_flag=1 transquant_bypass_enabled_flag=0 tiles_enabled_flag=0
      entropy_coding_sync_enabled_flag=0 pps_loop_filter_across_slices_enabled_flag=1
      deblocking_filter_control_present_flag=0 pps_scaling_list_data_present_flag=0
      lists_modification_present_flag=0 log2_parallel_merge_level_minus2=0
      slice_segment_header_extension_present_flag=0 pps_extension_present_flag=0
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --aud",
      """
      460110
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=35 nuh_layer_id=0 nuh_temporal_id_plus1=1 pic_type=0
      rbsp_stop_one_bit=1
      """),
  ]
}
