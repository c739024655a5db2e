// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

struct CodecBoxTests {
  static let rows: [BoxRow] = [
    BoxRow(
      "hvcC of a Main stream of x265 3.5 by ffmpeg 5.1.9",
      """
      00000078 68766343 01016000 00009000 00000000 1ef000fc fdf8f800 000f03a0 00010018
      40010c01 ffff0160 00000300 90000003 00000300 1e959809 a1000100 2c420101 01600000
      03009000 00030000 03001ea0 20831659 59ae4caf 016a0202 02080000 03000800 000300c8
      40a20001 00064401 c173d089
      """,
      [
        "configurationVersion=1",
        "general_profile_space=0",
        "general_tier_flag=0",
        "general_profile_idc=1",
        "general_profile_compatibility_flags=0x60000000",
        "general_constraint_indicator_flags=0x900000000000",
        "general_level_idc=30",
        "min_spatial_segmentation_idc=0",
        "parallelismType=0",
        "chroma_format_idc=1",
        "bit_depth_luma_minus8=0",
        "bit_depth_chroma_minus8=0",
        "avgFrameRate=0",
        "constantFrameRate=0",
        "numTemporalLayers=1",
        "temporalIdNested=1",
        "lengthSizeMinusOne=3",
        "numOfArrays=3",
        "arrays[0].array_completeness=1",
        "arrays[0].NAL_unit_type=32",
        "arrays[0].numNalus=1",
        "arrays[0].nalus[0].nalUnitLength=24",
        "arrays[1].NAL_unit_type=33",
        "arrays[2].NAL_unit_type=34",
      ]),
    BoxRow(
      "lhvC by hand from 14496-15, 9.6.2", "00000016 6c687643 01f005fd cf01a100 01000342 0901",
      [
        "min_spatial_segmentation_idc=5",
        "parallelismType=1",
        "reserved=3",
        "numTemporalLayers=1",
        "temporalIdNested=1",
        "lengthSizeMinusOne=3",
        "numOfArrays=1",
        "arrays[0].array_completeness=1",
        "arrays[0].NAL_unit_type=33",
        "arrays[0].nalus[0].nalUnit=0x420901",
      ]),
    BoxRow(
      "avcC with the High profile fields by ffmpeg 5.1.9",
      """
      00000035 61766343 0164000a ffe10018 6764000a acd9447b 0e100000 03001000 00030320
      f1225960 01000668 ebe3cb22 c0fdf8f8 00
      """,
      [
        "AVCProfileIndication=100",
        "numOfSequenceParameterSets=1",
        "sequenceParameterSets[0].nalUnitLength=24",
        "numOfPictureParameterSets=1",
        "pictureParameterSets[0].nalUnit=0x68ebe3cb22c0",
        "chroma_format=1",
        "bit_depth_luma_minus8=0",
        "bit_depth_chroma_minus8=0",
        "numOfSequenceParameterSetExt=0",
      ]),
    BoxRow(
      "avcC of a High profile without its fields, by hand from 14496-15, 5.3.3.1",
      "00000019 61766343 0164000a ffe10004 6764000a 01000268 eb",
      [
        "AVCProfileIndication=100",
        "numOfPictureParameterSets=1",
        "pictureParameterSets[0].nalUnit=0x68eb",
      ]),
    BoxRow(
      "av1C of libaom by ffmpeg 5.1.9", "00000018 61763143 81000c00 0a0a0000 0002aff7 9b5f2008",
      [
        "marker=1",
        "version=1",
        "configOBUs[0].obu_type=1",
        "configOBUs[0].obu_size=10",
        "configOBUs[0].sequence_header_obu.seq_profile=0",
      ]),
    BoxRow(
      "vpcC of VP9 by ffmpeg 5.1.9", "00000014 76706343 01000000 000a8202 02020000",
      [
        "version=1",
        "profile=0",
        "level=10",
        "bitDepth=8",
        "chromaSubsampling=1",
        "videoFullRangeFlag=0",
        "colourPrimaries=2",
        "matrixCoefficients=2",
        "codecInitializationDataSize=0",
      ]),
    BoxRow(
      "vpcC of version 0, by hand", "00000013 76706343 00000000 000a8113 0001ff",
      [
        "bitDepth=8",
        "colorSpace=1",
        "chromaSubsampling=1",
        "transferFunction=1",
        "videoFullRangeFlag=1",
        "codecInitializationData=0xff",
      ]),
    BoxRow(
      "dvvC of profile 8.4, by hand from the Dolby Vision specification, 3.2",
      "00000020 64767643 01001025 40000000 00000000 00000000 00000000 00000000",
      [
        "dv_version_major=1",
        "dv_profile=8",
        "dv_level=4",
        "rpu_present_flag=1",
        "el_present_flag=0",
        "bl_present_flag=1",
        "dv_bl_signal_compatibility_id=4",
        "dv_md_compression=0",
      ]),
    BoxRow(
      "d263 by ffmpeg 5.1.9", "0000000f 64323633 46464d50 000a00",
      [
        "vendor=FFMP",
        "H263_Level=10",
        "H263_Profile=0",
      ]),
    BoxRow(
      "esds of MPEG-4 video by ffmpeg 5.1.9",
      """
      00000060 65736473 00000000 03808080 4f000100 04808080 41201100 00000003 0d400002
      29200580 80802f00 0001b001 000001b5 89130000 01000000 012000c4 8d8800cd 02040614
      43000001 b24c6176 6335392e 33372e31 30300680 80800102
      """,
      [
        "ES.tag=3",
        "ES.ES_ID=1",
        "ES.descriptors[0].tag=4",
        "ES.descriptors[0].objectTypeIndication=0x20",
        "ES.descriptors[0].streamType=4",
        "ES.descriptors[0].maxBitrate=200000",
        "ES.descriptors[0].descriptors[0].tag=5",
        "ES.descriptors[1].tag=6",
        "ES.descriptors[1].data=0x02",
      ]),
    BoxRow(
      "esds of AAC by ffmpeg 5.1.9",
      """
      00000036 65736473 00000000 03808080 25000100 04808080 17401500 00000001 2b020001
      2b020580 80800512 0856e500 06808080 0102
      """,
      [
        "ES.tag=3",
        "ES.descriptors[0].objectTypeIndication=0x40",
        "ES.descriptors[0].streamType=5",
        "ES.descriptors[0].maxBitrate=76546",
        "ES.descriptors[0].avgBitrate=76546",
        "ES.descriptors[0].descriptors[0].audioObjectType=2",
        "ES.descriptors[0].descriptors[0].samplingFrequencyIndex=4",
        "ES.descriptors[0].descriptors[0].channelConfiguration=1",
        "ES.descriptors[0].descriptors[0].frameLengthFlag=0",
        "ES.descriptors[0].descriptors[0].syncExtensionType=0x2b7",
        "ES.descriptors[0].descriptors[0].extensionAudioObjectType=5",
        "ES.descriptors[0].descriptors[0].sbrPresentFlag=0",
      ]),
    BoxRow(
      "esds of AAC with a program_config_element by ffmpeg 5.1.9",
      """
      00000041 65736473 00000000 03808080 30000100 04808080 22401500 00000000 00000000
      00000580 80801012 80054404 00211004 4c617663 56e50006 80808001 02
      """,
      [
        "ES.descriptors[0].descriptors[0].channelConfiguration=0",
        "ES.descriptors[0].descriptors[0].program_config_element.num_front_channel_elements=1",
        "ES.descriptors[0].descriptors[0].program_config_element.num_back_channel_elements=1",
        "ES.descriptors[0].descriptors[0].program_config_element.comment_field_data=\"Lavc\"",
      ]),
    BoxRow(
      "dmlp of 5.1 by ffmpeg 5.1.9", "00000012 646d6c70 0097c00f 18fe0000 0000",
      [
        "audio_sampling_frequency=0",
        "8ch_presentation_channel_assignment=0xf",
        "peak_data_rate=3199",
      ]),
    BoxRow(
      "vvcC by hand from 14496-15, 11.2.4.2, as GPAC writes it",
      "00000020 76766343 00000000 ff00655f 01023380 00000500 02d00000 00000000",
      [
        "LengthSizeMinusOne=3",
        "num_sublayers=6",
        "chroma_format_idc=1",
        "bit_depth_minus8=2",
        "general_profile_idc=1",
        "general_level_idc=51",
        "constraint_info=0x80",
        "max_picture_width=1280",
        "max_picture_height=720",
      ]),
    BoxRow(
      "esds with sizes of one byte, a dependence, a URL and a clock, by hand from 14496-1, 7.2.6.5",
      "0000001b 65736473 00000000 030d0001 e3000203 612f6200 040600",
      [
        "ES.nextByte=0",
        "ES.sizeOfInstance=13",
        "ES.ES_ID=1",
        "ES.streamDependenceFlag=1",
        "ES.streamPriority=3",
        "ES.dependsOn_ES_ID=2",
        "ES.URLstring=\"a/b\"",
        "ES.OCR_ES_Id=4",
        "ES.descriptors[0].tag=6",
      ]),
    BoxRow(
      "iods by hand from 14496-1, 7.2.6.4",
      "0000001b 696f6473 00000000 100d004f ffff2915 ff0e0400 000001",
      [
        "OD.tag=16",
        "OD.ObjectDescriptorID=1",
        "OD.includeInlineProfileLevelFlag=0",
        "OD.profileLevelIndications[2]=0x29",
        "OD.profileLevelIndications[3]=0x15",
        "OD.descriptors[0].tag=14",
        "OD.descriptors[0].Track_ID=1",
      ]),
    BoxRow(
      "dOps by ffmpeg 5.1.9", "00000013 644f7073 00010138 0000bb80 000000",
      [
        "Version=0",
        "OutputChannelCount=1",
        "PreSkip=312",
        "InputSampleRate=48000",
        "OutputGain=0",
        "ChannelMappingFamily=0",
      ]),
    BoxRow(
      "dOps of 5.1 channels by ffmpeg 5.1.9",
      "0000001b 644f7073 00060138 0000bb80 00000104 02000401 020305",
      [
        "OutputChannelCount=6",
        "ChannelMappingFamily=1",
        "StreamCount=4",
        "CoupledCount=2",
        "ChannelMapping[0]=0",
        "ChannelMapping[1]=4",
      ]),
    BoxRow(
      "dfLa by ffmpeg 5.1.9",
      """
      00000032 64664c61 00000000 80000022 12001200 0004b200 04b20ac4 40f00000 113a970a
      8602eaca 9fdde598 307ea787 674b
      """,
      [
        "metadata_blocks[0].LastMetadataBlockFlag=1",
        "metadata_blocks[0].BlockType=0",
        "metadata_blocks[0].Length=34",
      ]),
    BoxRow(
      "alac by ffmpeg 5.1.9",
      "00000024 616c6163 00000000 00001000 0010280a 0e010000 00002004 000ac440 0000ac44",
      [
        "frameLength=4096",
        "compatibleVersion=0",
        "bitDepth=16",
        "pb=40",
        "mb=10",
        "kb=14",
        "numChannels=1",
        "maxRun=0",
        "maxFrameBytes=8196",
        "avgBitRate=705600",
        "sampleRate=44100",
      ]),
    BoxRow(
      "damr by hand from 3GPP TS 26.244, 6.7", "00000011 64616d72 46464d50 0081ff00 01",
      [
        "vendor=FFMP",
        "mode_set=0x81ff",
        "frames_per_sample=1",
      ]),
    BoxRow(
      "dac3 by ffmpeg 5.1.9", "0000000b 64616333 1008c0",
      [
        "fscod=0",
        "bsid=8",
        "bsmod=0",
        "acmod=1",
        "lfeon=0",
        "bit_rate_code=6",
      ]),
    BoxRow(
      "dec3 by ffmpeg 5.1.9", "0000000d 64656333 03002002 00",
      [
        "data_rate=96",
        "num_ind_sub=0",
        "substreams[0].fscod=0",
        "substreams[0].bsid=16",
        "substreams[0].acmod=1",
        "substreams[0].num_dep_sub=0",
      ]),
    BoxRow(
      "dec3 with a dependent substream and objects, by hand from ETSI TS 102 366, F.6",
      "00000010 64656333 1800200f 02010110",
      [
        "data_rate=768",
        "substreams[0].acmod=7",
        "substreams[0].lfeon=1",
        "substreams[0].num_dep_sub=1",
        "substreams[0].chan_loc=0x1",
        "flag_ec3_extension_type_a=1",
        "complexity_index_type_a=16",
      ]),
    BoxRow(
      "dac4 by hand from ETSI TS 103 190-2, E.6",
      "00000018 64616334 20a4012000927c1fffffffe00102fa80",
      [
        "bitstream_version=2",
        "frame_rate_index=2",
        "n_presentations=1",
        "bit_rate=300000",
        "presentations[0].presentation_version=1",
        "presentations[0].presentation_config=31",
        "presentations[0].mdcompat=2",
        "presentations[0].presentation=0x80",
      ]),
    BoxRow(
      "dac4 with two presentations by hand from ETSI TS 103 190-2, E.6",
      "0000001b 64616334 20a4022000927c1fffffffe00102fa800201fb",
      [
        "n_presentations=2",
        "presentations[1].presentation_version=2",
        "presentations[1].mdcompat=3",
      ]),
    BoxRow(
      "iacb by hand from Immersive Audio Model and Formats 1.0, 3.4 and 3.5",
      "0000001a 69616362 0110 f806 69616d66 0101 0006 00 4f707573 00",
      ["configurationVersion=1", "configOBUs=(17 bytes)"]),
    BoxRow(
      "iacb with a whole codec configuration by hand from Immersive Audio Model and Formats 1.0, 3.4 and 3.5",
      "0000001d 69616362 0113 f806 69616d66 0101 0009 00 4f707573 c007 fffc",
      [
        "configOBUs[0].units[0].ia_sequence_header_obu.additional_profile=1",
        "configOBUs[0].units[1].codec_config_obu.codec_id=Opus",
        "configOBUs[0].units[1].codec_config_obu.num_samples_per_frame=960",
        "configOBUs[0].units[1].codec_config_obu.audio_roll_distance=-4",
      ]),
    BoxRow(
      "vvcC with a parameter set by hand from 14496-15, 11.2.4.2",
      "00000016 76766343 00000000 fe 01 8f 0001 0003 007901",
      [
        "LengthSizeMinusOne=3",
        "arrays[0].arrays[0].array_completeness=1",
        "arrays[0].arrays[0].NAL_unit_type=15",
        "arrays[0].arrays[0].nalus[0].nal_unit=0x007901",
      ]),
    BoxRow(
      "apvC by hand from the ISOBMFF binding for APV",
      "00000022 61707643 00000000 0101 0101 02 21 96 00 000002ff 000001e0 22 00 09 10 09 80",
      [
        "configuration_entry[0].pbu_type=1",
        "configuration_entry[0].frame_info[0].profile_idc=33",
        "configuration_entry[0].frame_info[0].frame_width=767",
        "configuration_entry[0].frame_info[0].bit_depth_minus8=2",
        "configuration_entry[0].frame_info[0].transfer_characteristics=16",
        "configuration_entry[0].frame_info[0].full_range_flag=1",
      ]),
    BoxRow(
      "pcmC by hand from 23003-5, 4.2", "0000000e 70636d43 00000000 0118",
      [
        "format_flags=0x1",
        "PCM_sample_size=24",
      ]),
    BoxRow(
      "mhaC by hand from 23008-3, 20.4", "0000000f 6d686143 010c0600 02c0de",
      [
        "mpegh3daProfileLevelIndication=12",
        "referenceChannelLayout=6",
        "mpegh3daConfigLength=2",
        "mpegh3daConfig=0xc0de",
      ]),
  ]

  @Test(arguments: rows) func `it reads writes and survives`(_ row: BoxRow) throws {
    try check(row)
  }

  /// FFmpeg wrote the configuration; the stream itself says the same.
  @Test func `it finds the configuration of AV1 in its sequence header`() throws {
    let tree = try BoxTree(reading: try Fixture.source("av01.mp4"))
    let entry = "moov/trak/mdia/minf/stbl/stsd/av01/av1C"
    let path = try #require(BoxPath(entry))
    let given = try #require(tree.nodes(at: path).first?.node.box as? AV1Configuration)
    let units = try given.configOBUs.bytes()
    // A temporal delimiter comes first in a bare stream.
    let found = try #require(AV1Configuration(inUnits: [0x12, 0] + units + [0x32, 1, 0x80]))
    func bytes(_ configuration: AV1Configuration) throws -> [UInt8] {
      var configuration = configuration
      var writer = SyntaxWriter(ArraySink())
      try configuration.syntax(&writer)
      return writer.sink.bytes
    }
    #expect(try bytes(found) == bytes(given))
    #expect(AV1Configuration(inUnits: [0x12, 0]) == nil)
    for count in 0..<units.count { _ = AV1Configuration(inUnits: Array(units.prefix(count))) }
    #expect(AV1UnitWalk.stored([0x12, 0] + units + [0x7a, 1, 0x80]) == units)
  }

  @Test func `it keeps descriptors that nest too deep as bytes`() throws {
    var bytes: [UInt8] = []
    for _ in 0..<20 { bytes = [3, UInt8(bytes.count + 3), 0, 1, 0] + bytes }
    let box = [0, 0, 0, UInt8(bytes.count + 12)] + Array("esds".utf8) + [0, 0, 0, 0] + bytes
    let (node, findings) = try BoxRow("", "", []).read(box)
    #expect(findings.isEmpty)
    #expect(node.box is ElementaryStreamDescription)
  }
}
