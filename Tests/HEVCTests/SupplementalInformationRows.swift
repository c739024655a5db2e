// SPDX-License-Identifier: MIT

/// Made with x265 3.5; the values are those that ffmpeg 5.1 names (`-bsf:v trace_headers`).
enum SupplementalInformationRows {
  static let decoderModelSets = [
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

  static let displaySets = [
    """
    40010c01ffff0220 0000030090000003 000003001e959809
    """,
    """
    4201010220000003 0090000003000003 001ea01020613659 59a4932bc05a8488 0482000003000200
    0003003210
    """,
    """
    4401c172bc2240
    """,
  ]

  static let temporalSets = [
    """
    40010c02ffff0160 0000030090000003 000003001e000095 94aca048
    """,
    """
    4201020160000003 0090000003000003 001e0000a0102061 659594acb24995e0 2020000003002000
    00030321
    """,
    """
    4401c172b42240
    """,
  ]

  static let temporalModelSets = [
    """
    40010c02ffff0160 0000030090000003 000003003c000095 892b120480
    """,
    """
    4201020160000003 0090000003000003 003c0000a0102061 6595892b1324995e 0202000003000200
    00030032c0192cbc 003d08000f425c00 3d08000f4244
    """,
    """
    4401c172b42240
    """,
  ]

  static let checksumSets = [
    """
    40010c01ffff0160 0000030090000003 000003003c959809
    """,
    """
    4201010160000003 0090000003000003 003ca01620245965 66924caf01010000 0300010000030019 08
    """,
    """
    4401c172b46240
    """,
  ]

  static let gammaSets = [
    """
    40010c01ffff0160 0000030090000003 000003001e959809
    """,
    """
    4201010160000003 0090000003000003 001ea01020616595 9a4932bc05a84890 4820000003002000
    00030321
    """,
    """
    4401c172b42240
    """,
  ]

  static let rows: [NALRow] = [
    NALRow(
      "x265 3.5 --hrd --vbv-maxrate 500",
      sets: decoderModelSets,
      """
      4e0181010f80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=129 last_payload_size_byte=1 active_video_parameter_set_id=0
      self_contained_cvs_flag=1 no_parameter_set_update_flag=1 num_sps_ids_minus1=0
      active_seq_parameter_set_id=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hrd --vbv-maxrate 500",
      sets: decoderModelSets,
      """
      4e01000780004f1b 41194480
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=0 last_payload_size_byte=7 bp_seq_parameter_set_id=0
      irap_cpb_params_present_flag=0 concatenation_flag=0 au_cpb_removal_delay_delta_minus1=0
      nal_initial_cpb_removal_delay=81005 nal_initial_cpb_removal_offset=9000
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hrd --vbv-maxrate 500",
      sets: decoderModelSets,
      """
      4e0101030000a080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=1 last_payload_size_byte=3 au_cpb_removal_delay_minus1=0
      pic_dpb_output_delay=2 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hdr10 --master-display --max-cll",
      sets: displaySets,
      """
      4e01900403e80190 80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=144 last_payload_size_byte=4 max_content_light_level=1000
      max_pic_average_light_level=400 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hdr10 --master-display --max-cll",
      sets: displaySets,
      """
      4e01891833c286c4 1d4c0bb884d03e80 3d13404200989680 000003000180
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=137 last_payload_size_byte=24 display_primaries_x=13250
      display_primaries_y=34500 display_primaries_x=7500 display_primaries_y=3000
      display_primaries_x=34000 display_primaries_y=16000 white_point_x=15635
      white_point_y=16450 max_display_mastering_luminance=10000000
      min_display_mastering_luminance=1 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 1 (MD5)",
      sets: temporalSets,
      """
      5001843100a77059 d0476d15a93385d7 76fb24c2fd614946 476ce5988278b877 00485c3d1ad559a6
      9433596371eab48f 6e672efbc580
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=40 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=132 last_payload_size_byte=49 hash_type=0
      picture_md5=167,112,89,208,71,109,21,169,51,133,215,118,251,36,194,253,97,73,70,71,108,\
      229,152,130,120,184,119,0,72,92,61,26,213,89,166,148,51,89,99,113,234,180,143,110,103,\
      46,251,197 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 2 (CRC), --temporal-layers --hrd",
      sets: temporalModelSets,
      """
      4e0181010f80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=129 last_payload_size_byte=1 active_video_parameter_set_id=0
      self_contained_cvs_flag=1 no_parameter_set_update_flag=1 num_sps_ids_minus1=0
      active_seq_parameter_set_id=0 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 2 (CRC), --temporal-layers --hrd",
      sets: temporalModelSets,
      """
      4e01000780004f1b 41194480
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=0 last_payload_size_byte=7 bp_seq_parameter_set_id=0
      irap_cpb_params_present_flag=0 concatenation_flag=0 au_cpb_removal_delay_delta_minus1=0
      nal_initial_cpb_removal_delay=81005 nal_initial_cpb_removal_offset=9000
      rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 2 (CRC), --temporal-layers --hrd",
      sets: temporalModelSets,
      """
      4e0101030000a080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=1 last_payload_size_byte=3 au_cpb_removal_delay_minus1=0
      pic_dpb_output_delay=2 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 2 (CRC), --temporal-layers --hrd",
      sets: temporalModelSets,
      """
      50018407018234cc 289f1c80
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=40 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=132 last_payload_size_byte=7 hash_type=1
      picture_crc=33332,52264,40732 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --hash 3 (checksum)",
      sets: checksumSets,
      """
      5001840d02002c64 06000cf626000c5b f080
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=40 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=132 last_payload_size_byte=13 hash_type=2
      picture_checksum=2909190,849446,809968 rbsp_stop_one_bit=1
      """),
    NALRow(
      "x265 3.5 --atc-sei 18",
      sets: gammaSets,
      """
      4e0193011280
      """,
      """
      forbidden_zero_bit=0 nal_unit_type=39 nuh_layer_id=0 nuh_temporal_id_plus1=1
      last_payload_type_byte=147 last_payload_size_byte=1
      preferred_transfer_characteristics=18 rbsp_stop_one_bit=1
      """),
  ]
}
