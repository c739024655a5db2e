// SPDX-License-Identifier: MIT

/// Slices that x264 wrote, with the values that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum AVCSliceRows {
  static let rows: [AVCSliceRow] = [
    AVCSliceRow(
      "x264 164, explicit weights, slice 2, cut after 48 bytes",
      sequence: "6764000aacd94626c044000003000400000300c83c489658",
      picture: "68e938f2c8b0",
      """
      419a453c2108642e 02580eb200404803 fe02580ee04bff48 0155f35b921a83d1 6cae2e0e72bab6db
      bf4a51770ebcd282
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=2 nal_unit_type=1 first_mb_in_slice=0 slice_type=5
      pic_parameter_set_id=0 frame_num=2 pic_order_cnt_lsb=10
      num_ref_idx_active_override_flag=0 ref_pic_list_modification_flag_l0=1
      modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=0 modification_of_pic_nums_idc=0
      abs_diff_pic_num_minus1=15 modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=15
      modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=0 modification_of_pic_nums_idc=3
      luma_log2_weight_denom=4 chroma_log2_weight_denom=0 luma_weight_l0_flag=1
      luma_weight_l0=75 luma_offset_l0=-58 chroma_weight_l0_flag=1 chroma_weight_l0=2
      chroma_offset_l0=-128 chroma_weight_l0=2 chroma_offset_l0=-127 luma_weight_l0_flag=1
      luma_weight_l0=75 luma_offset_l0=-59 chroma_weight_l0_flag=0 luma_weight_l0_flag=0
      chroma_weight_l0_flag=0 luma_weight_l0_flag=0 chroma_weight_l0_flag=0
      adaptive_ref_pic_marking_mode_flag=0 cabac_init_idc=0 slice_qp_delta=-2
      disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0 slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, chroma weights, slice 2, cut after 48 bytes",
      sequence: "6764000aacb631360220000003002000000641e244dc",
      picture: "68eac3cb22c0",
      """
      419a52784210c873 4077008d81d804c8 188020301dc023c0 8bff4a307a4815cf e48ceba6ea7573cf
      a8223665e028d782
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=2 nal_unit_type=1 first_mb_in_slice=0 slice_type=5
      pic_parameter_set_id=0 frame_num=2 num_ref_idx_active_override_flag=1
      num_ref_idx_l0_active_minus1=3 ref_pic_list_modification_flag_l0=1
      modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=0 modification_of_pic_nums_idc=0
      abs_diff_pic_num_minus1=15 modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=15
      modification_of_pic_nums_idc=0 abs_diff_pic_num_minus1=0 modification_of_pic_nums_idc=3
      luma_log2_weight_denom=6 chroma_log2_weight_denom=5 luma_weight_l0_flag=1
      luma_weight_l0=119 luma_offset_l0=-70 chroma_weight_l0_flag=1 chroma_weight_l0=59
      chroma_offset_l0=-76 chroma_weight_l0=49 chroma_offset_l0=-128 luma_weight_l0_flag=1
      luma_weight_l0=119 luma_offset_l0=-71 chroma_weight_l0_flag=0 luma_weight_l0_flag=0
      chroma_weight_l0_flag=0 luma_weight_l0_flag=0 chroma_weight_l0_flag=0
      adaptive_ref_pic_marking_mode_flag=0 cabac_init_idc=0 slice_qp_delta=-5
      disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0 slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, reference marking, slice 14, cut after 48 bytes",
      sequence: "6764000aacd9c626c044000003000400000300c83c489678",
      picture: "68e9b8f2c8b0",
      """
      419ecf6594644c25 ffb984614ba267fb 360f282514f4d208 d9f403a8c5ef165a 9f94054a567e2bd1
      745cc3d3132f06e2
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=2 nal_unit_type=1 first_mb_in_slice=0 slice_type=6
      pic_parameter_set_id=0 frame_num=6 pic_order_cnt_lsb=30 direct_spatial_mv_pred_flag=1
      num_ref_idx_active_override_flag=1 num_ref_idx_l0_active_minus1=4
      num_ref_idx_l1_active_minus1=0 ref_pic_list_modification_flag_l0=0
      ref_pic_list_modification_flag_l1=0 adaptive_ref_pic_marking_mode_flag=1
      memory_management_control_operation=1 difference_of_pic_nums_minus1=5
      memory_management_control_operation=1 difference_of_pic_nums_minus1=3
      memory_management_control_operation=0 cabac_init_idc=0 slice_qp_delta=9
      disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0 slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, interlaced, slice 0, cut after 48 bytes",
      sequence: "67640015acd9464d808800000300080000030190f8a14cb0",
      picture: "68fba3cb22c0",
      """
      6588820b047fd2e3 985bd757da423e83 8996cbc51b4222ad 82ba219b94adfa63 37750a40b164e7da
      21ccfd96427b3de2
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=5 first_mb_in_slice=0 slice_type=7
      pic_parameter_set_id=0 frame_num=0 field_pic_flag=0 idr_pic_id=0 pic_order_cnt_lsb=1
      delta_pic_order_cnt_bottom=-1 no_output_of_prior_pics_flag=0 long_term_reference_flag=0
      slice_qp_delta=4 disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0
      slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, interlaced, slice 1, cut after 48 bytes",
      sequence: "67640015acd9464d808800000300080000030190f8a14cb0",
      picture: "68fba3cb22c0",
      """
      419a21de457fb797 3fed47ee2e6bbad2 94b2498390600ae9 5fec0e9367d4987f d32ccbe68fd38650
      0b786e346dbc1274
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=2 nal_unit_type=1 first_mb_in_slice=0 slice_type=5
      pic_parameter_set_id=0 frame_num=1 field_pic_flag=0 pic_order_cnt_lsb=7
      delta_pic_order_cnt_bottom=-1 num_ref_idx_active_override_flag=1
      num_ref_idx_l0_active_minus1=0 ref_pic_list_modification_flag_l0=0
      adaptive_ref_pic_marking_mode_flag=0 cabac_init_idc=0 slice_qp_delta=5
      disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0 slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, CAVLC baseline, slice 0, cut after 48 bytes",
      sequence: "6742c00ada189b011000000300100000030320f1226a",
      picture: "68ce0f2c80",
      """
      65888411f1088ab8 30217e0214c88000 401eb50618003c5e 32a3123e1fc8fff0 bfb9693155f609ff
      daaf31e46541655f
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=3 nal_unit_type=5 first_mb_in_slice=0 slice_type=7
      pic_parameter_set_id=0 frame_num=0 idr_pic_id=0 no_output_of_prior_pics_flag=0
      long_term_reference_flag=0 slice_qp_delta=4 disable_deblocking_filter_idc=0
      slice_alpha_c0_offset_div2=0 slice_beta_offset_div2=0
      """),
    AVCSliceRow(
      "x264 164, CAVLC baseline, slice 1, cut after 48 bytes",
      sequence: "6742c00ada189b011000000300100000030320f1226a",
      picture: "68ce0f2c80",
      """
      419a2047f0978211 6ea96bf65ccbf5f9 ebc08fdadc7043e6 93e3421c00552ccf 294efedb2d38ecf6
      fc11496711879fdf
      """,
      """
      forbidden_zero_bit=0 nal_ref_idc=2 nal_unit_type=1 first_mb_in_slice=0 slice_type=5
      pic_parameter_set_id=0 frame_num=1 num_ref_idx_active_override_flag=0
      ref_pic_list_modification_flag_l0=0 adaptive_ref_pic_marking_mode_flag=0
      slice_qp_delta=4 disable_deblocking_filter_idc=0 slice_alpha_c0_offset_div2=0
      slice_beta_offset_div2=0
      """),
  ]
}
