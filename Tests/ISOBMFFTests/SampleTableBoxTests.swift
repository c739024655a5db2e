// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Boxes that say where and when each sample is.
struct SampleTableBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "cslg by hand from 14496-12, 8.6.1.4",
      "00000020 63736c67 00000000 00000200 fffffe00 00000400 00000000 00000a00",
      [
        "compositionToDTSShift=512", "leastDecodeToDisplayDelta=-512",
        "greatestDecodeToDisplayDelta=1024", "compositionStartTime=0",
        "compositionEndTime=2560",
      ]),
    BoxRow(
      "cslg version 1 by hand from 14496-12, 8.6.1.4",
      """
      00000034 63736c67 01000000 00000000 00000200 ffffffff fffffe00 00000000
      00000400 00000000 00000000 00000001 00000000
      """,
      [
        "leastDecodeToDisplayDelta=-512", "compositionEndTime=4294967296",
      ]),
    BoxRow(
      "sgpd by ffmpeg 5.1", "0000001a 73677064 01000000 726f6c6c 00000002 00000001 ffff",
      [
        "version=1", "grouping_type=roll", "default_length=2", "entry_count=1",
        "entries[0].roll_distance=-1",
      ]),
    BoxRow(
      "sgpd of entries that say their length by hand from 14496-12, 8.9.3",
      """
      00000022 73677064 01000000 72617020 00000000 00000002 00000001 83000000
      0100
      """,
      [
        "grouping_type=rap ", "entries[0].description_length=1",
        "entries[0].num_leading_samples_known=1", "entries[0].num_leading_samples=3",
        "entries[1].num_leading_samples_known=0",
      ]),
    BoxRow(
      "sgpd version 2 by hand from 14496-12, 8.9.3 and 23001-7, 6",
      """
      00000041 73677064 02000000 73656967 00000025 00000000 00000001 00190100
      00010203 04050607 08090a0b 0c0d0e0f 10101112 13141516 1718191a 1b1c1d1e
      1f
      """,
      [
        "version=2", "default_length=37", "default_group_description_index=0",
        "entries[0].crypt_byte_block=1", "entries[0].skip_byte_block=9",
        "entries[0].isProtected=1", "entries[0].Per_Sample_IV_Size=0",
        "entries[0].KID=00010203-0405-0607-0809-0a0b0c0d0e0f", "entries[0].constant_IV_size=16",
        "entries[0].constant_IV=0x101112131415161718191a1b1c1d1e1f",
      ]),
    BoxRow(
      "sgpd version 0 by hand from 14496-12, 8.9.3",
      "00000016 73677064 00000000 726f6c6c 00000001 ffff",
      [
        "version=0", "entry_count=1", "entries=(2 bytes)",
      ]),
    BoxRow(
      "sgpd of sync samples by hand from 14496-12, 8.9.3 and 10",
      "00000019 73677064 01000000 73796e63 00000001 00000001 15",
      [
        "entries[0].NAL_unit_type=21"
      ]),
    BoxRow(
      "sgpd of temporal levels by hand from 14496-12, 8.9.3 and 10.5",
      "00000019 73677064 01000000 74656c65 00000001 00000001 80",
      [
        "entries[0].level_independently_decodable=1"
      ]),
    BoxRow(
      "sgpd of alternative startup by hand from 14496-12, 8.9.3 and 10.3",
      """
      00000024 73677064 01000000 616c7374 0000000c 00000001 00010002 00000003
      00040005
      """,
      [
        "entries[0].roll_count=1", "entries[0].first_output_sample=2",
        "entries[0].sample_offset[0]=3", "entries[0].rest=(4 bytes)",
      ]),
    BoxRow(
      "csgp by hand from 14496-12, 8.9.5", "00000018 63736770 00000014 70726f6c 00000001 03091230",
      [
        "flags=0x14", "grouping_type=prol", "pattern_count=1", "patterns[0].pattern_length=3",
        "patterns[0].sample_count=9",
        "sample_group_description_indices[0].sample_group_description_index[1]=2", "padding=0",
      ]),
    BoxRow(
      "csgp with a parameter by hand from 14496-12, 8.9.5",
      "0000001b 63736770 00000042 70726f6c 00000007 00000001 110102",
      [
        "grouping_type_parameter=7", "patterns[0].pattern_length=1",
        "patterns[0].sample_count=1",
        "sample_group_description_indices[0].sample_group_description_index[0]=258",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  static let tables: [TableRow] = [
    TableRow(
      "stts by ffmpeg 5.1",
      "00000020 73747473 00000000 00000002 00000009 00000400 00000001 00000274",
      [
        "entry_count=2"
      ],
      rows: [[9, 1024], [1, 628]]),
    TableRow(
      "elst by ffmpeg 5.1", "0000001c 656c7374 00000000 00000001 000000c8 00000400 00010000",
      ["version=0", "entry_count=1"], rows: [[200, 1024, 1, 0]]),
    TableRow(
      "elst version 1 by hand from 14496-12, 8.6.6",
      """
      00000024 656c7374 01000000 00000001 00000001 00000000 ffffffff ffffffff
      00010000
      """,
      ["version=1", "entry_count=1"], rows: [[1 << 32, -1, 1, 0]]),
    TableRow(
      "ctts by ffmpeg 5.1",
      """
      00000030 63747473 00000000 00000004 00000001 00000400 00000001 00000800
      00000002 00000200 00000001 00000400
      """,
      [
        "version=0", "entry_count=4",
      ],
      rows: [[1, 1024], [1, 2048], [2, 512], [1, 1024]]),
    TableRow(
      "ctts version 1 by ffmpeg 5.1",
      """
      00000030 63747473 01000000 00000004 00000001 00000000 00000001 00000400
      00000002 fffffe00 00000001 00000000
      """,
      [
        "version=1", "entry_count=4",
      ],
      rows: [[1, 0], [1, 1024], [2, -512], [1, 0]]),
    TableRow(
      "stsc by ffmpeg 5.1",
      """
      00000034 73747363 00000000 00000003 00000001 00000001 00000001 00000002
      00000002 00000001 00000004 00000005 00000001
      """,
      [
        "entry_count=3"
      ],
      rows: [[1, 1, 1], [2, 2, 1], [4, 5, 1]]),
    TableRow(
      "stsz by ffmpeg 5.1",
      """
      00000028 7374737a 00000000 00000000 00000005 000004ff 00000037 0000000c
      0000000c 00000018
      """,
      [
        "sample_size=0", "sample_count=5",
      ],
      rows: [[1279], [55], [12], [12], [24]]),
    TableRow(
      "stsz of equal samples by ffmpeg 5.1", "00000014 7374737a 00000000 00000002 00002274",
      [
        "sample_size=2", "sample_count=8820",
      ],
      rows: []),
    TableRow(
      "stz2 of 4 bits by hand from 14496-12, 8.7.3.3",
      "00000016 73747a32 00000000 00000004 00000003 1230",
      [
        "reserved=0", "field_size=4", "sample_count=3",
      ],
      rows: [[1], [2], [3]]),
    TableRow(
      "stz2 of 16 bits by hand from 14496-12, 8.7.3.3",
      "00000018 73747a32 00000000 00000010 00000002 01020304",
      [
        "field_size=16", "sample_count=2",
      ],
      rows: [[258], [772]]),
    TableRow(
      "stco by ffmpeg 5.1",
      "00000020 7374636f 00000000 00000004 00000052 0000068a 0000082a 000009ce",
      [
        "entry_count=4"
      ],
      rows: [[82], [1674], [2090], [2510]]),
    TableRow(
      "co64 by pymp4 1.4.0",
      "00000020 636f3634 00000000 00000002 00000001 23456789 00000000 00000007",
      [
        "entry_count=2"
      ],
      rows: [[4_886_718_345], [7]]),
    TableRow(
      "stss by ffmpeg 5.1", "00000014 73747373 00000000 00000001 00000001",
      [
        "entry_count=1"
      ],
      rows: [[1]]),
    TableRow(
      "stsh by hand from 14496-12, 8.6.3", "00000018 73747368 00000000 00000001 00000005 00000001",
      [
        "entry_count=1"
      ],
      rows: [[5, 1]]),
    TableRow(
      "sdtp by ffmpeg 5.1", "00000011 73647470 00000000 20101018 18",
      [
        "entries=(5 rows)"
      ],
      rows: [[0, 2, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 2, 0], [0, 1, 2, 0]]),
    TableRow(
      "stdp by hand from 14496-12, 8.5.3", "00000010 73746470 00000000 00018000",
      [
        "entries=(2 rows)"
      ],
      rows: [[1], [32768]]),
    TableRow(
      "padb by hand from 14496-12, 8.7.6", "00000012 70616462 00000000 00000003 1320",
      [
        "sample_count=3"
      ],
      rows: [[0, 1, 0, 3], [0, 2, 0, 0]]),
    TableRow(
      "sbgp by ffmpeg 5.1", "0000001c 73626770 00000000 726f6c6c 00000001 0000000a 00000001",
      [
        "grouping_type=roll", "entry_count=1",
      ],
      rows: [[10, 1]]),
    TableRow(
      "sbgp version 1 by hand from 14496-12, 8.9.2",
      "00000020 73626770 01000000 73796e63 00000004 00000001 00000002 00000001",
      [
        "grouping_type=sync", "grouping_type_parameter=4",
      ],
      rows: [[2, 1]]),
    TableRow(
      "subs by hand from 14496-12, 8.7.7",
      """
      00000026 73756273 00000000 00000001 00000001 00020010 01000000 00000020
      02010000 00ff
      """,
      [
        "entry_count=1", "entries[0].sample_delta=1", "entries[0].subsample_count=2",
      ],
      rows: [[16, 1, 0, 0], [32, 2, 1, 255]]),
    TableRow(
      "saiz by ffmpeg 5.1", "00000016 7361697a 00000000 00000000 05161010 1010",
      [
        "default_sample_info_size=0", "sample_count=5",
      ],
      rows: [[22], [16], [16], [16], [16]]),
    TableRow(
      "saiz with a type by pymp4 1.4.0",
      "0000001c 7361697a 00000001 63656e63 00000000 00000000 0308090a",
      [
        "flags=0x1", "aux_info_type=cenc", "aux_info_type_parameter=0", "sample_count=3",
      ],
      rows: [[8], [9], [10]]),
    TableRow(
      "saio by ffmpeg 5.1", "00000014 7361696f 00000000 00000001 0000111a",
      [
        "entry_count=1"
      ],
      rows: [[4378]]),
    TableRow(
      "saio with a type by pymp4 1.4.0",
      "00000020 7361696f 01000001 63656e63 00000005 00000001 00000001 00000001",
      [
        "version=1", "aux_info_type=cenc", "aux_info_type_parameter=5", "entry_count=1",
      ],
      rows: [[4_294_967_297]]),
  ]

  @Test(arguments: tables) func `it reads every row`(_ row: TableRow) throws { try check(row) }
}
