// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct HEIFBoxTests {
  @Test(arguments: items + transformations + properties + captures + configurations + minimized)
  func `it reads writes and survives`(_ row: BoxRow) throws { try check(row) }

  static let items: [BoxRow] = [
    BoxRow("pitm by heif-enc 1.15.1", "0000000e 7069746d 00000000 0001", ["item_ID=1"]),
    BoxRow(
      "pitm of version 1 by hand from 14496-12, 8.11.4", "00000010 7069746d 01000000 00012345",
      ["version=1", "item_ID=74565"]),
    BoxRow(
      "iinf by avifenc 0.11.1",
      """
      00000042 69696e66 00000000 0002
      0000001a 696e6665 02000000 0001 0000 61763031 436f6c6f7200
      0000001a 696e6665 02000000 0002 0000 61763031 416c70686100
      """,
      ["entry_count=2", "infe", "item_ID=2", "item_type=av01", "item_name=\"Alpha\""]),
    BoxRow(
      "iinf of version 1 by hand from 14496-12, 8.11.6", "00000010 69696e66 01000000 00000000",
      ["version=1", "entry_count=0"]),
    BoxRow(
      "hidden infe of type mime by libheif 1.23.6",
      "00000021 696e6665 02000001 0002 0000 6d696d65 00 746578742f706c61696e00 00",
      [
        "flags=0x1", "item_ID=2", "item_protection_index=0", "item_type=mime", "item_name=\"\"",
        "content_type=\"text/plain\"", "content_encoding=\"\"",
      ]),
    BoxRow(
      "infe of type uri by libheif 1.23.6",
      "0000001d 696e6665 02000001 0003 0000 75726920 00 75726e3a783a7900",
      ["item_type=uri ", "item_uri_type=\"urn:x:y\""]),
    BoxRow(
      "infe of version 3 without content_encoding by hand from 14496-12, 8.11.6",
      "00000018 696e6665 03000000 00010000 0001 6d696d65 00 00",
      ["version=3", "item_ID=65536", "item_protection_index=1", "content_type=\"\""]),
    BoxRow(
      "infe of version 0 by hand from 14496-12, 8.11.6",
      "00000019 696e6665 00000000 0001 0000 6100 612f6200 677a00",
      ["item_name=\"a\"", "content_type=\"a/b\"", "content_encoding=\"gz\""]),
    BoxRow(
      "infe of version 1 with fdel by hand from 14496-12, 8.11.6",
      """
      00000033 696e6665 01000000 0001 0000 00 00 00 6664656c
      6100 00 0000000000000100 0000000000000080 02 00000001 00000002
      """,
      [
        "extension.extension_type=fdel", "extension.content_location=\"a\"",
        "extension.content_length=256", "extension.transfer_length=128",
        "extension.entry_count=2", "extension.group_id[1]=2",
      ]),
    BoxRow(
      "iloc of version 0 by avifenc 0.11.1",
      """
      0000002c 696c6f63 00000000 4400 0002
      0001 0000 0001 000001d4 00000169 0002 0000 0001 000001c3 00000011
      """,
      [
        "offset_size=4", "length_size=4", "base_offset_size=0", "item_count=2",
        "items[0].item_ID=1", "items[0].extent_count=1", "items[1].extents[0].extent_offset=451",
        "items[1].extents[0].extent_length=17",
      ]),
    BoxRow(
      "iloc of version 1 by heif-enc 1.15.1",
      """
      00000060 696c6f63 01000000 4440 0004
      0001 0000 0000 00000320 0001 00000000 0000025b
      0002 0001 0000 00000000 0001 00000000 00000008
      0003 0000 0000 0000057b 0001 00000000 0000000d
      0004 0001 0000 00000000 0001 00000008 00000008
      """,
      [
        "index_size=0", "items[0].base_offset=800", "items[1].construction_method=1",
        "items[3].extents[0].extent_offset=8",
      ]),
    BoxRow(
      "iloc of version 2 with an index by hand from 14496-12, 8.11.3",
      """
      00000034 696c6f63 02000000 4884 00000001
      00000007 0002 0000 0000000000000010 0001 00000003 00000020 0000000000000040
      """,
      [
        "offset_size=4", "length_size=8", "base_offset_size=8", "index_size=4",
        "items[0].item_ID=7", "items[0].construction_method=2", "items[0].base_offset=16",
        "items[0].extents[0].item_reference_index=3", "items[0].extents[0].extent_length=64",
      ]),
    BoxRow(
      "iref by avifenc 0.11.1",
      "00000028 69726566 00000000 0000000e 7072656d 0001 0001 0002 0000000e 6175786c 0002 0001 0001",
      ["prem", "from_item_ID=1", "to_item_ID[0]=2", "auxl", "from_item_ID=2", "to_item_ID[0]=1"]),
    BoxRow(
      "iref of version 1 by hand from 14496-12, 8.11.12",
      "00000022 69726566 01000000 00000016 64696d67 00010001 0002 00010002 00010003",
      ["dimg", "from_item_ID=65537", "reference_count=2", "to_item_ID[1]=65539"]),
    BoxRow("idat by libheif 1.23.6", "0000000a 69646174 6869", ["data=(2 bytes)"]),
    BoxRow(
      "ipro by hand from 14496-12, 8.11.5", "00000016 6970726f 00000000 0001 00000008 73696e66",
      ["protection_count=1", "sinf"]),
    BoxRow(
      "ipma by avifenc 0.11.1",
      "0000001e 69706d61 00000000 00000002 0001 04 01 02 83 04 0002 04 01 05 86 07",
      [
        "entry_count=2", "entries[0].item_ID=1", "entries[0].association_count=4",
        "entries[0].associations[2].essential=1", "entries[0].associations[2].property_index=3",
        "entries[1].associations[2].property_index=6",
      ]),
    BoxRow(
      "ipma of version 1 with long indices by hand from 23008-12, 9.3",
      "00000017 69706d61 01000001 00000001 00010000 01 8123",
      [
        "entries[0].item_ID=65536", "entries[0].associations[0].essential=1",
        "entries[0].associations[0].property_index=291",
      ]),
    BoxRow(
      "grpl with a group by hand from 14496-12, 8.18",
      "00000024 6772706c 0000001c 73746572 00000000 00000009 00000002 00000001 00000002",
      ["ster", "group_id=9", "num_entities_in_group=2", "entity_id[1]=2"]),
    BoxRow(
      "a group with more than the standard's fields by hand from 14496-12, 8.18",
      "00000021 6772706c 00000019 616d676c 00000000 00000009 00000001 00000001 80",
      ["amgl", "entity_id[0]=1", "data=(1 bytes)"]),
    BoxRow(
      "pymd by hand from libheif's reader",
      """
      0000002a 6772706c 00000022 70796d64 00000000 00000009 00000001 00000001
      0100 0200 0001 0003 0004
      """,
      [
        "pymd", "tile_size_x=256", "tile_size_y=512", "layers[0].layer_binning=1",
        "layers[0].tiles_in_layer_row_minus1=3", "layers[0].tiles_in_layer_column_minus1=4",
      ]),
    BoxRow("mpvd by hand", "0000000c 6d707664 01020304", ["data=(4 bytes)"]),
    BoxRow("sefd by hand", "0000000c 73656664 01020304", ["data=(4 bytes)"]),
  ]

  static let transformations: [BoxRow] = [
    BoxRow(
      "ispe by heif-enc 1.15.1", "00000014 69737065 00000000 00000040 00000030",
      ["version=0", "flags=0x0", "image_width=64", "image_height=48"]),
    BoxRow(
      "pixi by heif-enc 1.15.1", "00000010 70697869 00000000 03 080808",
      ["num_channels=3", "bits_per_channel[2]=8"]),
    BoxRow(
      "pixi with channels by hand from 23008-12/Amd 2, 6.5.6",
      "00000014 70697869 00000001 02 0a0a 02 21 25 6100",
      [
        "channels[0].channel_idc=0", "channels[0].subsampling_flag=1",
        "channels[0].subsampling_type=2", "channels[0].subsampling_location=1",
        "channels[1].channel_idc=1", "channels[1].component_format=1",
        "channels[1].channel_label=\"a\"",
      ]),
    BoxRow("irot by avifenc 0.11.1", "00000009 69726f74 01", ["reserved=0", "angle=1"]),
    BoxRow("imir by hand from 23008-12, 6.5.12", "00000009 696d6972 01", ["axis=1"]),
    BoxRow(
      "iscl by hand from 23008-12, 6.5.13", "00000014 6973636c 00000000 0001 0002 0003 0004",
      ["target_width_numerator=1", "target_height_denominator=4"]),
    BoxRow(
      "rloc by hand from 23008-12, 6.5.7", "00000014 726c6f63 00000000 00000005 00000006",
      ["horizontal_offset=5", "vertical_offset=6"]),
  ]

  static let properties: [BoxRow] = [
    BoxRow(
      "auxC by heif-enc 1.15.1",
      "00000027 61757843 00000000 75726e3a6d7065673a686576633a323031353a61757869643a3100",
      ["aux_type=\"urn:mpeg:hevc:2015:auxid:1\""]),
    BoxRow(
      "auxC with a subtype by hand from 23008-12, 6.5.8", "00000010 61757843 00000000 6100 0102",
      ["aux_type=\"a\"", "aux_subtype=0x0102"]),
    BoxRow("lsel by hand from 23008-12, 6.5.11", "0000000a 6c73656c 0001", ["layer_id=1"]),
    BoxRow(
      "tols by hand from 23008-12, 6.5.29", "0000000e 746f6c73 00000000 0001",
      ["target_ols_idx=1"]),
    BoxRow(
      "oinf by hand from 14496-15, 9.6.2",
      """
      0000003c 6f696e66 00000000 2000 01 21 80000000 f00000000000 5d 0001
      0001 02 01 00 06 0400 0200 0800 0400 53 0019 01 00001000 00000800
      01 01 01 00 01
      """,
      [
        "scalability_mask=0x2000", "num_profile_tier_level_minus1=1",
        "profile_tier_levels[0].general_tier_flag=1",
        "profile_tier_levels[0].general_profile_idc=1",
        "profile_tier_levels[0].general_level_idc=93",
        "operating_points[0].max_temporal_id=2",
        "operating_points[0].layers[0].layer_id=1",
        "operating_points[0].layers[0].is_outputlayer=1",
        "operating_points[0].maxPicHeight=1024", "operating_points[0].maxChromaFormat=1",
        "operating_points[0].maxBitDepthMinus8=2", "operating_points[0].avgFrameRate=25",
        "operating_points[0].constantFrameRate=1", "operating_points[0].avgBitRate=2048",
        "layers[0].dependent_layerID=1", "layers[0].dependent_on_layerID[0]=0",
        "layers[0].dimension_identifier[0]=1",
      ]),
    BoxRow("a1op by hand from the AVIF specification", "00000009 61316f70 02", ["op_index=2"]),
    BoxRow(
      "a1lx by hand from the AVIF specification", "0000000f 61316c78 00 0001 0002 0003",
      ["large_size=0", "layer_size[2]=3"]),
    BoxRow(
      "a1lx with large sizes by hand from the AVIF specification",
      "00000015 61316c78 01 00010000 00000002 00000003",
      ["large_size=1", "layer_size[0]=65536"]),
    BoxRow(
      "udes by libheif 1.23.6",
      "00000025 75646573 00000000 656e00 537769667400 41206269726400 626972642c736b7900",
      ["lang=\"en\"", "name=\"Swift\"", "description=\"A bird\"", "tags=\"bird,sky\""]),
    BoxRow(
      "altt by hand from 23008-12, 6.5.21", "00000015 616c7474 00000000 6120626f7900 656e00",
      ["alt_text=\"a boy\"", "alt_lang=\"en\""]),
    BoxRow(
      "crtt by hand from 23008-12, 6.5.18", "00000014 63727474 00000000 0000000100000000",
      ["creation_time=4294967296"]),
    BoxRow(
      "mdft by hand from 23008-12, 6.5.19", "00000014 6d646674 00000000 0000000100000000",
      ["modification_time=4294967296"]),
    BoxRow(
      "rref by hand from 23008-12, 6.5.17", "00000011 72726566 00000000 01 7072656d",
      ["reference_type_count=1", "reference_type[0]=prem"]),
    BoxRow(
      "reve by hand from 23008-12/Amd 1",
      "0000001c 72657665 00000000 00002710 3d13 4042 000003e8 0001 0002",
      [
        "surround_luminance=10000", "surround_light_x=15635", "periphery_luminance=1000",
        "periphery_light_y=2",
      ]),
    BoxRow(
      "ndwt by libheif 1.23.6", "00000010 6e647774 00000000 001ef9b0",
      ["diffuse_white_luminance=2030000"]),
    BoxRow(
      "itai by libheif 1.23.6", "00000015 69746169 00000000 0123456789abcdef a0",
      [
        "TAI_timestamp=81985529216486895", "synchronization_state=1",
        "timestamp_generation_failure=0", "timestamp_is_modified=1",
      ]),
    BoxRow(
      "taic by libheif 1.23.6", "0000001d 74616963 00000000 0000000000000100 00000200 fffffd00 40",
      [
        "time_uncertainty=256", "clock_resolution=512", "clock_drift_rate=-768", "clock_type=1",
      ]),
  ]

  static let captures: [BoxRow] = [
    BoxRow(
      "cmin by hand from 23008-12, 6.5.38",
      "00000018 636d696e 00000100 00000002 fffffffe 00000003",
      ["focal_length_x=2", "principal_point_x=-2", "principal_point_y=3"]),
    BoxRow(
      "anisotropic cmin by hand from 23008-12, 6.5.38",
      "00000020 636d696e 00010101 00000002 00000003 00000004 00000005 ffffffff",
      ["flags=0x10101", "focal_length_y=5", "skew_factor=-1"]),
    BoxRow(
      "cmex by hand from 23008-12, 6.5.39",
      "0000001a 636d6578 0000002a 00000001 ffff 0002 0003 00000007",
      ["pos_y=1", "quat_x=-1", "quat_y=2", "quat_z=3", "id=7"]),
    BoxRow(
      "cmex with large quaternions by hand from 23008-12, 6.5.39",
      "00000020 636d6578 0000001d 00000001 00000002 80000000 00000003 00000004",
      ["pos_x=1", "pos_z=2", "quat_x=-2147483648", "quat_z=4"]),
    BoxRow(
      "aebr by hand from 23008-12, 6.5.22", "0000000e 61656272 00000000 03 ff",
      ["exposure_step=3", "exposure_numerator=-1"]),
    BoxRow(
      "wbbr by hand from 23008-12, 6.5.23", "0000000f 77626272 00000000 1388 fe",
      ["blue_amber=5000", "green_magenta=-2"]),
    BoxRow(
      "fobr by hand from 23008-12, 6.5.24", "00000010 666f6272 00000000 0001 0002",
      ["focus_distance_numerator=1", "focus_distance_denominator=2"]),
    BoxRow(
      "afbr by hand from 23008-12, 6.5.25", "0000000e 61666272 00000000 ff 02",
      ["flash_exposure_numerator=-1", "flash_exposure_denominator=2"]),
    BoxRow(
      "dobr by hand from 23008-12, 6.5.26", "0000000e 646f6272 00000000 01 02",
      ["f_stop_numerator=1", "f_stop_denominator=2"]),
    BoxRow(
      "pano as a strip by hand from 23008-12, 6.5.27", "0000000d 70616e6f 00000000 01",
      ["panorama_direction=1"]),
    BoxRow(
      "pano as a grid by hand from 23008-12, 6.5.27", "0000000f 70616e6f 00000000 04 02 03",
      ["rows_minus_one=2", "columns_minus_one=3"]),
    BoxRow(
      "wipe by hand from 23008-12, 6.5.30", "0000000d 77697065 00000000 01",
      ["transition_direction=1"]),
    BoxRow(
      "zoom by hand from 23008-12, 6.5.31", "0000000d 7a6f6f6d 00000000 82",
      ["transition_direction=1", "transition_shape=2"]),
    BoxRow(
      "stpe by hand from 23008-12, 6.5.34", "0000000d 73747065 00000000 05",
      ["transition_period=5"]),
    BoxRow(
      "ssld by hand from 23008-12, 6.5.35", "0000000e 73736c64 00000000 0005", ["duration=5"]),
  ]

  static let configurations: [BoxRow] = [
    BoxRow("mskC by libheif 1.23.6", "0000000d 6d736b43 00000000 08", ["bits_per_pixel=8"]),
    BoxRow(
      "jpgC by hand from 23008-12, H.2.2", "0000000a 6a706743 ffd8", ["JPEGprefix=(2 bytes)"]),
    BoxRow(
      "j2kH with cdef by hand from 15444-16, 6.5",
      "00000018 6a326b48 00000010 63646566 0001 0002 0000 0001",
      ["cdef", "N=1", "channels[0].Cn=2", "channels[0].Typ=0", "channels[0].Asoc=1"]),
    BoxRow(
      "uncC by hand from 23001-17, 5.3",
      """
      00000031 756e6343 00000000 72676233 00000001 0002 07 00 01
      01 02 03 a8 00000001 00000002 00000003 00000004 00000005
      """,
      [
        "profile=rgb3", "components[0].component_index=2",
        "components[0].component_bit_depth_minus_one=7", "components[0].component_align_size=1",
        "interleave_type=2", "components_little_endian=1", "block_little_endian=1",
        "pad_unknown=1", "row_align_size=2", "num_tile_rows_minus_one=5",
      ]),
    BoxRow(
      "uncC of version 1 by hand from 23001-17, 5.3", "00000010 756e6343 01000000 72676233",
      ["version=1", "profile=rgb3"]),
    BoxRow(
      "cmpd by hand from 23001-17, 5.2", "00000012 636d7064 00000002 0004 8000 6100",
      ["components[0].component_type=4", "components[1].component_type_uri=\"a\""]),
    BoxRow(
      "cmpC by hand from 23001-17/Amd 2", "00000011 636d7043 00000000 7a6c6962 02",
      ["compression_type=zlib", "compressed_unit_type=2"]),
    BoxRow(
      "icef by hand from 23001-17/Amd 2",
      "00000019 69636566 00000000 24 00000002 0001 0002 0003 0004",
      ["unit_offset_code=1", "unit_size_code=1", "num_compressed_units=2", "units=(2 rows)"]),
  ]

  static let minimized: [BoxRow] = [
    BoxRow(
      "mini with alpha, Exif and XMP by libheif 1.23.6",
      """
      000001536d696e6904683f7e081b400d801206a02212000103700000009000000000001ef000fcfdf8f80000
      0f03600001001840010c01ffff03700000030090000003000003001eba024061000100284201010370000003
      0090000003000003001ea020810596ea4929ae6c0800000300c800000300084062000100074401c172b02240
      0104080000009ff8000000001ef000fcfcf8f800000f03600001001740010c01ffff0408000003009ff80000
      0300001eba024061000100264201010408000003009ff800000300001ec08204165ba924a6b9b02000000303
      20000003002162000100074401c172b022400000000e2801ae27c3f429f50f7533d7fc70000000182801af13
      80e6a870d3fffc7851ffe34eafe9322d279bf7c00000000049492a00080000000000000000003c783a786d70
      6d65746120786d6c6e733a783d2261646f62653a6e733a6d6574612f222f3e
      """,
      [
        "alpha_flag=1", "chroma_subsampling=1", "width_minus1=63", "alpha_is_premultiplied=0",
        "large_codec_config_flag=1", "main_item_codec_config_size=109",
        "main_item_data_size_minus1=27", "alpha_item_data_size=18",
        "alpha_item_codec_config_size=106", "exif_xmp_compressed_flag=0",
        "exif_data_size_minus1=17", "xmp_data_size_minus1=36",
        "main_item_codec_config=(109 bytes)", "alpha_item_codec_config=(106 bytes)",
        "alpha_item_data=(18 bytes)", "main_item_data=(28 bytes)", "exif_data=(18 bytes)",
        "xmp_data=(37 bytes)",
      ]),
    BoxRow(
      "mini of high dynamic range by libheif 1.23.6",
      """
      000000ba6d696e6901083f7e1881f400c819e143620ea605dc42681f401e89a021004c4b4000000019000f7c
      d840da006c0103700000009000000000001ef000fcfdf8f800000f03600001001840010c01ffff0370000003
      0090000003000003001eba0240610001002842010103700000030090000003000003001ea020810596ea4929
      ae6c0800000300c800000300084062000100074401c172b02240000000182801af1380e6a870d3fffc7851ff
      e34eafe9322d279bf7c0
      """,
      [
        "hdr_flag=1", "gainmap_flag=0", "hdr.clli_flag=1", "hdr.cclv_flag=0",
        "hdr.clli.max_content_light_level=1000", "hdr.clli.max_pic_average_light_level=400",
        "hdr.mdcv.display_primaries[0].x=13250", "hdr.mdcv.white_point_y=16450",
        "hdr.mdcv.min_display_mastering_luminance=50",
        "hdr.ndwt.diffuse_white_luminance=2030000", "main_item_data=(28 bytes)",
      ]),
    BoxRow(
      "mini with a gain map by hand from 23008-12/Amd 2, O.3",
      """
      0000003f6d696e692b858fbf179f21220d0ecc662d0ecc68707df0bce0c6b848680400400000fa0002010020
      01020004c0c101020304050610111213202122
      """,
      [
        "explicit_codec_types_flag=1", "explicit_cicp_flag=1", "icc_flag=1",
        "chroma_subsampling=0", "orientation_minus1=5", "large_dimensions_flag=1",
        "width_minus1=4031", "height_minus1=3023", "high_bit_depth_flag=1", "bit_depth_minus9=1",
        "colour_primaries=9", "transfer_characteristics=16", "infe_type=hvc1",
        "codec_config_type=hvcC", "gainmap_flag=1",
        "gainmap.gainmap_dimension_same_as_main_item_flag=0", "gainmap.gainmap_width_minus1=2015",
        "gainmap.gainmap_matrix_coefficients=6", "gainmap.gainmap_float_flag=1",
        "gainmap.gainmap_bit_depth_log2_minus4=1", "gainmap.tmap_icc_flag=1",
        "gainmap.tmap_transfer_characteristics=13", "gainmap.tmap_full_range_flag=1",
        "tmap_hdr.ndwt_flag=1", "tmap_hdr.ndwt.diffuse_white_luminance=1000",
        "large_metadata_flag=0", "icc_data_size_minus1=1", "tmap_icc_data_size_minus1=2",
        "gainmap_metadata_size=1", "gainmap_item_data_size=4", "gainmap_item_codec_config_size=0",
        "main_item_codec_config_size=2", "main_item_data_size_minus1=2",
        "main_item_codec_config=(2 bytes)", "icc_data=(2 bytes)", "tmap_icc_data=(3 bytes)",
        "gainmap_metadata=(1 bytes)", "gainmap_item_data=(4 bytes)", "main_item_data=(3 bytes)",
      ]),
  ]

  @Test func `it reads extents without bits only once`() throws {
    let row = BoxRow(
      "iloc that announces 65535 extents of no bits",
      "00000016 696c6f63 00000000 0000 0001 0001 0000 ffff", [])
    let (node, findings) = try row.read(row.bytes)
    #expect(node.box == nil)
    #expect(findings.map(\.rule) == ["invalid"])
  }
}
