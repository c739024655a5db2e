// SPDX-License-Identifier: MIT

import TestSupport
import Testing

/// Boxes of the file as a whole.
struct FileBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "ftyp by ffmpeg 5.1",
      "00000020 66747970 69736f6d 00000200 69736f6d 69736f32 61766331 6d703431",
      [
        "major_brand=isom", "minor_version=512", "compatible_brands[0]=isom",
        "compatible_brands[3]=mp41",
      ]),
    BoxRow(
      "styp by ffmpeg 5.1", "00000018 73747970 6d736468 00000000 6d736468 6d736978",
      [
        "major_brand=msdh", "minor_version=0", "compatible_brands[1]=msix",
      ]),
    BoxRow(
      "free by ffmpeg 5.1", "00000008 66726565",
      [
        "data=(0 bytes)"
      ]),
    BoxRow(
      "wide by ffmpeg 5.1", "00000008 77696465",
      [
        "data=(0 bytes)"
      ]),
    BoxRow(
      "skip by hand from 14496-12, 8.1.2", "0000000c 736b6970 00010203",
      [
        "data=(4 bytes)"
      ]),
    BoxRow(
      "uuid (tfxd) by ffmpeg 5.1",
      """
      0000002c 75756964 6d1d9b05 42d544e6 80e2141d aff757b2 01000000 00000000
      00000000 00000000 000c3500
      """,
      [
        "version=1", "fragment_absolute_time=0", "fragment_duration=800000",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  static let tables: [TableRow] = [
    TableRow(
      "pdin by hand from 14496-12, 8.1.3",
      "0000001c 7064696e 00000000 00010000 000003e8 00020000 00000064",
      [
        "version=0", "flags=0x0", "entries=(2 rows)",
      ],
      rows: [[65536, 1000], [131072, 100]])
  ]

  @Test(arguments: tables) func `it reads every row`(_ row: TableRow) throws { try check(row) }
}
