// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum SliceSegmentRows {
  static let referenceSets = [
    """
    40010c01ffff0160 0000030090000003 000003001e9d8a02 40
    """,
    """
    4201010160000003 0090000003000003 001ea0102061659d 8a924caf01010000 0300010000030019 08
    """,
    """
    4401c172b62240
    """,
  ]

  static let weightSets = [
    """
    40010c01ffff0160 0000030090000003 000003001e959009
    """,
    """
    4201010160000003 0090000003000003 001ea01020616595 924932bc04040000 0300040000030064 20
    """,
    """
    4401c172b62240
    """,
  ]

  static let sliceSets = [
    """
    40010c01ffff0160 0000030090000003 000003003c959809
    """,
    """
    4201010160000003 0090000003000003 003ca01620245965 66924caf01010000 0300010000030019 08
    """,
    """
    4401c172b44240
    """,
  ]

  static let plainSets = [
    """
    40010c01ffff0160 0000030090000003 000003003c959809
    """,
    """
    4201010160000003 0090000003000003 003ca01620245965 66924caf01010000 0300010000030019
    600c965e001e8400 07a122
    """,
    """
    4401c172b46240
    """,
  ]

  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 --ref 6 --bframes 8 --weightb --open-gop, slice 0, cut after 64 bytes",
      sets: referenceSets,
      """
      2801af1d80bc5f11 9508556365983059 b008cfecfa50bb43 b310a001f783512b 7b286fa03337ba85
      bc19a920d23d9d78 b9c493d5d6f9ab59 4b2b60ad2f37c9de
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=20 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 no_output_of_prior_pics_flag=0
      slice_pic_parameter_set_id=0 slice_type=2 slice_sao_luma_flag=1 slice_sao_chroma_flag=1
      slice_qp_delta=7 slice_loop_filter_across_slices_enabled_flag=1
      """),
    NALRow(
      "x265 3.5 --ref 6 --bframes 8 --weightb --open-gop, slice 1, cut after 64 bytes",
      sets: referenceSets,
      """
      0201d0314de10c63 b05f7ad928b9c5a9 a8615359fffecca1 6caf2136aa67ffce f43c1941564aa5ef
      7b626d5f27c21f10 4248b667399a142e afdf153e6298606a
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=1
      slice_pic_order_cnt_lsb=6 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=0 delta_poc_s0_minus1=5 used_by_curr_pic_s0_flag=1
      slice_temporal_mvp_enabled_flag=1 slice_sao_luma_flag=1 slice_sao_chroma_flag=1
      num_ref_idx_active_override_flag=0 luma_log2_weight_denom=7
      delta_chroma_log2_weight_denom=-1 luma_weight_l0_flag=0 chroma_weight_l0_flag=0
      five_minus_max_num_merge_cand=2 slice_qp_delta=7
      slice_loop_filter_across_slices_enabled_flag=1
      """),
    NALRow(
      "x265 3.5 --ref 6 --bframes 8 --weightb --open-gop, slice 2, cut after 64 bytes",
      sets: referenceSets,
      """
      0201e0649df810c1 8490fe9b4aa7fbfc 9f089c8d1c81bdc1 6188b8115bb1c35a 7ab42492a4161863
      54b43a2627b077b3 e3cb742f88425aad e433bdad92737b49
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=0
      slice_pic_order_cnt_lsb=3 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=1 delta_poc_s0_minus1=2 used_by_curr_pic_s0_flag=1
      delta_poc_s1_minus1=2 used_by_curr_pic_s1_flag=1 slice_temporal_mvp_enabled_flag=1
      slice_sao_luma_flag=1 slice_sao_chroma_flag=1 num_ref_idx_active_override_flag=0
      mvd_l1_zero_flag=0 collocated_from_l0_flag=0 luma_log2_weight_denom=7
      delta_chroma_log2_weight_denom=-1 luma_weight_l0_flag=0 chroma_weight_l0_flag=0
      luma_weight_l1_flag=0 chroma_weight_l1_flag=0 five_minus_max_num_merge_cand=2
      slice_qp_delta=9 slice_loop_filter_across_slices_enabled_flag=0
      """),
    NALRow(
      "x265 3.5 --ref 6 --bframes 8 --weightb --open-gop, slice 5, cut after 64 bytes",
      sets: referenceSets,
      """
      0001e086b75f5043 018530e80e4561c4 cb364651c762da8f a6b0c1b8a0201113 bca414b68b19eadb
      299ba0dafb4ca4af 58b8ecfcc9dca734 8d54c683444b0d36
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=0 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=0
      slice_pic_order_cnt_lsb=4 short_term_ref_pic_set_sps_flag=0 num_negative_pics=2
      num_positive_pics=1 delta_poc_s0_minus1=0 used_by_curr_pic_s0_flag=1
      delta_poc_s0_minus1=2 used_by_curr_pic_s0_flag=1 delta_poc_s1_minus1=1
      used_by_curr_pic_s1_flag=1 slice_temporal_mvp_enabled_flag=1 slice_sao_luma_flag=1
      slice_sao_chroma_flag=1 num_ref_idx_active_override_flag=1
      num_ref_idx_l0_active_minus1=1 num_ref_idx_l1_active_minus1=0 mvd_l1_zero_flag=0
      collocated_from_l0_flag=0 luma_log2_weight_denom=7 delta_chroma_log2_weight_denom=-1
      luma_weight_l0_flag=0,0 chroma_weight_l0_flag=0,0 luma_weight_l1_flag=0
      chroma_weight_l1_flag=0 five_minus_max_num_merge_cand=2 slice_qp_delta=10
      slice_loop_filter_across_slices_enabled_flag=1
      """),
    NALRow(
      "x265 3.5 --ref 6 --bframes 8 --weightb --open-gop, slice 20, cut after 64 bytes",
      sets: referenceSets,
      """
      0201e282a557ff24 10c0061240fe8948 7a9dcb2ff6c8536c dbef964a944bf1b1 3c0c066933d5a877
      a58b80ca7358185b 930ec0c1e25d8042 513fb5c3ca745681
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=0
      slice_pic_order_cnt_lsb=20 short_term_ref_pic_set_sps_flag=0 num_negative_pics=4
      num_positive_pics=1 delta_poc_s0_minus1=1 used_by_curr_pic_s0_flag=1
      delta_poc_s0_minus1=1 used_by_curr_pic_s0_flag=1 delta_poc_s0_minus1=2
      used_by_curr_pic_s0_flag=1 delta_poc_s0_minus1=0 used_by_curr_pic_s0_flag=1
      delta_poc_s1_minus1=0 used_by_curr_pic_s1_flag=1 slice_temporal_mvp_enabled_flag=1
      slice_sao_luma_flag=1 slice_sao_chroma_flag=1 num_ref_idx_active_override_flag=1
      num_ref_idx_l0_active_minus1=3 num_ref_idx_l1_active_minus1=0 mvd_l1_zero_flag=0
      collocated_from_l0_flag=0 luma_log2_weight_denom=7 delta_chroma_log2_weight_denom=-1
      luma_weight_l0_flag=0,0,0,0 chroma_weight_l0_flag=0,0,0,0 luma_weight_l1_flag=0
      chroma_weight_l1_flag=0 five_minus_max_num_merge_cand=2 slice_qp_delta=9
      slice_loop_filter_across_slices_enabled_flag=0
      """),
    NALRow(
      "x265 3.5 --weightb -w, slice 1, cut after 64 bytes",
      sets: weightSets,
      """
      0201d0195f98ad88 021c087639978f02 a4b0bd544d497125 ffff6b0c1a933ac5 7b4329519449ac00
      761922714bdab416 415801debf68d793 e731cf4941c4732a
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=1
      slice_pic_order_cnt_lsb=3 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=0 delta_poc_s0_minus1=2 used_by_curr_pic_s0_flag=1
      slice_temporal_mvp_enabled_flag=1 slice_sao_luma_flag=1 slice_sao_chroma_flag=1
      num_ref_idx_active_override_flag=0 luma_log2_weight_denom=2
      delta_chroma_log2_weight_denom=5 luma_weight_l0_flag=1 chroma_weight_l0_flag=1
      delta_luma_weight_l0=-1 luma_offset_l0=4 delta_chroma_weight_l0=-33
      delta_chroma_offset_l0=0 delta_chroma_weight_l0=-33 delta_chroma_offset_l0=0
      five_minus_max_num_merge_cand=2 slice_qp_delta=7
      slice_loop_filter_across_slices_enabled_flag=0
      """),
    NALRow(
      "x265 3.5 --weightb -w, slice 2, cut after 64 bytes",
      sets: weightSets,
      """
      0201e04497e0eb0b 9815c16e1c561240 fe9b4b9fffb40fff 78eb3302e79ebf88 fc676bc9d7b7f727
      ba553ceaa3712a26 5bf47a13fffe6313 980c86b161db81ef
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=0
      slice_pic_order_cnt_lsb=2 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=1 delta_poc_s0_minus1=1 used_by_curr_pic_s0_flag=1
      delta_poc_s1_minus1=0 used_by_curr_pic_s1_flag=1 slice_temporal_mvp_enabled_flag=1
      slice_sao_luma_flag=1 slice_sao_chroma_flag=1 num_ref_idx_active_override_flag=0
      mvd_l1_zero_flag=0 collocated_from_l0_flag=0 luma_log2_weight_denom=6
      delta_chroma_log2_weight_denom=1 luma_weight_l0_flag=1 chroma_weight_l0_flag=1
      delta_luma_weight_l0=-11 luma_offset_l0=3 delta_chroma_weight_l0=-21
      delta_chroma_offset_l0=0 delta_chroma_weight_l0=-22 delta_chroma_offset_l0=0
      luma_weight_l1_flag=1 chroma_weight_l1_flag=0 delta_luma_weight_l1=7 luma_offset_l1=-2
      five_minus_max_num_merge_cand=2 slice_qp_delta=9
      slice_loop_filter_across_slices_enabled_flag=0
      """),
    NALRow(
      "x265 3.5 --weightb -w, slice 3, cut after 64 bytes",
      sets: weightSets,
      """
      0001e024fffa2238 5c81585f0c630a60 fc4ee0be19abb8da 1ed57273b3d76281 cbb4ef0a94501f65
      37e520de21ff14f5 6d134b3fedd3d0a0 f931d0839062b9b9
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=0 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=0
      slice_pic_order_cnt_lsb=1 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=2 delta_poc_s0_minus1=0 used_by_curr_pic_s0_flag=1
      delta_poc_s1_minus1=0 used_by_curr_pic_s1_flag=1 delta_poc_s1_minus1=0
      used_by_curr_pic_s1_flag=1 slice_temporal_mvp_enabled_flag=1 slice_sao_luma_flag=1
      slice_sao_chroma_flag=1 num_ref_idx_active_override_flag=1
      num_ref_idx_l0_active_minus1=0 num_ref_idx_l1_active_minus1=1 mvd_l1_zero_flag=0
      collocated_from_l0_flag=0 collocated_ref_idx=0 luma_log2_weight_denom=7
      delta_chroma_log2_weight_denom=0 luma_weight_l0_flag=1 chroma_weight_l0_flag=1
      delta_luma_weight_l0=-11 luma_offset_l0=2 delta_chroma_weight_l0=-10
      delta_chroma_offset_l0=0 delta_chroma_weight_l0=-11 delta_chroma_offset_l0=0
      luma_weight_l1_flag=1,0 chroma_weight_l1_flag=0,0 delta_luma_weight_l1=-1
      luma_offset_l1=6 five_minus_max_num_merge_cand=2 slice_qp_delta=10
      slice_loop_filter_across_slices_enabled_flag=1
      """),
    NALRow(
      "x265 3.5 --slices 2 --wpp, slice 0, cut after 64 bytes",
      sets: sliceSets,
      """
      2801af1d80b9ec30 e0d273b734fbd0bf ec3bb9e95b0390c3 27d720a1dfaea3c0 6031d0a681025184
      498e49948f72c697 6914de9d81ae2a63 23d241e88b4f5d4f
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=20 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 no_output_of_prior_pics_flag=0
      slice_pic_parameter_set_id=0 slice_type=2 slice_sao_luma_flag=1 slice_sao_chroma_flag=1
      slice_qp_delta=7 num_entry_point_offsets=0
      """),
    NALRow(
      "x265 3.5 --slices 2 --wpp, slice 1, cut after 64 bytes",
      sets: sliceSets,
      """
      280126f1c854f116 d1a64e018a4da8f7 ffb9a4fb190b0d76 ba63e269dbfbc941 e09cd50cd126162a
      69523684129ac617 706f28711e08e2a0 ff2e0ea42b23d205
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=20 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=0 no_output_of_prior_pics_flag=0
      slice_pic_parameter_set_id=0 slice_segment_address=3 slice_type=2 slice_sao_luma_flag=1
      slice_sao_chroma_flag=1 slice_qp_delta=7 num_entry_point_offsets=1 offset_len_minus1=9
      entry_point_offset_minus1=632
      """),
    NALRow(
      "x265 3.5 --hrd, slice 1, cut after 64 bytes",
      sets: plainSets,
      """
      0201d02149e10c66 b173420f4016fd49 57e2a234e7c358af ffffa59b8227278f 05fc6063ffe4256a
      06e714b200ebc387 41a51c13c297ee4a 2daf1e11d83f58cf
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=1 nuh_layer_id=0 nuh_temporal_id_plus1=1
      first_slice_segment_in_pic_flag=1 slice_pic_parameter_set_id=0 slice_type=1
      slice_pic_order_cnt_lsb=4 short_term_ref_pic_set_sps_flag=0 num_negative_pics=1
      num_positive_pics=0 delta_poc_s0_minus1=3 used_by_curr_pic_s0_flag=1
      slice_temporal_mvp_enabled_flag=1 slice_sao_luma_flag=1 slice_sao_chroma_flag=1
      num_ref_idx_active_override_flag=0 luma_log2_weight_denom=7
      delta_chroma_log2_weight_denom=-1 luma_weight_l0_flag=0 chroma_weight_l0_flag=0
      five_minus_max_num_merge_cand=2 slice_qp_delta=3
      slice_loop_filter_across_slices_enabled_flag=1 num_entry_point_offsets=2
      offset_len_minus1=10 entry_point_offset_minus1=1232,1054
      """),
  ]
}
