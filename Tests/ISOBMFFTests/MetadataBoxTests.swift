// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

/// User data and metadata, ISO and QuickTime.
struct MetadataBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "meta by ffmpeg 5.1",
      """
      000000e3 6d657461 00000000 00000021 68646c72 00000000 00000000 6d646972
      6170706c 00000000 00000000 00000000 b6696c73 74000000 1aa96e61 6d000000
      12646174 61000000 01000000 00486900 00001aa9 41525400 00001264 61746100
      00000100 0000004d 65000000 1ca96461 79000000 14646174 61000000 01000000
      00323032 34000000 25a9746f 6f000000 1d646174 61000000 01000000 004c6176
      6635392e 32372e31 30300000 00196370 696c0000 00116461 74610000 00150000
      00000100 00002074 726b6e00 00001864 61746100 00000000 00000000 00000300
      090000
      """,
      [
        "version=0", "flags=0x0", "hdlr", "handler_type=mdir", "ilst", "©nam", "type_set=0",
        #"value="Hi""#, "©ART", #"value="Me""#, "cpil", "well_known_type=21", "value=1", "trkn",
        "well_known_type=0", "value=(8 bytes)",
      ]),
    BoxRow(
      "chpl by ffmpeg 5.1",
      """
      00000029 6368706c 01000000 00000000 02000000 00000000 00034f6e 65000000
      00000f42 40035477 6f
      """,
      [
        "version=1", "chapter_count=2", #"chapters[0].title="One""#,
        "chapters[1].start_time=1000000", "chapters[1].title_length=3",
        #"chapters[1].title="Two""#,
      ]),
    BoxRow(
      "meta with keys by ffmpeg 5.1",
      """
      000000dd 6d657461 00000000 00000021 68646c72 00000000 00000000 6d647461
      00000000 00000000 00000000 00000000 4d6b6579 73000000 00000000 03000000
      206d6474 61636f6d 2e617070 6c652e71 7569636b 74696d65 2e6d616b 65000000
      0e6d6474 61616e73 77657200 00000f6d 64746165 6e636f64 65720000 0063696c
      73740000 001c0000 00010000 00146461 74610000 00010000 00004170 75730000
      001a0000 00020000 00126461 74610000 00010000 00003432 00000025 00000003
      0000001d 64617461 00000001 00000000 4c617666 35392e32 372e3130 30
      """,
      [
        "hdlr", "handler_type=mdta", "keys", "entry_count=3", "entries[0].Key_size=32",
        "entries[0].Key_namespace=mdta", #"entries[0].Key_value="com.apple.quicktime.make""#,
        "ilst", #"\x00\x00\x00\x01"#, #"value="Apus""#, #"value="42""#,
      ]),
    BoxRow(
      "meta without version by hand from the QuickTime File Format",
      """
      00000031 6d657461 00000021 68646c72 00000000 00000000 6d647461 00000000
      00000000 00000000 00000000 08696c73 74
      """,
      [
        "hdlr", "handler_type=mdta", "ilst",
      ]),
    BoxRow(
      "---- by mutagen 1.48.1", in: ["ilst"],
      """
      00000048 2d2d2d2d 0000001c 6d65616e 00000000 636f6d2e 6170706c 652e6954
      756e6573 00000010 6e616d65 00000000 4d4f4f44 00000014 64617461 00000001
      00000000 63616c6d
      """,
      [
        "mean", #"name="com.apple.iTunes""#, "name", #"name="MOOD""#, "data", #"value="calm""#,
      ]),
    BoxRow(
      "tmpo by mutagen 1.48.1", in: ["ilst"],
      "0000001a 746d706f 00000012 64617461 00000015 00000000 0078",
      [
        "data", "well_known_type=21", "value=120",
      ]),
    BoxRow(
      "udta of a mov by ffmpeg 5.1",
      """
      00000066 75647461 0000000e a9415254 000255c4 4d650000 000ea96e 616d0002
      55c44869 00000019 a9737772 000d55c4 4c617666 35392e32 372e3130 30000000
      29636870 6c010000 00000000 00020000 00000000 0000034f 6e650000 0000000f
      42400354 776f
      """,
      [
        "©ART", "strings[0].text_size=2", "strings[0].language=und", #"strings[0].text="Me""#,
        "©nam", #"strings[0].text="Hi""#, "chpl",
      ]),
    BoxRow(
      "©nam by hand from files that leave out lengths", in: ["udta"],
      "0000000e a96e616d 48656c6c 6f21",
      [
        #"text="Hello!""#
      ]),
    BoxRow(
      "name by hand from the QuickTime File Format", in: ["udta"],
      "0000000e 6e616d65 53746572 656f",
      [
        #"name="Stereo""#
      ]),
    BoxRow(
      "kind by ffmpeg 5.1",
      """
      00000028 6b696e64 00000000 75726e3a 6d706567 3a646173 683a726f 6c653a32
      30313100 64756200
      """,
      [
        #"schemeURI="urn:mpeg:dash:role:2011""#, #"value="dub""#,
      ]),
    BoxRow(
      "titl by ffmpeg 5.1", "00000010 7469746c 00000000 15c75400",
      [
        "pad=0", "language=eng", #"notice="T""#,
      ]),
    BoxRow(
      "gnre by ffmpeg 5.1", "00000010 676e7265 00000000 15c74700",
      [
        #"notice="G""#
      ]),
    BoxRow(
      "dscp by ffmpeg 5.1", "00000010 64736370 00000000 15c74400",
      [
        #"notice="D""#
      ]),
    BoxRow(
      "cprt by ffmpeg 5.1", "00000010 63707274 00000000 15c74300",
      [
        #"notice="C""#
      ]),
    BoxRow(
      "cprt in UTF-16 by hand from 14496-12, 8.10.2",
      "00000014 63707274 00000000 55c4feff 00430000",
      [
        "language=und"
      ]),
    BoxRow(
      "albm by ffmpeg 5.1", "00000012 616c626d 00000000 15c7416c 0007",
      [
        "language=eng", #"AlbumTitle="Al""#, "TrackNumber=7",
      ]),
    BoxRow(
      "yrrc by ffmpeg 5.1", "0000000e 79727263 00000000 07e8",
      [
        "RecordingYear=2024"
      ]),
    BoxRow(
      "loci by ffmpeg 5.1",
      """
      00000023 6c6f6369 00000000 00000000 ffddc000 000c8000 00000000 65617274
      680000
      """,
      [
        #"Name="""#, "Role=0", "Longitude=-34.25", "Latitude=12.5", "Altitude=0",
        #"Astronomical_body="earth""#, #"Additional_notes="""#,
      ]),
    BoxRow(
      "kywd by hand from 26.244, 8", "00000016 6b797764 00000000 15c70203 61310002 6200",
      [
        "language=eng", "KeywordCnt=2", "keywords[0].KeywordSize=3",
        #"keywords[0].KeywordInfo="a1\u{0}""#,
      ]),
    BoxRow(
      "kywd as text by hand from files that hold plain text", "0000000e 6b797764 694d6f76 6965",
      [
        #"keywords="iMovie""#
      ]),
    BoxRow(
      "clsf by hand from 26.244, 8", "00000016 636c7366 00000000 61626364 000515c7 7800",
      [
        "ClassificationEntity=abcd", "ClassificationTable=5", "language=eng",
        #"ClassificationInfo="x""#,
      ]),
    BoxRow(
      "rtng by hand from 26.244, 8", "00000018 72746e67 00000000 61626364 65666768 15c75200",
      [
        "RatingEntity=abcd", "RatingCriteria=efgh", "language=eng", #"RatingInfo="R""#,
      ]),
    BoxRow(
      "tsel by hand from 14496-12, 8.10.3", "00000018 7473656c 00000000 ffffffff 6c616e67 62697472",
      [
        "switch_group=-1", "attribute_list[0]=lang", "attribute_list[1]=bitr",
      ]),
    BoxRow(
      "stri by hand from 14496-12, 8.14.4", "00000018 73747269 00000000 0001ffff 00000007 76777773",
      [
        "switch_group=1", "alternate_group=-1", "sub_track_ID=7", "attribute_list[0]=vwws",
      ]),
    BoxRow(
      "ID32 by hand from the MP4 registration authority",
      "00000018 49443332 00000000 15c74944 33040000 00000000",
      [
        "language=eng", "ID3v2_data=(10 bytes)",
      ]),
    BoxRow(
      "xml  by hand from 14496-12, 8.11.2", "00000011 786d6c20 00000000 3c612f3e 00",
      [
        "xml=(5 bytes)"
      ]),
    BoxRow(
      "bxml by hand from 14496-12, 8.11.2", "0000000e 62786d6c 00000000 0102",
      [
        "data=(2 bytes)"
      ]),
    BoxRow(
      "mere by hand from 14496-12, 8.11.8", "00000015 6d657265 00000000 6d703767 6d703231 03",
      [
        "first_metabox_handler_type=mp7g", "second_metabox_handler_type=mp21",
        "metabox_relation=3",
      ]),
    BoxRow(
      "mhdr by hand from the QuickTime File Format", "00000010 6d686472 00000000 00000004",
      [
        "nextItemID=4"
      ]),
    BoxRow(
      "ctry by hand from the QuickTime File Format",
      "00000016 63747279 00000000 00000001 00025553 4742",
      [
        "Entry_count=1", "entries[0].code_count=2", "entries[0].codes[0]=21843",
      ]),
    BoxRow(
      "itif by hand from the QuickTime File Format", "00000010 69746966 00000000 00000003",
      [
        "Item_ID=3"
      ]),
    BoxRow(
      "labl by hand from 14496-12, 8.10.5", "00000017 6c61626c 00000000 80 0001 656e00 4361747300",
      ["is_group_label=1", "label_id=1", "language=\"en\"", "label=\"Cats\""]),
    BoxRow(
      "data of another type by hand from the QuickTime File Format",
      "00000018 64617461 00000017 00000000 3ff00000 00000000",
      [
        "well_known_type=23", "value=(8 bytes)",
      ]),
    BoxRow(
      "data of an unsigned integer by hand from the QuickTime File Format",
      "00000014 64617461 0000004d 00000000 ffffffff",
      [
        "well_known_type=77", "value=4294967295",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }
}
