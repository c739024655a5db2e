// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusX265
import HEVC
import TestSupport
import Testing

@Suite struct X265EncoderTests {
  typealias Parameter = X265Settings.Parameter

  /// What no room for choice leaves: the same pictures out of libavcodec as went in.
  private static let lossless = [
    Parameter("lossless"), Parameter("keyint", "8"), Parameter("pools", "2"),
  ]

  struct Form: CustomTestStringConvertible, Sendable {
    var chroma: Chroma
    var depth: Int
    var width: Int
    var height: Int
    var testDescription: String { "\(chroma.name) \(depth) bit \(width)x\(height)" }
  }

  static let forms: [Form] = [
    Form(chroma: .yuv420, depth: 8, width: 64, height: 48),
    Form(chroma: .yuv420, depth: 10, width: 72, height: 50),
    Form(chroma: .yuv420, depth: 12, width: 64, height: 64),
    Form(chroma: .yuv422, depth: 10, width: 66, height: 49),
    Form(chroma: .yuv444, depth: 8, width: 65, height: 47),
    Form(chroma: .monochrome, depth: 8, width: 51, height: 39),
    Form(chroma: .monochrome, depth: 10, width: 64, height: 40),
  ]

  @Test(arguments: forms)
  func `it loses nothing of any form of picture where that is asked`(_ form: Form) throws {
    let format = PictureFormat(
      width: form.width, height: form.height, chroma: form.chroma, bitDepth: form.depth)
    var settings = X265Settings(format)
    settings.parameters = Self.lossless
    // libx265 3.5 loses bits of bidirectional blocks of 12 bits, and so it does from its own command.
    if form.depth == 12 { settings.parameters.append(Parameter("bframes", "0")) }
    let encoder = try X265Encoder(settings)
    let sources = (0..<6).map { TestPicture.make(format, number: $0) }
    let encoded = try encode(sources, by: encoder)
    #expect(encoded.map(\.presentationTime).sorted() == Array(0..<6))
    let decoded = try decode(encoded, encoder.headers)
    for (source, picture) in zip(sources, decoded) {
      let isSame = picture == TestPicture.planes(of: source)
      #expect(isSame)
    }
  }

  /// Colour samples stand for two luma samples, so a conformance window cannot cut off one (7.4.3.2.1).
  @Test(
    arguments: [(Chroma.yuv420, 63, 45, 64, 46), (.yuv422, 63, 45, 64, 45)])
  func `it repeats the last column and row where colour samples cannot end there`(
    _ chroma: Chroma, _ width: Int, _ height: Int, _ codedWidth: Int, _ codedHeight: Int
  )
    throws
  {
    let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: 8)
    var settings = X265Settings(format)
    settings.parameters = Self.lossless
    let encoder = try X265Encoder(settings)
    let source = TestPicture.make(format)
    let decoded = try decode(encode([source], by: encoder), encoder.headers)
    let whole = try #require(decoded.first)
    #expect((whole.format.width, whole.format.height) == (codedWidth, codedHeight))
    let luma = TestPicture.planes(of: source).planes[0]
    for y in 0..<codedHeight {
      let row = luma[min(y, height - 1) * width..<(min(y, height - 1) + 1) * width]
      let wanted = Array(row) + (codedWidth > width ? [row[row.endIndex - 1]] : [])
      #expect(Array(whole.planes[0][y * codedWidth..<(y + 1) * codedWidth]) == wanted)
    }
    #expect(Array(whole.planes[1...]) == Array(TestPicture.planes(of: source).planes[1...]))
  }

  @Test
  func `it codes pictures of 8 bits in 10 where that is asked`() throws {
    let format = PictureFormat(width: 64, height: 48, chroma: .yuv420, bitDepth: 8)
    var settings = X265Settings(format, bitDepth: 10)
    settings.parameters = Self.lossless
    let encoder = try X265Encoder(settings)
    let source = TestPicture.make(format)
    let picture = try #require(try decode(encode([source], by: encoder), encoder.headers).first)
    #expect(picture.format.bitDepth == 10)
    let wide = TestPicture.planes(of: source).planes[0].flatMap { sample -> [UInt8] in
      let value = UInt16(sample) << 2
      return [UInt8(value & 255), UInt8(value >> 8)]
    }
    let isSame = picture.planes[0] == wide
    #expect(isSame)
  }

  /// libx265 looks at memory that it has not written where a stream is shorter than what it reorders.
  @Test(arguments: 1...4)
  func `the few pictures of a short stream are decoded no later than shown`(count: Int) throws {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8)
    let encoder = try X265Encoder(X265Settings(format))
    let times = (0..<Int64(count)).map { 1000 + $0 * 40 }
    var encoded: [EncodedPicture] = []
    for (index, time) in times.enumerated() {
      let picture = TestPicture.make(format, number: index)
      encoded += try unsafe encoder.encode(picture.view, time: time)
    }
    encoded += try encoder.finish()
    #expect(encoded.map(\.presentationTime).sorted() == times)
    #expect(zip(encoded, encoded.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
    #expect(encoded.allSatisfy { (0...400).contains($0.presentationTime - $0.decodeTime) })
  }

  @Test
  func `it keeps times that are not even, and reorders pictures`() throws {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8)
    var settings = X265Settings(format)
    settings.parameters = [
      Parameter("bframes", "3"), Parameter("b-adapt", "0"), Parameter("keyint", "12"),
      Parameter("scenecut", "0"),
    ]
    let encoder = try X265Encoder(settings)
    let times = (0..<24).map { (number: Int64) -> Int64 in number * 100 + number % 3 * 17 - 500 }
    var encoded: [EncodedPicture] = []
    for (index, time) in times.enumerated() {
      let picture = TestPicture.make(format, number: index)
      encoded += try unsafe encoder.encode(picture.view, time: time, forcesKey: index == 5)
    }
    encoded += try encoder.finish()
    #expect(encoded.map(\.presentationTime).sorted() == times)
    #expect(zip(encoded, encoded.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
    #expect(encoded.allSatisfy { $0.decodeTime <= $0.presentationTime })
    #expect(encoded.contains { $0.kind == .bidirectional })
    let keys = encoded.filter(\.isKey).map(\.presentationTime)
    #expect(keys == [times[0], times[5], times[17]])
  }

  @Test
  func `it writes into the stream what the pictures mean`() throws {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 10)
    var settings = X265Settings(format)
    settings.traits.colour = ColourDescription(
      primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
    settings.traits.sampleAspect = SampleAspect(64, 45)
    settings.traits.masteringDisplay = MasteringDisplay(
      red: .init(34000, 16000), green: .init(13250, 34500), blue: .init(7500, 3000),
      white: .init(15635, 16450), maximumLuminance: 10_000_000, minimumLuminance: 1)
    settings.traits.contentLight = ContentLight(maximum: 1000, maximumAverage: 400)
    settings.frameRate = (30000, 1001)
    let encoder = try X265Encoder(settings)
    let record = try RecordBuilder().record(of: encoder.headers)
    let units = record.record.arrays.flatMap(\.nalUnits)
    let set = try #require(
      units.lazy.compactMap { NALUnit<SequenceParameterSet>($0).payload }.first)
    let vui = set.vui
    #expect((vui.colourPrimaries, vui.transferCharacteristics, vui.matrixCoeffs) == (9, 16, 9))
    #expect(vui.videoSignalTypePresentFlag && !vui.videoFullRangeFlag)
    #expect(set.sampleAspectRatio ?? (0, 0) == (64, 45))
    #expect((vui.timing.vuiTimeScale, vui.timing.vuiNumUnitsInTick) == (30000, 1001))
    let messages = units.compactMap { NALUnit<SupplementalInformation>($0).payload }
    let display = try #require(
      messages.lazy.compactMap { $0.first(MasteringDisplayColourVolume.self) }.first)
    #expect(display.maxDisplayMasteringLuminance == 10_000_000)
    let light = try #require(
      messages.lazy.compactMap { $0.first(ContentLightLevel.self) }.first)
    #expect(light.maxContentLightLevel == 1000)
    #expect(light.maxPicAverageLightLevel == 400)
  }

  @Test(arguments: [(FieldOrder.topFirst, UInt8(3))])
  func `it says of a frame that it holds two fields`(_ order: FieldOrder, _ structure: UInt8) throws
  {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8)
    var settings = X265Settings(format)
    settings.traits.fields = order
    let encoder = try X265Encoder(settings)
    let encoded = try encode([TestPicture.make(format)], by: encoder)
    let set = try #require(
      encoder.headers.lazy.compactMap { NALUnit<SequenceParameterSet>($0).payload }.first)
    #expect(set.vui.frameFieldInfoPresentFlag)
    #expect(encoded.count == 1)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    var change: @Sendable (inout X265Settings) -> Void
    var message: String
    var testDescription: String { message }
  }

  static let refusals: [Refusal] = [
    Refusal(
      change: { $0.parameters = [Parameter("crff", "20")] },
      message: "x265 knows no parameter crff"),
    Refusal(
      change: { $0.parameters = [Parameter("crf", "good")] },
      message: "x265 does not take good as crf"),
    Refusal(
      change: { $0.parameters = [Parameter("annexb", "1")] },
      message: "x265's annexb is nothing to choose here"),
    Refusal(change: { $0.preset = "snail" }, message: "x265 does not take snail as preset"),
    Refusal(change: { $0.tune = "film" }, message: "x265 does not take film as tune"),
    Refusal(
      change: { $0.profile = "main10-intro" },
      message: "the profile main10-intro has no pictures of 8 bits in 420 with these settings, or "
        + "x265 does not know it"),
    Refusal(
      change: { $0.parameters = [Parameter("ctu", "17")] },
      message: "libx265 refuses 64 × 64 samples of 8 bits with preset medium and ctu=17"),
    Refusal(change: { $0.bitDepth = 9 }, message: "libx265 was built here without 9 bits a sample"),
    Refusal(
      change: { $0.format.width = 0 },
      message: "libx265 encodes no 0 × 64 samples, but 16 to 16384 each way"),
  ]

  @Test(arguments: refusals)
  func `it names the setting that it refuses`(_ refusal: Refusal) {
    var settings = X265Settings(
      PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8))
    refusal.change(&settings)
    #expect {
      _ = try X265Encoder(settings)
    } throws: {
      "\($0)" == refusal.message
    }
  }

  @Test
  func `it refuses times that do not rise, and pictures of another form`() throws {
    let format = PictureFormat(width: 64, height: 64, chroma: .yuv420, bitDepth: 8)
    let encoder = try X265Encoder(X265Settings(format))
    let picture = TestPicture.make(format)
    _ = try unsafe encoder.encode(picture.view, time: 3)
    #expect(throws: MediaError.self) { try unsafe encoder.encode(picture.view, time: 3) }
    var other = format
    other.width = 72
    let wide = TestPicture.make(other)
    #expect(throws: MediaError.self) { try unsafe encoder.encode(wide.view, time: 4) }
    #expect(try encoder.finish().count == 1)
    #expect(throws: MediaError.self) { try unsafe encoder.encode(picture.view, time: 5) }
    #expect(try encoder.finish().isEmpty)
  }

  @Test
  func `it makes the same bytes of a still picture with any number of workers`() throws {
    let format = PictureFormat(width: 200, height: 136, chroma: .yuv420, bitDepth: 8)
    let picture = TestPicture.make(format)
    let payloads = try ["1", "2", "4"].map { pools in
      var settings = X265Settings.still(format, quantizer: 28)
      settings.parameters.append(Parameter("pools", pools))
      let encoder = try X265Encoder(settings)
      let set = try #require(
        encoder.headers.lazy.compactMap { NALUnit<SequenceParameterSet>($0).payload }.first)
      #expect(set.profileTierLevel.general.profileIDC == 3)
      // It comes back at once.
      return try unsafe #require(encoder.encode(picture.view, time: 0).first).payload
    }
    #expect(Set(payloads).count == 1)
    // An IDR slice and nothing else.
    let units = try LengthPrefixed.heads(in: Extent(payloads[0]), lengthSize: 4)
    #expect(units.count == 1)
    #expect(payloads[0][4] >> 1 & 63 == 20)
  }

  private func encode(_ pictures: [Picture], by encoder: X265Encoder) throws -> [EncodedPicture] {
    var encoded: [EncodedPicture] = []
    for (index, picture) in pictures.enumerated() {
      encoded += try unsafe encoder.encode(picture.view, time: Int64(index))
    }
    return try encoded + encoder.finish()
  }

  /// All pictures in the order of presentation, by libavcodec.
  private func decode(_ pictures: [EncodedPicture], _ headers: [[UInt8]]) throws -> [DecodedPlanes]
  {
    let record = try RecordBuilder().record(of: headers).record.bytes()
    let decoder = try FFmpegDecoder()
    let decoded = try pictures.indices.map { index in
      let coded = CodedPicture(
        codec: .hevc, configuration: record, samples: pictures[...index].map(\.payload))
      return (pictures[index].presentationTime, try DecodedPlanes(coded, by: decoder))
    }
    return decoded.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
