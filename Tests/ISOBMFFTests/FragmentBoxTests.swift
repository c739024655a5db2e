// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Boxes of movie fragments and segments.
struct FragmentBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "mehd by pymp4 1.4.0", "00000014 6d656864 01000000 00000001 00000002",
      [
        "version=1", "fragment_duration=4294967298",
      ]),
    BoxRow(
      "trex by pymp4 1.4.0",
      "00000020 74726578 00000000 00000002 00000001 00000200 00000006 020a0007",
      [
        "track_ID=2", "default_sample_description_index=1", "default_sample_duration=512",
        "default_sample_size=6", "default_sample_flags.sample_depends_on=2",
        "default_sample_flags.sample_padding_value=5",
        "default_sample_flags.sample_is_non_sync_sample=0",
        "default_sample_flags.sample_degradation_priority=7",
      ]),
    BoxRow(
      "trep by hand from 14496-12, 8.8.15",
      "0000001c 74726570 00000000 00000002 0000000c 66726565 01020304",
      [
        "track_ID=2", "free", "data=(4 bytes)",
      ]),
    BoxRow(
      "leva by hand from 14496-12, 8.8.13",
      """
      00000031 6c657661 00000000 04000000 01807379 6e630000 00020172 6f6c6c00
      00000500 00000304 00000009 00000004 02
      """,
      [
        "level_count=4", "levels[0].track_ID=1", "levels[0].padding_flag=1",
        "levels[0].assignment_type=0", "levels[0].grouping_type=sync",
        "levels[1].grouping_type_parameter=5", "levels[2].sub_track_ID=9",
        "levels[3].assignment_type=2",
      ]),
    BoxRow(
      "mfhd by ffmpeg 5.1", "00000010 6d666864 00000000 00000002",
      [
        "sequence_number=2"
      ]),
    BoxRow(
      "tfhd by ffmpeg 5.1",
      """
      00000024 74666864 00000039 00000001 00000000 00000511 00000200 000004dd
      01010000
      """,
      [
        "flags=0x39", "track_ID=1", "base_data_offset=1297", "default_sample_duration=512",
        "default_sample_size=1245", "default_sample_flags.sample_depends_on=1",
        "default_sample_flags.sample_is_non_sync_sample=1",
      ]),
    BoxRow(
      "tfhd with all fields by pymp4 1.4.0",
      """
      00000028 74666864 0002003b 00000002 00000001 00000000 00000003 00000004
      00000005 01010000
      """,
      [
        "flags=0x2003b", "track_ID=2", "base_data_offset=4294967296",
        "sample_description_index=3", "default_sample_duration=4", "default_sample_size=5",
        "default_sample_flags.sample_depends_on=1",
        "default_sample_flags.sample_is_non_sync_sample=1",
      ]),
    BoxRow(
      "tfdt by ffmpeg 5.1", "00000014 74666474 01000000 00000000 00000400",
      [
        "version=1", "baseMediaDecodeTime=1024",
      ]),
    BoxRow(
      "tfdt version 0 by pymp4 1.4.0", "00000010 74666474 00000000 0000004d",
      [
        "version=0", "baseMediaDecodeTime=77",
      ]),
    BoxRow(
      "trun without columns by ffmpeg 5.1", "00000018 7472756e 01000005 00000001 000000e4 02000000",
      [
        "flags=0x5", "sample_count=1", "data_offset=228",
      ]),
    BoxRow(
      "mfro by ffmpeg 5.1", "00000010 6d66726f 00000000 000000ba",
      [
        "parent_size=186"
      ]),
    BoxRow(
      "emsg by hand from 23009-1, 5.10.3.3",
      """
      00000025 656d7367 00000000 75726e3a 61003100 000003e8 00000010 00000020
      00000007 ff
      """,
      [
        "version=0", #"scheme_id_uri="urn:a""#, #"value="1""#, "timescale=1000",
        "presentation_time_delta=16", "event_duration=32", "id=7", "message_data=(1 bytes)",
      ]),
    BoxRow(
      "emsg version 1 by hand from 23009-1, 5.10.3.3",
      """
      00000028 656d7367 01000000 000003e8 00000001 00000000 00000020 00000007
      75726e3a 610000ff
      """,
      [
        "version=1", "presentation_time=4294967296", #"scheme_id_uri="urn:a""#, #"value="""#,
      ]),
    BoxRow(
      "prft by ffmpeg 5.1",
      "00000020 70726674 01000018 00000001 eeab8973 76872b01 00000000 00000400",
      [
        "version=1", "flags=0x18", "reference_track_ID=1", "media_time=1024",
      ]),
    BoxRow(
      "senc by ffmpeg 5.1",
      """
      00000066 73656e63 00000002 00000005 fa690f9f 3c5d6ce1 00020005 000002ac
      00050000 0249fa69 0f9f3c5d 6ce20001 00050000 0031fa69 0f9f3c5d 6ce30001
      00050000 0007fa69 0f9f3c5d 6ce40001 00050000 0007fa69 0f9f3c5d 6ce50001
      00050000 0008
      """,
      [
        "flags=0x2", "sample_count=5", "entries=(86 bytes)",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  static let tables: [TableRow] = [
    TableRow(
      "trun by ffmpeg 5.1",
      """
      00000028 7472756e 00000a05 00000002 00000080 02000000 0000024f 00000200
      0000000c 00000200
      """,
      [
        "version=0", "flags=0xa05", "sample_count=2", "data_offset=128",
        "first_sample_flags.sample_depends_on=2",
      ],
      rows: [[591, 512], [12, 512]]),
    TableRow(
      "trun with all columns by pymp4 1.4.0",
      """
      00000034 7472756e 01000f01 00000002 fffffff8 0000000a 00000014 01010000
      ffffffe2 0000000b 00000015 00000000 0000001f
      """,
      [
        "version=1", "flags=0xf01", "sample_count=2", "data_offset=-8",
      ],
      rows: [[10, 20, 16_842_752, -30], [11, 21, 0, 31]]),
    TableRow(
      "tfra by ffmpeg 5.1",
      """
      00000051 74667261 01000000 00000001 00000000 00000003 00000000 00000000
      00000000 00000511 01010100 00000000 00040000 00000000 000d9001 01010000
      00000000 08000000 00000000 140f0101 01
      """,
      [
        "version=1", "track_ID=1", "reserved=0", "length_size_of_traf_num=0",
        "number_of_entry=3",
      ],
      rows: [[0, 1297, 1, 1, 1], [1024, 3472, 1, 1, 1], [2048, 5135, 1, 1, 1]]),
    TableRow(
      "tfra version 0 by hand from 14496-12, 8.8.10",
      """
      00000029 74667261 00000000 00000001 00000039 00000001 00000100 00000200
      00000001 00000200 03
      """,
      [
        "version=0", "length_size_of_traf_num=3", "length_size_of_trun_num=2",
        "length_size_of_sample_num=1",
      ],
      rows: [[256, 512, 1, 2, 3]]),
    TableRow(
      "sidx by pymp4 1.4.0",
      """
      00000034 73696478 01000000 00000002 00015f90 00000001 00000000 00000000
      00000003 00000001 000003e8 0002bf20 90000005
      """,
      [
        "version=1", "reference_ID=2", "timescale=90000",
        "earliest_presentation_time=4294967296", "first_offset=3", "reserved=0",
        "reference_count=1",
      ],
      rows: [[0, 1000, 180000, 1, 1, 5]]),
    TableRow(
      "sidx version 0 by pymp4 1.4.0",
      """
      0000002c 73696478 00000000 00000002 00015f90 00000009 00000003 00000001
      800003e8 0002bf20 20000005
      """,
      [
        "version=0", "earliest_presentation_time=9",
      ],
      rows: [[1, 1000, 180000, 0, 2, 5]]),
    TableRow(
      "ssix by hand from 14496-12, 8.16.4",
      "0000001c 73736978 00000000 00000001 00000002 01000100 02000200",
      [
        "subsegment_count=1", "subsegments[0].range_count=2",
      ],
      rows: [[1, 256], [2, 512]]),
  ]

  @Test(arguments: tables) func `it reads every row`(_ row: TableRow) throws { try check(row) }
}
