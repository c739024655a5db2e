// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@Suite struct TagTests {
  static let rows: [TagRow] = [
    TagRow(
      "HEVC configuration in FFmpeg 9", .video,
      "90 68766331 01022000000090000000000 03ff000fcfdfafa00000f00", head: 5,
      [
        "IsExVideoHeader=1", "FrameType=1", "VideoPacketType=0", "videoFourCc=hvc1",
        "track[0].data=(23 bytes)",
      ]),
    TagRow(
      "HEVC key frame in FFmpeg 9", .video, "91 68766331 000043 00001ff92801", head: 8,
      [
        "FrameType=1", "VideoPacketType=1", "track[0].compositionTimeOffset=67",
        "track[0].data=(6 bytes)",
      ]),
    TagRow(
      "HEVC frame with a negative offset", .video, "a1 68766331 ffffbd 00001ff902", head: 8,
      ["FrameType=2", "track[0].compositionTimeOffset=-67"]),
    TagRow(
      "HEVC frame without offset in FFmpeg 9", .video, "a3 68766331 000008a80201", head: 5,
      ["FrameType=2", "VideoPacketType=3", "track[0].data=(6 bytes)"]),
    TagRow(
      "end of an HEVC sequence in OBS", .video, "92 68766331", head: 5,
      ["VideoPacketType=2", "track[0].data=(0 bytes)"]),
    TagRow(
      "AV1 frame, which has no offset", .video, "91 61763031 12000a0b", head: 5,
      ["videoFourCc=av01", "track[0].data=(4 bytes)"]),
    TagRow(
      "colour information in FFmpeg 9", .video,
      "d4 68766331 020009636f6c6f72496e666f 03000b636f6c6f72436f6e666967 03 000009 000009",
      head: 5, ["FrameType=5", "VideoPacketType=4", "track[0].data=(33 bytes)"]),
    TagRow(
      "one track of a multitrack packet", .video, "96 01 68766331 01 000043 000000022801", head: 10,
      [
        "VideoPacketType=6", "multitrackType=0", "VideoPacketType=1", "track[0].videoTrackId=1",
        "track[0].compositionTimeOffset=67",
      ]),
    TagRow(
      "two tracks of one codec", .video,
      "96 11 68766331 00 000009 000043 000000022801 01 000009 000000 000000022601", head: 32,
      whole: [6, 19],
      [
        "multitrackType=1", "track[0].sizeOfVideoTrack=9", "track[1].videoTrackId=1",
        "track[1].compositionTimeOffset=0", "track[1].data=(6 bytes)",
      ]),
    TagRow(
      "two tracks of two codecs", .video,
      "96 21 68766331 00 000009 000043 000000022801 61763031 01 000004 12000a0b", head: 33,
      whole: [2, 19],
      [
        "multitrackType=2", "track[0].videoFourCc=hvc1", "track[1].videoFourCc=av01",
        "track[1].data=(4 bytes)",
      ]),
    TagRow(
      "half a millisecond by a modifier", .video, "97 02 07a120 01 68766331 000043 000000022801",
      head: 13,
      [
        "VideoPacketType=7", "ModEx.modExDataSize=2", "ModEx.modExData=0x07a120",
        "ModEx.modExType=0", "VideoPacketType=1", "track[0].compositionTimeOffset=67",
      ]),
    TagRow(
      "two modifiers, one with a long size", .video,
      "97 02 07a120 07 ff 0100 " + String(repeating: "5a", count: 257) + " 13 68766331 0000",
      head: 270,
      ["ModEx.modExDataSize=256", "ModEx.modExType=1", "VideoPacketType=3"]),
    TagRow("a seek begins", .video, "d1 00", head: 2, ["FrameType=5", "VideoCommand=0"]),
    TagRow(
      "HEVC configuration with the id 12", .video, "1c 00 000000 01022000", head: 5,
      [
        "IsExVideoHeader=0", "FrameType=1", "CodecID=12", "HEVCPacketType=0", "CompositionTime=0",
        "data=(4 bytes)",
      ]),
    TagRow(
      "HEVC key frame with the id 12", .video, "1c 01 000043 00001ff92801", head: 5,
      ["HEVCPacketType=1", "CompositionTime=67"]),
    TagRow(
      "AVC frame with a negative offset", .video, "27 01 ffffd7 000000022101", head: 5,
      ["CodecID=7", "AVCPacketType=1", "CompositionTime=-41"]),
    TagRow("end of an AVC sequence", .video, "17 02 000000", head: 5, ["AVCPacketType=2"]),
    TagRow(
      "Sorenson picture", .video, "22 0000840081", head: 1, ["CodecID=2", "data=(5 bytes)"]),
    TagRow(
      "AAC configuration", .audio, "af 00 1190", head: 2,
      ["SoundFormat=10", "SoundRate=3", "SoundSize=1", "AACPacketType=0", "data=(2 bytes)"]),
    TagRow("MP3 frame", .audio, "2f fffb9064", head: 1, ["SoundFormat=2", "data=(4 bytes)"]),
    TagRow(
      "A-law of one channel", .audio, "72 d5d5", head: 1, ["SoundFormat=7", "SoundType=0"]),
    TagRow(
      "Opus configuration", .audio, "90 4f707573 4f70757348656164", head: 5,
      ["AudioPacketType=0", "audioFourCc=Opus", "track[0].data=(8 bytes)"]),
    TagRow(
      "speakers in native order", .audio, "94 61632d33 01 06 0000003f", head: 11,
      [
        "audioFourCc=ac-3", "track[0].audioChannelOrder=1", "track[0].channelCount=6",
        "track[0].audioChannelFlags=0x3f",
      ]),
    TagRow(
      "speakers in an order of their own", .audio, "94 664c6143 02 02 0100", head: 9,
      ["track[0].audioChannelMapping=0x0100"]),
    TagRow(
      "two tracks of sound", .audio, "95 11 6d703461 00 000002 2110 01 000002 2111", head: 18,
      whole: [6, 12],
      [
        "AudioPacketType=5", "multitrackType=1", "AudioPacketType=1",
        "track[1].sizeOfAudioTrack=2", "track[1].data=(2 bytes)",
      ]),
    TagRow(
      "sound half a millisecond late", .audio, "97 02 07a120 01 6d703461 2110", head: 10,
      ["ModEx.modExData=0x07a120", "AudioPacketType=1"]),
  ]

  @Test(arguments: rows)
  func `A tag is read, and written back to the same bytes, whatever bit is wrong`(row: TagRow)
    throws
  { try check(row) }

  @Test(
    arguments: [
      "96 11 68766331 00 00000a 000043 000000022801",
      "96 16 68766331 00", "96 31 68766331 00", "97 ff ffff 00", "9f", "d1 00 00",
      "97 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 07 00 00 01 68766331",
    ])
  func `A tag that lies about sizes stays as it is`(bytes: String) throws {
    let row = TagRow("", .video, bytes, head: 0, [])
    let content = row.content(row.bytes)
    #expect(content.failure != nil)
    #expect(try written(content) == row.bytes)
  }

  @Test
  func `A header says the same in both forms, and is written back`() throws {
    let rows: [(String, TagType, UInt32, UInt32, UInt32)] = [
      ("09 000105 000000 00 000000", .video, 261, 0, 0),
      ("12 00017b fffff0 7f 000000", .script, 379, 0x7fff_fff0, 0),
      ("28 ffffff ffffff ff abcdef", .audio, 0xff_ffff, 0xffff_ffff, 0xab_cdef),
    ]
    for (text, type, size, time, stream) in rows {
      var reader = SyntaxReader(MemorySource(hex(text)))
      var header = TagHeader()
      try header.syntax(&reader)
      #expect(header.type == type)
      #expect(header.dataSize == size)
      #expect(header.timestamp == time)
      #expect(header.streamID == stream)
      #expect(header.filter == (text.hasPrefix("28")))
      var writer = SyntaxWriter(ArraySink())
      try header.syntax(&writer)
      #expect(writer.sink.bytes == hex(text))
    }
  }

  @Test(
    arguments: [
      "464c5601 05 00000009", "464c5601 fb 00000009", "464c5602 04 0000000b aabb",
    ])
  func `A file header keeps its reserved bits and what stands before the first tag`(text: String)
    throws
  {
    var reader = SyntaxReader(MemorySource(hex(text)))
    var header = FLVHeader()
    try header.syntax(&reader)
    var writer = SyntaxWriter(ArraySink())
    try header.syntax(&writer)
    #expect(writer.sink.bytes == hex(text))
    for count in 0..<hex(text).count {
      var reader = SyntaxReader(MemorySource(Array(hex(text).prefix(count))))
      var header = FLVHeader()
      #expect(throws: SyntaxError.self) { try header.syntax(&reader) }
    }
  }
}
