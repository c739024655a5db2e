// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct UserTypeBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "PIFF track encryption by hand from PIFF 1.1, 5.3.3",
      """
      00000030 75756964 8974dbce 7be74c51 84f97148 f9882554 00000000 00000108 11223344
      55667788 99aabbcc ddeeff00
      """,
      [
        "AlgorithmID=1",
        "IV_size=8",
        "KID=11223344-5566-7788-99aa-bbccddeeff00",
      ]),
    BoxRow(
      "PIFF sample encryption with an algorithm of its own, by hand from PIFF 1.1, 5.3.2",
      """
      0000003c 75756964 a2394f52 5a9b4f14 a2446c42 7c648df4 00000001 00000208 11223344
      55667788 99aabbcc ddeeff00 00000001 07070707 07070707
      """,
      [
        "flags=0x1",
        "AlgorithmID=2",
        "sample_count=1",
        "entries=(8 bytes)",
      ]),
    BoxRow(
      "PIFF sample encryption with the algorithm of the track, by hand from PIFF 1.1, 5.3.2",
      """
      00000028 75756964 a2394f52 5a9b4f14 a2446c42 7c648df4 00000000 00000001 07070707
      07070707
      """,
      [
        "sample_count=1",
        "entries=(8 bytes)",
      ]),
    BoxRow(
      "PIFF protection system by hand from PIFF 1.1, 5.3.1",
      """
      00000032 75756964 d08a4f18 10f34a82 b6c832d8 aba183d3 00000000 9a04f079 98404286
      ab92e65b e0885f95 00000002 abcd
      """,
      [
        "SystemID=9a04f079-9840-4286-ab92-e65be0885f95",
        "DataSize=2",
      ]),
    BoxRow(
      "tfxd by hand from [MS-SSTR] 2.2.4.4",
      """
      0000002c 75756964 6d1d9b05 42d544e6 80e2141d aff757b2 01000000 00000002 00000000
      00000000 0131fd55
      """,
      [
        "version=1",
        "fragment_absolute_time=8589934592",
        "fragment_duration=20053333",
      ]),
    BoxRow(
      "tfrf of version 0 by hand from [MS-SSTR] 2.2.4.5",
      """
      0000002d 75756964 d4807ef2 ca394695 8e5426cb 9e46a79f 00000000 02000000 0a000000
      14000000 1e000000 28
      """,
      [
        "fragment_count=2",
        "fragments[1].fragment_absolute_time=30",
        "fragments[1].fragment_duration=40",
      ]),
    BoxRow(
      "XMP by hand from XMP part 3, 1.2.7",
      """
      00000024 75756964 be7acfcb 97a942e8 9c719994 91e3afac 3c783a78 6d706d65 74612f3e
      """,
      [
        "packet=\"<x:xmpmeta/>\""
      ]),
    BoxRow(
      "spherical video by hand from Spherical Video V1",
      """
      0000002d 75756964 ffcc8263 f8554a93 8814587a 02521fdd 3c726466 3a537068 65726963
      616c5669 64656f2f 3e
      """,
      [
        "xml=\"<rdf:SphericalVideo/>\""
      ]),
    BoxRow(
      "metadata of Canon by hand from what ExifTool reads",
      """
      00000092 75756964 85c0b687 820f11e0 8111f4ce 462b6a48 00000014 434e4356 43616e6f
      6e484549 46303031 00000020 43435450 00000000 00000001 00000001 0000000c 43434454
      00000000 00000020 4354424f 00000001 00000001 00000000 00000002 00000000 00000003
      0000000c 434d5431 49492a00 0000001a 54484d42 00000000 00a00078 00000002 00000000
      ffd8
      """,
      [
        "CompressorVersion=\"CanonHEIF001\"",
        "entries=(1 rows)",
        "TIFF=(4 bytes)",
        "width=160",
        "height=120",
        "jpeg_size=2",
      ]),
    BoxRow(
      "preview of Canon by hand from what ExifTool reads",
      """
      0000003a 75756964 eaf42b5e 1c984b88 b9fbb7dc 406e4d16 00000000 00000001 0000001a
      50525657 00000000 00000654 04380001 00000002 ffd8
      """,
      [
        "width=1620",
        "height=1080",
        "jpeg_size=2",
      ]),
    BoxRow(
      "Content Credentials by hand from the C2PA specification and 19566-5, A",
      """
      0000005f 75756964 d8fec3d6 1b0e483c 92975828 877ec481 00000000 6d616e69 66657374
      00000000 00000000 00000000 326a756d 62000000 1e6a756d 64633270 61001100 10800000
      aa00389b 71036332 70610000 00000c63 626f72a1 616101
      """,
      [
        "box_purpose=\"manifest\"",
        "merkle_offset=0",
        "jumb",
        "jumd",
        "TYPE=63327061-0011-0010-8000-00aa00389b71",
        "TOGGLES=0x3",
        "LABEL=\"c2pa\"",
        "cbor",
      ]),
    BoxRow(
      "hashes of Content Credentials by hand from the C2PA specification",
      """
      00000027 75756964 d8fec3d6 1b0e483c 92975828 877ec481 00000000 6d65726b 6c6500a1
      616101
      """,
      [
        "box_purpose=\"merkle\"",
        "data=(4 bytes)",
      ]),
    BoxRow(
      "a superbox with an ID, a digest and a private box, an embedded file and JSON, by hand from 19566-5, A and B",
      """
      00000080 6a756d62 0000004b 6a756d64 6a736f6e 00110010 800000aa 00389b71 1e610000
      0000075a 5a5a5a5a 5a5a5a5a 5a5a5a5a 5a5a5a5a 5a5a5a5a 5a5a5a5a 5a5a5a5a 5a5a5a00
      00000c63 32736801 02030400 00000a6a 736f6e7b 7d000000 19626664 6201696d 6167652f
      706e6700 612e706e 67000000 000a6269 64628950
      """,
      [
        "TOGGLES=0x1e",
        "ID=7",
        "c2sh",
        "salt=0x01020304",
        "json=\"{}\"",
        "MEDIA_TYPE=\"image/png\"",
        "FILE_NAME=\"a.png\"",
        "bidb",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  @Test func `it names what a type does not say`() throws {
    let names = try Self.rows.map { try $0.read($0.bytes).node.name }
    #expect(
      names == [
        "PIFF track encryption", "PIFF sample encryption", "PIFF sample encryption",
        "PIFF protection system, PlayReady", "tfxd", "tfrf", "XMP", "spherical video",
        "Canon metadata", "Canon preview", "Content Credentials (C2PA)",
        "Content Credentials (C2PA)", "a",
      ])
  }

  /// A program that declares all `uuid` boxes gets them all.
  @Test func `it leaves user types to the declaration of a program`() throws {
    let source = MemorySource(Self.rows[6].bytes)
    #expect(try BoxTree(reading: source).boxes[0].box is XMPPacket)
    let tree = try BoxTree(reading: source, boxes: [UserExtension.self])
    #expect(tree.boxes[0].box is UserExtension)
  }
}
