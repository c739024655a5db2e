// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

struct ProtectionBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "sinf of cenc by ffmpeg 5.1.9",
      """
      00000050 73696e66 0000000c 66726d61 61766331 00000014 7363686d 00000000 63656e63
      00010000 00000028 73636869 00000020 74656e63 00000000 00000108 11223344 55667788
      99aabbcc ddeeff00
      """,
      [
        "frma",
        "data_format=avc1",
        "schm",
        "scheme_type=cenc",
        "scheme_version=0x10000",
        "schi",
        "tenc",
        "default_isProtected=1",
        "default_Per_Sample_IV_Size=8",
        "default_KID=11223344-5566-7788-99aa-bbccddeeff00",
      ]),
    BoxRow(
      "schm with a URI, by hand from 14496-12, 8.12.5",
      "0000001a 7363686d 00000001 63626373 00010000 75726e3a 7800",
      [
        "flags=0x1",
        "scheme_type=cbcs",
        "scheme_uri=\"urn:x\"",
      ]),
    BoxRow(
      "tenc with a constant vector by pymp4 1.4.0",
      """
      00000029 74656e63 00000000 00000100 11223344 55667788 99aabbcc ddeeff00 08010203
      04050607 08
      """,
      [
        "default_isProtected=1",
        "default_Per_Sample_IV_Size=0",
        "default_constant_IV_size=8",
        "default_constant_IV=0x0102030405060708",
      ]),
    BoxRow(
      "tenc with a pattern, by hand from 23001-7, 8.2",
      "00000020 74656e63 01000000 00190108 11223344 55667788 99aabbcc ddeeff00",
      [
        "version=1",
        "default_crypt_byte_block=1",
        "default_skip_byte_block=9",
      ]),
    BoxRow(
      "pssh by pymp4 1.4.0",
      "00000024 70737368 00000000 edef8ba9 79d64ace a3c827dc d51d21ed 00000004 08011200",
      [
        "SystemID=edef8ba9-79d6-4ace-a3c8-27dcd51d21ed",
        "DataSize=4",
        "Data=(4 bytes)",
      ]),
    BoxRow(
      "pssh of version 1 by pymp4 1.4.0",
      """
      00000044 70737368 01000000 1077efec c0b24d02 ace33c1e 52e2fb4b 00000002 00000000
      00000000 00000000 00000001 00000000 00000000 00000000 00000002 00000000
      """,
      [
        "version=1",
        "KID_count=2",
        "KIDs[1].KID=00000000-0000-0000-0000-000000000002",
        "DataSize=0",
      ]),
    BoxRow(
      "rinf with stvi, by hand from 14496-12, 8.15",
      """
      0000004c 72696e66 0000000c 66726d61 61766331 00000014 7363686d 00000000 73747669
      00000000 00000024 73636869 0000001c 73747669 00000000 00000003 00000001 00000004
      00000003
      """,
      [
        "frma",
        "data_format=avc1",
        "schm",
        "scheme_type=stvi",
        "stvi",
        "single_view_allowed=3",
        "stereo_scheme=1",
        "length=4",
        "stereo_indication_type=0x00000003",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }
}
