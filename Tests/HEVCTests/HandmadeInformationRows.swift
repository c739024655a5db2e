// SPDX-License-Identifier: MIT

/// Messages that no encoder at hand writes, composed field by field from the tables of the standards.
enum HandmadeInformationRows {
  static let rows: [NALRow] = [
    NALRow(
      "by hand from H.265, D.2.27, read alike by libavcodec 62",
      """
      4e01880cb250c771 5cff60200c58c040 80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=136 last_payload_size_byte=12 num_clock_ts=2
      clock_timestamp_flag=1 units_field_based_flag=1 counting_type=4 full_timestamp_flag=1
      discontinuity_flag=0 cnt_dropped_flag=1 n_frames=24 seconds_value=59 minutes_value=34
      hours_value=23 time_offset_length=7 time_offset_value=-3 clock_timestamp_flag=1
      units_field_based_flag=0 counting_type=0 full_timestamp_flag=0 discontinuity_flag=1
      cnt_dropped_flag=0 n_frames=1 seconds_flag=1 seconds_value=5 minutes_flag=1
      minutes_value=6 hours_flag=0 time_offset_length=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.17, read alike by libavcodec 62",
      """
      4e012f0348001880
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=47 last_payload_size_byte=3 display_orientation_cancel_flag=0
      hor_flip=1 ver_flip=0 anticlockwise_rotation=16384
      display_orientation_persistence_flag=1 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.39, read alike by libavcodec 62",
      """
      4e019408002fe9a0 3d13404280
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=148 last_payload_size_byte=8 ambient_illuminance=3140000
      ambient_light_x=15635 ambient_light_y=16450 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, F.14.2.8, read alike by libavcodec 62",
      """
      4e01a5041400dffe 80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=165 last_payload_size_byte=4 alpha_channel_cancel_flag=0
      alpha_channel_use_idc=1 alpha_channel_bit_depth_minus8=2 alpha_transparent_value=3
      alpha_opaque_value=1023 alpha_channel_incr_flag=1 alpha_channel_clip_flag=1
      alpha_channel_clip_type_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, G.14.2.3, read alike by libavcodec 62",
      """
      4e01b00a041040a8 3a04a2281c1080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=176 last_payload_size_byte=10 prec_ref_display_width=31
      ref_viewing_distance_flag=1 prec_ref_viewing_dist=31 num_ref_displays_minus1=1
      left_view_id=0 right_view_id=1 exponent_ref_display_width=3 mantissa_ref_display_width=5
      exponent_ref_viewing_distance=0 mantissa_ref_viewing_distance=1
      additional_shift_present_flag=0 left_view_id=1 right_view_id=0
      exponent_ref_display_width=4 mantissa_ref_display_width=5
      exponent_ref_viewing_distance=0 mantissa_ref_viewing_distance=1
      additional_shift_present_flag=1 num_sample_shift_plus512=520
      three_dimensional_reference_displays_extension_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.16",
      """
      4e012d0728181484 8d002880
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=45 last_payload_size_byte=7 frame_packing_arrangement_id=4
      frame_packing_arrangement_cancel_flag=0 frame_packing_arrangement_type=3
      quincunx_sampling_flag=0 content_interpretation_type=1 spatial_flipping_flag=0
      frame0_flipped_flag=1 field_views_flag=0 current_frame_is_frame0_flag=0
      frame0_self_contained_flag=1 frame1_self_contained_flag=0 frame0_grid_position_x=1
      frame0_grid_position_y=2 frame1_grid_position_x=3 frame1_grid_position_y=4
      frame_packing_arrangement_reserved_byte=0 frame_packing_arrangement_persistence_flag=1
      upsampled_aspect_ratio_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.8, read alike by libavcodec 62",
      """
      4e0106013d80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=6 last_payload_size_byte=1 recovery_poc_cnt=-3 exact_match_flag=1
      broken_link_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.21",
      """
      4e0181032910d080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=129 last_payload_size_byte=3 active_video_parameter_set_id=2
      self_contained_cvs_flag=1 no_parameter_set_update_flag=0 num_sps_ids_minus1=1
      active_seq_parameter_set_id=3,5 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.6 and ST 2094-40",
      """
      4e010423b5003c00 01040140000c8007 d007d005dc017708 08002b1e1a7c0541 90320c0a7d3ff480
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=4 last_payload_size_byte=35 itu_t_t35_country_code=181
      itu_t_t35_provider_code=60 itu_t_t35_terminal_provider_oriented_code=1
      application_identifier=4 application_version=1 num_windows=1
      targeted_system_display_maximum_luminance=400
      targeted_system_display_actual_peak_luminance_flag=0 maxscl=1000,2000,3000
      average_maxrgb=1500 num_distribution_maxrgb_percentiles=2
      distribution_maxrgb_percentages=1 distribution_maxrgb_percentiles=10
      distribution_maxrgb_percentages=99 distribution_maxrgb_percentiles=99999
      fraction_bright_pixels=5 mastering_display_actual_peak_luminance_flag=0
      tone_mapping_flag=1 knee_point_x=100 knee_point_y=200 num_bezier_curve_anchors=3
      bezier_curve_anchors=10,500,1023 color_saturation_mapping_flag=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.6 and CTA-708, 4.4",
      """
      4e010411b5003147 41393403c2fffc94 2cfd8080ff80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=4 last_payload_size_byte=17 itu_t_t35_country_code=181
      itu_t_t35_provider_code=49 user_identifier=1195456820 user_data_type_code=3 reserved=1
      process_cc_data_flag=1 zero_bit=0 cc_count=2 reserved=255 one_bit=1 reserved=15
      cc_valid=1 cc_type=0 cc_data_1=148 cc_data_2=44 one_bit=1 reserved=15 cc_valid=1
      cc_type=1 cc_data_1=128 cc_data_2=128 marker_bits=255 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.6, begun like a Dolby Vision RPU",
      """
      4e010409b5003b00 000800190880
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=4 last_payload_size_byte=9 itu_t_t35_country_code=181
      itu_t_t35_provider_code=59 dolby_vision_rpu=0,0,8,0,25,8 rbsp_stop_one_bit=1
      """),
    NALRow(
      "by hand from H.265, D.2.7, as x265 uses it, read alike by libavcodec 62",
      """
      4e0105212ca2de09 b51747dbbb55a4fe 7fc2fc4e78323635 20286275696c6420 313939290080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=5 last_payload_size_byte=33
      uuid_iso_iec_11578=44,162,222,9,181,23,71,219,187,85,164,254,127,194,252,78
      user_data_payload_byte=120,50,54,53,32,40,98,117,105,108,100,32,49,57,57,41,0
      rbsp_stop_one_bit=1
      """),
  ]
}
