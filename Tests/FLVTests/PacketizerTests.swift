// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import FLV
import HEVC
import TestSupport
import Testing

/// The frames and configurations of a file that another program wrote.
struct Stream {
  var frames: [Frame] = []
  var record: DecoderConfigurationRecord?
  var audioConfig: [UInt8] = []

  init(_ name: String) throws {
    let source = try Fixture.source(name)
    var reader = try TagReader(source)
    while let tag = try reader.nextTag() {
      for packet in try reader.packets(of: tag) where packet.trackID == 0 {
        let payload = Extent(source, packet.data)
        switch (packet.kind, packet.codec) {
        case (.configuration, .hevc): record = try DecoderConfigurationRecord(payload.bytes())
        case (.configuration, .aac): audioConfig = try payload.bytes()
        case (.frames, let codec):
          frames.append(
            Frame(
              codec == .hevc ? .video : .audio, decodeTime: .milliseconds(tag.time),
              presentationTime: .milliseconds(tag.time + Int64(packet.compositionTime)),
              payload: payload))
        default: break
        }
      }
    }
  }

  func packetizer(
    _ dialect: HEVCDialect?, id: UInt8 = 0, _ change: (inout Packetizer.Options) -> Void = { _ in }
  )
    throws -> Packetizer
  {
    var options = Packetizer.Options()
    options.dialect = dialect
    change(&options)
    return try Packetizer(
      video: [VideoTrack(.hevc(#require(record)), id: id)],
      audio: audioConfig.isEmpty ? [] : [AudioTrack(.aac(audioConfig))], options: options)
  }
}

private func bytes(_ tag: OutgoingTag) throws -> [UInt8] { try tag.head + tag.payload.bytes() }

@Suite struct PacketizerTests {
  /// Data and time of every tag with frames.
  private func frames(of name: String) throws -> [String] {
    var reader = try TagReader(Fixture.source(name))
    var result: [String] = []
    while let tag = try reader.nextTag() {
      guard try reader.packets(of: tag).contains(where: { $0.kind == .frames }) else { continue }
      result.append("\(tag.time) \(try reader.data(of: tag).bytes().hexadecimal())")
    }
    return result
  }

  @Test(
    arguments: [
      ("legacy.flv", HEVCDialect.enhanced, "enhanced.flv"),
      ("enhanced.flv", .enhanced, "enhanced.flv"), ("enhanced.flv", .legacy, "legacy.flv"),
      ("enhanced-hdr10.flv", .enhanced, "enhanced-hdr10.flv"),
    ])
  func `Frames get the same tags as FFmpeg gives them`(
    source: String, dialect: HEVCDialect, expected: String
  ) throws {
    let stream = try Stream(source)
    var packetizer = try stream.packetizer(dialect)
    _ = try packetizer.start()
    let tags = try stream.frames.flatMap { try packetizer.add($0) }
    #expect(try tags.map { "\($0.time) \(try bytes($0).hexadecimal())" } == frames(of: expected))
  }

  @Test
  func `Setup tags come in order, with the right codec id, without the encoder's signature`() throws
  {
    let stream = try Stream("enhanced.flv")
    for dialect in HEVCDialect.allCases {
      var packetizer = try stream.packetizer(dialect)
      let tags = try packetizer.start()
      #expect(tags.map(\.type) == [.script, .video, .audio])
      let metadata = try #require(AMFMessage(bytes(tags[0])).metadata)
      #expect(metadata["videocodecid"]?.number == (dialect == .enhanced ? 1_752_589_105 : 12))
      #expect(metadata["width"]?.number == 64)
      #expect(metadata["framerate"]?.number == 25)
      #expect(metadata["audiosamplerate"]?.number == 44100)
      let head = dialect == .enhanced ? hex("90 68766331") : hex("1c 00 000000")
      let config = try bytes(tags[1])
      #expect(config.starts(with: head))
      let record = try DecoderConfigurationRecord(Array(config.dropFirst(head.count)))
      #expect(record.parameterSets == stream.record?.parameterSets)
      #expect(record.arrays.allSatisfy { $0.nalUnitType < 39 })
      let end = try packetizer.finish()
      #expect(
        try bytes(end[0]) == (dialect == .enhanced ? hex("92 68766331") : hex("1c 02 000000")))
    }
  }

  @Test
  func `Colours beyond the everyday ones are told before the configuration, as FFmpeg tells them`()
    throws
  {
    let stream = try Stream("enhanced-hdr10.flv")
    var packetizer = try stream.packetizer(.enhanced)
    let tags = try packetizer.start()
    #expect(tags.map { $0.head.first } == [2, 0xd4, 0x90])
    var reader = try TagReader(Fixture.source("enhanced-hdr10.flv"))
    var theirs: AMFValue?
    while let tag = try reader.nextTag() {
      for packet in try reader.packets(of: tag) + Packet.packets(in: reader.content(of: tag))
      where packet.kind == .metadata {
        theirs = AMFMessage(try Extent(reader.source, packet.data).bytes()).values.last
      }
    }
    let expected = try #require(theirs)
    let ours = try #require(AMFMessage(tags[1].payload.bytes()).values.last)
    #expect(ours["colorConfig"]?["bitDepth"]?.number == 10)
    for (group, names) in [
      ("colorConfig", ["colorPrimaries", "transferCharacteristics", "matrixCoefficients"]),
      ("hdrCll", ["maxFall", "maxCLL"]),
      (
        "hdrMdcv",
        [
          "redX", "redY", "greenX", "greenY", "blueX", "blueY", "whitePointX", "whitePointY",
          "maxLuminance", "minLuminance",
        ]
      ),
    ] {
      for name in names {
        guard let number = expected[group]?[name]?.number else { continue }
        let own = try #require(ours[group]?[name]?.number)
        #expect(abs(own - number) < 1e-6, "\(name)")
      }
    }
    #expect(expected["colorConfig"]?["transferCharacteristics"]?.number == 16)
  }

  @Test
  func `HEVC without a dialect is refused`() throws {
    let stream = try Stream("enhanced.flv")
    #expect(throws: SyntaxError.self) { try stream.packetizer(nil) }
    #expect(throws: SyntaxError.self) { try stream.packetizer(.legacy, id: 1) }
  }

  /// An IRAP frame that holds nothing but a slice header's first bytes.
  private static let key = Extent(hex("00000003 2801af"))

  private func video(_ dts: RationalTime, _ pts: RationalTime) -> Frame {
    Frame(.video, decodeTime: dts, presentationTime: pts, payload: Self.key)
  }

  @Test
  func `Times are rounded each, then subtracted; everything is moved to begin at 0`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.enhanced)
    _ = try packetizer.start(earliest: RationalTime(-2002, per: 60000))
    #expect(packetizer.shift == 33)
    var offsets: [String] = []
    for index: Int64 in 0..<5 {
      let dts = RationalTime(1001 * (index - 2), per: 60000)
      let tag = try packetizer.add(video(dts, RationalTime(1001 * index, per: 60000)))[0]
      var reader = SyntaxReader(MemorySource(try bytes(tag)))
      var read = VideoTag()
      try read.syntax(&reader)
      offsets.append("\(tag.time)+\(read.enhanced?.tracks[0].compositionTime ?? 0)")
    }
    // -33, -17, 0, 17, 33 ms and 0, 17, 33, 50, 67 ms, moved by 33 ms.
    #expect(offsets == ["0+33", "16+34", "33+33", "50+33", "66+34"])
  }

  @Test
  func `Falling, negative and far away times are refused`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.enhanced)
    _ = try packetizer.start()
    _ = try packetizer.add(video(.milliseconds(100), .milliseconds(60)))
    for (dts, pts) in [(99, 99), (-1, 0), (200, 200 + 0x80_0000), (Int64.max, 0)] {
      let frame = video(.milliseconds(Int64(dts)), .milliseconds(Int64(pts)))
      var copy = packetizer
      #expect(throws: SyntaxError.self) { try copy.add(frame) }
    }
  }

  @Test
  func `A negative composition time is written as one`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.legacy)
    _ = try packetizer.start()
    let tag = try packetizer.add(video(.milliseconds(100), .milliseconds(60)))[0]
    #expect(tag.head == hex("1c 01 ffffd8"))
    #expect(tag.isKey)
  }

  @Test
  func `Nanoseconds are written where they were asked for`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.enhanced) { $0.writesNanoseconds = true }
    _ = try packetizer.start()
    let tag = try packetizer.add(
      video(RationalTime(0, per: 2000), RationalTime(135, per: 2000)))[0]
    #expect(tag.head == hex("97 02 07a120 01 68766331 000043"))
  }

  @Test
  func `A second track is written as one track of a multitrack packet`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.enhanced, id: 1)
    #expect(try packetizer.start()[1].head == hex("96 00 68766331 01"))
    var frame = video(.milliseconds(0), .milliseconds(67))
    frame.trackID = 1
    #expect(try packetizer.add(frame)[0].head == hex("96 01 68766331 01 000043"))
    frame.trackID = 2
    #expect(throws: SyntaxError.self) { try packetizer.add(frame) }
  }

  @Test
  func `Parameter sets that change at a key frame bring an end, metadata and a new configuration`()
    throws
  {
    let (small, deep) = (try Stream("enhanced.flv"), try Stream("enhanced-hdr10.flv"))
    var packetizer = try small.packetizer(.enhanced)
    _ = try packetizer.start()
    let sets = try #require(deep.record).parameterSets
    let units = sets + [hex("2801af")]
    func frame(_ time: Int64, _ units: [[UInt8]]) throws -> Frame {
      Frame(
        .video, decodeTime: .milliseconds(time),
        payload: Extent(try LengthPrefixed.bytes(of: units)))
    }
    let own = try #require(small.record).parameterSets
    #expect(try packetizer.add(frame(0, own + [hex("2801af")])).count == 1)
    // Sets before an inter picture wait for the next key picture.
    #expect(try packetizer.add(frame(20, sets + [hex("0201d0")])).count == 1)
    let tags = try packetizer.add(frame(40, units))
    #expect(tags.map { $0.head.first } == [0x92, 2, 0xd4, 0x90, 0x93])
    #expect(tags.allSatisfy { $0.time == 40 })
    let record = try DecoderConfigurationRecord(tags[3].payload.bytes())
    #expect(record.parameterSets == sets)
    #expect(record.bitDepthLumaMinus8 == 2)
    #expect(try tags[4].payload.bytes() == LengthPrefixed.bytes(of: units))
    #expect(try packetizer.add(frame(80, units)).count == 1)
    // Back again: the colours are taken back.
    let back = try packetizer.add(frame(120, own + [hex("2801af")]))
    #expect(back.map { $0.head.first } == [0x92, 2, 0xd4, 0x90, 0x93])
    #expect(AMFMessage(try back[2].payload.bytes()).values == ["colorInfo", .undefined])
  }

  @Test(arguments: [0, 1, 2])
  func `A zero byte after a parameter set makes it no other set`(_ array: Int) throws {
    let record = try #require(Stream("enhanced.flv").record)
    var padded = record
    padded.arrays[array].nalUnits[0].append(0)
    for (known, told) in [(record, padded), (padded, record)] {
      var tracker = ParameterSetTracker(known)
      #expect(try !tracker.update(with: told.parameterSets))
    }
  }

  @Test
  func `Parameter sets leave the frames where that was asked for`() throws {
    let stream = try Stream("enhanced.flv")
    var packetizer = try stream.packetizer(.enhanced) { $0.keepsInBandSets = false }
    _ = try packetizer.start()
    let units = try #require(stream.record).parameterSets + [hex("2801af")]
    let payload = Extent(try LengthPrefixed.bytes(of: units))
    let tags = try packetizer.add(Frame(.video, decodeTime: .milliseconds(0), payload: payload))
    #expect(tags.count == 1)
    #expect(try tags[0].payload.bytes() == hex("00000003 2801af"))
  }

  @Test
  func `A frame beyond 24 bits, and times that fall, are refused by the writer`() throws {
    var writer = try FLVWriter(ArraySink())
    let big = Extent(PiecewiseSource([]), 0..<0xff_fffb)
    let tag = OutgoingTag(.video, time: 0, head: hex("9368766331"), payload: big)
    #expect(throws: SyntaxError.self) { try writer.append(tag) }
    try writer.append(OutgoingTag(.video, time: 1 << 32, head: [0x17]))
    #expect(throws: SyntaxError.self) {
      try writer.append(OutgoingTag(.video, time: 5, head: [0x17]))
    }
    #expect(
      writer.sink.bytes == fileStart + tagBytes(9, 0, [0x17]), "the time is written modulo 2^32")
  }

  @Test
  func `Sixty days of sound come back with the times that they had`() throws {
    var packetizer = try Packetizer(
      video: [], audio: [AudioTrack(.legacy(.mp3, rate: 3, is16Bit: true, isStereo: true))])
    var writer = try FLVWriter(ArraySink(), header: FLVHeader(hasAudio: true, hasVideo: false))
    var times: [Int64] = []
    for time in stride(from: Int64(0), to: 60 * 86_400_000, by: 199_999) {
      let frame = Frame(.audio, decodeTime: .milliseconds(time), payload: Extent([1]))
      for tag in try packetizer.add(frame) { try writer.append(tag) }
      times.append(time)
    }
    var reader = try TagReader(MemorySource(writer.sink.bytes))
    var found: [Int64] = []
    while let tag = try reader.nextTag() { found.append(tag.time) }
    #expect(found == times)
  }

  @Test
  func `Sound gets the tags of its codec`() throws {
    var packetizer = try Packetizer(
      video: [],
      audio: [
        AudioTrack(.legacy(.aLaw, rate: 0, is16Bit: true, isStereo: false)),
        AudioTrack(.other("Opus", hex("4f707573")), id: 1), AudioTrack(.other("ac-3", []), id: 2),
      ])
    let start = try packetizer.start()
    #expect(try start.dropFirst().map(bytes) == [hex("95 00 4f707573 01 4f707573")])
    for (id, head) in [(0, "72"), (1, "95 01 4f707573 01"), (2, "95 01 61632d33 02")] {
      let frame = Frame(
        .audio, trackID: UInt8(id), decodeTime: .milliseconds(0), payload: Extent([1]))
      #expect(try packetizer.add(frame)[0].head == hex(head))
    }
    var mute = try Packetizer(video: [], audio: [AudioTrack(.aac([]))])
    #expect(throws: SyntaxError.self) { try mute.start() }
  }

  @Test
  func `An ADTS header gives the configuration of its stream`() throws {
    var header = ADTSHeader()
    var reader = SyntaxReader(MemorySource(hex("fff15080 021ffc 21")))
    try header.syntax(&reader)
    #expect(header.frameLength == 16)
    #expect(header.size == 7)
    #expect(try header.configuration.bytes() == hex("1210"))
    #expect(header.configuration.sampleRate == 44100)
    let config = try AudioSpecificConfig(hex("1190"))
    #expect(config.sampleRate == 48000)
    #expect(config.channelConfiguration == 2)
  }
}
