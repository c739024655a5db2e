// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct SampleEntryTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "avc1 of a 64x48 picture of 4:3 samples by ffmpeg 5.1.9", in: ["stsd"],
      """
      000000af 61766331 00000000 00000001 00000000 00000000 00000000 00000000 00400030
      00480000 00480000 00000000 0001154c 61766335 392e3337 2e313030 206c6962 78323634
      00000000 00000000 00000018 ffff0000 00356176 63430164 000affe1 00186764 000aacd9
      447b0e10 00000300 10000003 0320f122 59600100 0668ebe3 cb22c0fd f8f80000 00001070
      61737000 00000400 00000300 00001462 74727400 00000000 01859500 018595
      """,
      [
        "data_reference_index=1",
        "width=64",
        "height=48",
        "horizresolution=72",
        "frame_count=1",
        "compressorname=\"Lavc59.37.100 libx264\"",
        "depth=24",
        "pre_defined=-1",
        "avcC",
        "AVCProfileIndication=100",
        "AVCLevelIndication=10",
        "lengthSizeMinusOne=3",
        "pasp",
        "hSpacing=4",
        "vSpacing=3",
        "btrt",
        "maxBitrate=99733",
        "avgBitrate=99733",
      ]),
    BoxRow(
      "apco with QuickTime vendor and qualities by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000070 6170636f 00000000 00000001 00000000 46464d50 00000200 00000200 00400030
      00480000 00480000 00000000 0001174c 61766335 392e3337 2e313030 2070726f 7265735f
      6b730000 00000000 00000018 ffff0000 000a6669 656c0100 00000010 70617370 00000001
      00000001
      """,
      [
        "pre_defined[0]=1179012432",
        "pre_defined[1]=512",
        "pre_defined[2]=512",
        "width=64",
        "compressorname=\"Lavc59.37.100 prores_ks\"",
        "fiel",
        "field_count=1",
      ]),
    BoxRow(
      "mp4a by ffmpeg 5.1.9", in: ["stsd"],
      """
      0000006e 6d703461 00000000 00000001 00000000 00000000 00020010 00000000 ac440000
      00000036 65736473 00000000 03808080 25000100 04808080 17401500 00000001 2b020001
      2b020580 80800512 0856e500 06808080 01020000 00146274 72740000 00000001 2b020001
      2b02
      """,
      [
        "entry_version=0",
        "channelcount=2",
        "samplesize=16",
        "samplerate=44100",
        "esds",
        "btrt",
      ]),
    BoxRow(
      "mp4a in a version 1 stsd, by hand from 14496-12, 12.2.3", in: ["stsd"], parentVersion: 1,
      """
      00000034 6d703461 00000000 00000001 00010000 00000000 00020010 00000000 00010000
      00000010 73726174 00000000 00017700
      """,
      [
        "entry_version=1",
        "channelcount=2",
        "srat",
        "sampling_rate=96000",
      ]),
    BoxRow(
      "mp4a of entry version 1 without QuickTime fields, by hand from 14496-12, 12.2.3",
      in: ["stsd"],
      """
      00000038 6d703461 00000000 00000001 00010000 00000000 00020010 00000000 ac440000
      00000014 62747274 00000000 00000001 00000002
      """,
      [
        "entry_version=1",
        "samplerate=44100",
        "btrt",
      ]),
    BoxRow(
      "mp4a of QuickTime version 1 with wave and chan by ffmpeg 5.1.9", in: ["stsd"],
      """
      000000aa 6d703461 00000000 00000001 00010000 00000000 00010010 fffe0000 ac440000
      00000400 00000000 00000000 00000002 0000005e 77617665 0000000c 66726d61 6d703461
      0000000c 6d703461 00000000 00000036 65736473 00000000 03808080 25000100 04808080
      17401500 00000001 2b020001 2b020580 80800512 0856e500 06808080 01020000 00080000
      00000000 00186368 616e0000 00000064 00010000 00000000 0000
      """,
      [
        "entry_version=1",
        "pre_defined=-2",
        "samplesPerPacket=1024",
        "bytesPerSample=2",
        "wave",
        "frma",
        "data_format=mp4a",
        "mp4a",
        "esds",
        "\\x00\\x00\\x00\\x00",
        "chan",
        "mChannelLayoutTag=0x640001",
        "mChannelDescriptions=(0 rows)",
      ]),
    BoxRow(
      "fl32 with enda by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000072 666c3332 00000000 00000001 00010000 00000000 00010010 00000000 ac440000
      00000001 00000004 00000004 00000002 00000026 77617665 0000000c 66726d61 666c3332
      0000000a 656e6461 00010000 00080000 00000000 00186368 616e0000 00000064 00010000
      00000000 0000
      """,
      [
        "bytesPerPacket=4",
        "enda",
        "littleEndian=1",
      ]),
    BoxRow(
      "lpcm of QuickTime version 2 by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000060 6c70636d 00000000 00000001 00020000 00000000 00030010 fffe0000 00010000
      00000048 40f77000 00000000 00000001 7f000000 00000018 0000000c 00000003 00000001
      00000018 6368616e 00000000 00640001 00000000 00000000
      """,
      [
        "entry_version=2",
        "sizeOfStructOnly=72",
        "audioSampleRate=96000",
        "numAudioChannels=1",
        "always7F000000=0x7f000000",
        "constBitsPerChannel=24",
        "formatSpecificFlags=0xc",
        "constBytesPerAudioPacket=3",
        "constLPCMFramesPerAudioPacket=1",
        "chan",
      ]),
    BoxRow(
      "alac in QuickTime by ffmpeg 5.1.9", in: ["stsd"],
      """
      0000008c 616c6163 00000000 00000001 00010000 00000000 00010010 fffe0000 ac440000
      00001000 00000000 00000000 00000002 00000040 77617665 0000000c 66726d61 616c6163
      00000024 616c6163 00000000 00001000 0010280a 0e010000 00002004 000ac440 0000ac44
      00000008 00000000 00000018 6368616e 00000000 00640001 00000000 00000000
      """,
      [
        "samplesPerPacket=4096",
        "wave",
        "alac",
        "frameLength=4096",
        "bitDepth=16",
        "pb=40",
        "sampleRate=44100",
      ]),
    BoxRow(
      "ac-3 by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000043 61632d33 00000000 00000001 00000000 00000000 00020010 00000000 bb800000
      0000000b 64616333 1008c000 00001462 74727400 00000000 01770000 017700
      """,
      [
        "samplerate=48000",
        "dac3",
        "fscod=0",
        "bsid=8",
        "acmod=1",
        "lfeon=0",
        "bit_rate_code=6",
      ]),
    BoxRow(
      "tmcd that ends in the empty name of no source, by ffmpeg 5.1.9", in: ["stsd"],
      "00000024 746d6364 00000000 00000001 00000000 00000000 00003200 00000200 19000000",
      [
        "flags=0x0",
        "timescale=12800",
        "frame_duration=512",
        "number_of_frames=25",
        "padding=0x0000",
      ]),
    BoxRow(
      "tmcd with a source name by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000032 746d6364 00000000 00000001 00000000 00000000 00003200 00000200 19000000
      00106e61 6d650004 00004130 3031
      """,
      [
        "name",
        "text_size=4",
        "text=\"A001\"",
      ]),
    BoxRow(
      "tx3g by ffmpeg 5.1.9", in: ["stsd"],
      """
      00000054 74783367 00000000 00000001 00000000 01ff0000 00ff0000 00000000 00000000
      00000001 0010ffff ffff0000 00126674 61620001 00010541 7269616c 00000014 62747274
      00000000 00000030 00000030
      """,
      [
        "displayFlags=0x0",
        "horizontal-justification=1",
        "vertical-justification=-1",
        "background-color-rgba=0xff",
        "font-ID=1",
        "font-size=16",
        "text-color-rgba=0xffffffff",
        "ftab",
        "font-entry[0].font-ID=1",
        "font-entry[0].font=\"Arial\"",
      ]),
    BoxRow(
      "text in the form of tx3g by ffmpeg 5.1.9", in: ["stsd"],
      """
      0000004f 74657874 00000000 00000001 00000001 00000000 00000000 00000000 00000000
      00000001 00000000 00000000 000d6674 61620001 00010000 00001462 74727400 00000000
      00096000 000960
      """,
      [
        "displayFlags=0x1",
        "ftab",
        "font-entry[0].font-name-length=0",
        "btrt",
      ]),
    BoxRow(
      "text by hand from the QuickTime File Format, Text Media", in: ["stsd"],
      """
      00000040 74657874 00000000 00000001 00000001 ffffffff 0000ffff 00000000 00000030
      00400000 00000000 00000002 00030000 00ffff00 00000004 54657874
      """,
      [
        "display_flags=0x1",
        "text_justification=-1",
        "background_color[1]=65535",
        "default_text_box[3]=64",
        "font_number=2",
        "font_face=3",
        "foreground_color[0]=65535",
        "text_name=\"Text\"",
      ]),
    BoxRow(
      "stpp by hand from 14496-12, 12.6.3", in: ["stsd"],
      """
      00000049 73747070 00000000 00000001 68747470 3a2f2f77 77772e77 332e6f72 672f6e73
      2f74746d 6c000069 6d616765 2f706e67 00000000 14627472 74000000 00000000 01000000 02
      """,
      [
        "namespace=\"http://www.w3.org/ns/ttml\"",
        "schema_location=\"\"",
        "auxiliary_mime_types=\"image/png\"",
        "btrt",
      ]),
    BoxRow(
      "sbtt by hand from 14496-12, 12.6.3", in: ["stsd"],
      """
      0000002d 73627474 00000000 00000001 00746578 742f7674 74000000 00137478 74430000
      00005745 42565454 00
      """,
      [
        "content_encoding=\"\"",
        "mime_format=\"text/vtt\"",
        "txtC",
        "text_config=\"WEBVTT\"",
      ]),
    BoxRow(
      "metx by hand from 14496-12, 12.3.3", in: ["stsd"],
      "00000018 6d657478 00000000 00000001 0075726e 3a780000",
      [
        "namespace=\"urn:x\"",
        "schema_location=\"\"",
      ]),
    BoxRow(
      "urim by hand from 14496-12, 12.3.3", in: ["stsd"],
      """
      00000030 7572696d 00000000 00000001 00000012 75726920 00000000 75726e3a 78000000
      000e7572 69490000 00000102
      """,
      [
        "uri ",
        "theURI=\"urn:x\"",
        "uriI",
        "uri_initialization_data=(2 bytes)",
      ]),
    BoxRow(
      "wvtt by hand from 14496-30, 7.5", in: ["stsd"],
      """
      0000002b 77767474 00000000 00000001 0000000e 76747443 57454256 54540000 000d766c
      61627572 6e3a78
      """,
      [
        "vttC",
        "config=\"WEBVTT\"",
        "vlab",
        "source_label=\"urn:x\"",
      ]),
    BoxRow(
      "mebx by hand from 14496-12, 12.9.4", in: ["stsd"],
      """
      00000052 6d656278 00000000 00000001 00000042 6b657973 0000003a 00000001 00000017
      6b657964 6d647461 636f6d2e 6578616d 706c6500 00001064 74797000 00000000 00004200
      00000b6c 6f636165 6e00
      """,
      [
        "keys",
        "\\x00\\x00\\x00\\x01",
        "key_namespace=mdta",
        "key_value=\"com.example\"",
        "datatype_namespace=0",
        "datatype=0x00000042",
        "locale_string=\"en\"",
      ]),
    BoxRow(
      "stsd with one c608 entry, by hand from 14496-12, 8.5.2",
      "00000020 73747364 00000000 00000001 00000010 63363038 00000000 00000001",
      [
        "version=0",
        "entry_count=1",
        "c608",
        "data_reference_index=1",
      ]),
    BoxRow(
      "colr nclx by ffmpeg 5.1.9", "00000013 636f6c72 6e636c78 00010001 000100",
      [
        "colour_type=nclx",
        "colour_primaries=1",
        "transfer_characteristics=1",
        "matrix_coefficients=1",
        "full_range_flag=0",
      ]),
    BoxRow(
      "colr nclc by ffmpeg 5.1.9", "00000012 636f6c72 6e636c63 00090010 0009",
      [
        "colour_type=nclc",
        "colour_primaries=9",
        "transfer_characteristics=16",
        "matrix_coefficients=9",
      ]),
    BoxRow(
      "colr nclx that ends before its flag, by hand", "00000012 636f6c72 6e636c78 0001000d 0006",
      [
        "transfer_characteristics=13",
        "matrix_coefficients=6",
      ]),
    BoxRow(
      "colr prof by hand from 14496-12, 12.1.5", "00000014 636f6c72 70726f66 00000210 6c636d73",
      [
        "colour_type=prof",
        "ICC_profile=(8 bytes)",
      ]),
    BoxRow(
      "gama of 2.2 by ffmpeg 5.1.9", "0000000c 67616d61 00023333",
      [
        "gamma=2.1999969482421875"
      ]),
    BoxRow(
      "clap by hand from 14496-12, 12.1.4",
      """
      00000028 636c6170 00000040 00000001 00000030 00000001 ffffffff 00000002 00000003
      00000004
      """,
      [
        "cleanApertureWidthN=64",
        "cleanApertureHeightN=48",
        "horizOffN=-1",
        "horizOffD=2",
        "vertOffN=3",
        "vertOffD=4",
      ]),
    BoxRow(
      "mdcv by hand from 14496-12, 12.1.7",
      "00000020 6d646376 33c286c4 1d4c0bb8 84d03e80 3d134042 00989680 00000032",
      [
        "display_primaries[0].x=13250",
        "display_primaries[0].y=34500",
        "display_primaries[2].x=34000",
        "white_point_x=15635",
        "white_point_y=16450",
        "max_display_mastering_luminance=10000000",
        "min_display_mastering_luminance=50",
      ]),
    BoxRow(
      "clli by hand from 14496-12, 12.1.6", "0000000c 636c6c69 03e80190",
      [
        "max_content_light_level=1000",
        "max_pic_average_light_level=400",
      ]),
    BoxRow(
      "cclv by hand from 14496-12, 12.1.8",
      """
      0000002d 63636c76 3cffffff f6000000 01ffffff f6000000 01ffffff f6000000 01000000
      01000000 02000000 03
      """,
      [
        "ccv_primaries[0].x=-10",
        "ccv_primaries[2].y=1",
        "ccv_min_luminance_value=1",
        "ccv_max_luminance_value=2",
        "ccv_avg_luminance_value=3",
      ]),
    BoxRow(
      "amve by hand from 14496-12, 12.1.9", "00000010 616d7665 002fe9a0 3d134042",
      [
        "ambient_illuminance=3140000",
        "ambient_light_x=15635",
        "ambient_light_y=16450",
      ]),
    BoxRow(
      "SmDm by hand from the VP codec binding",
      "00000024 536d446d 00000000 80004000 00000000 00000000 00002000 00010000 00004000",
      [
        "chromaticities[0]=0.5",
        "chromaticities[1]=0.25",
        "chromaticities[7]=0.125",
        "luminanceMax=256",
        "luminanceMin=1",
      ]),
    BoxRow(
      "CoLL by hand from the VP codec binding", "00000010 436f4c4c 00000000 03e80190",
      [
        "maxCLL=1000",
        "maxFALL=400",
      ]),
    BoxRow(
      "ccst by hand from 23008-12, 7.2.3", "00000010 63637374 00000000 c8000000",
      [
        "all_ref_pics_intra=1",
        "intra_pred_used=1",
        "max_ref_per_pic=2",
        "reserved=0",
      ]),
    BoxRow(
      "auxi by hand from 23008-12, 7.5.3", "00000012 61757869 00000000 75726e3a 7800",
      [
        "aux_track_type=\"urn:x\""
      ]),
    BoxRow(
      "chrm by hand", "0000000a 6368726d 0102",
      [
        "chroma_location_top_field=1",
        "chroma_location_bottom_field=2",
      ]),
    BoxRow(
      "chan with one description, by hand from the QuickTime File Format, Sound Media",
      """
      0000002c 6368616e 00000000 00000000 00000000 00000001 00000001 00000000 3f800000
      00000000 00000000
      """,
      [
        "mNumberChannelDescriptions=1",
        "mChannelDescriptions=(1 rows)",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  @Test func `it keeps a type of another place opaque in stsd`() throws {
    let bytes = hex("00000020 73747364 00000000 00000001 00000010 66747970 6d703432 00000000")
    let row = BoxRow("", "", [])
    let (node, findings) = try row.read(bytes)
    #expect(findings.isEmpty)
    #expect(node.children.map(\.type) == ["ftyp"])
    #expect(node.children.first?.box == nil)
  }

  @Test func `it finds no QuickTime fields in a version one table`() throws {
    let row = try #require(Self.rows.first { $0.parentVersion == 1 })
    #expect(try row.read(row.bytes).node.box is AudioSampleEntryV1)
  }
}
