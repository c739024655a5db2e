// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFFmpeg
import ApusMedia
import ApusSamples
import HEVC
import Testing

@testable import ApusTranscode

/// Encoders in hardware are reached like these of libavcodec, which work in the memory of the process.
struct DeviceCodingTests {
  private static let count = 20

  private func request(bits: Int) -> CodingRequest {
    let format = PictureFormat(width: 128, height: 96, chroma: .yuv420, bitDepth: bits)
    var settings = VideoSettings()
    settings.rate = .bitRate(4_000_000, passes: 1)
    return CodingRequest(
      settings: settings, format: format, pixelFormat: bits > 8 ? "yuv420p10le" : "yuv420p",
      traits: PictureTraits(), timescale: 25, frameRate: Fraction(25, 1))
  }

  @Test(arguments: [("libx264", 8), ("libx264", 10), ("libx265", 8), ("libx265", 10)])
  func `decoders return the pictures`(id: String, bits: Int) throws {
    let facts = try #require(try CodecList().codecs(.encoder, of: nil, named: [id]).first)
    let request = request(bits: bits)
    let coding = try DeviceCoding(request, facts)
    var units: [CodedUnit] = []
    for index in 0..<Self.count {
      units += try coding.encode(Pattern.frame(index, request.format), forcesKey: index == 10)
    }
    units += try coding.finish()
    #expect(units.map(\.presentationTime).sorted() == (0..<Self.count).map(Int64.init))
    #expect(zip(units, units.dropFirst()).allSatisfy { $0.decodeTime < $1.decodeTime })
    #expect(units.filter(\.isKey).map(\.presentationTime) == [0, 10])
    if case .hevc = coding.format {
      // The record has them.
      let all = try units.flatMap { try LengthPrefixed.nalUnits(in: $0.payload, lengthSize: 4) }
      #expect(all.allSatisfy { !NALUnitType(firstByte: $0[0]).isParameterSet })
    }
    let found = try decoded(units, as: coding.format)
    #expect(found.count == Self.count)
    #expect(found.format?.bitDepth == bits)
    #expect(try #require(found.similarity) > 38)
  }

  private func decoded(
    _ units: [CodedUnit], as format: CodedTrack.Format
  ) throws -> PatternComparison {
    let track = CodedTrack(.video, format, timescale: 25)
    let decoder = try VideoDecoder(try #require(CodedStream(track)))
    var found = PatternComparison()
    for unit in units {
      try decoder.send(
        unit.payload, decodeTime: unit.decodeTime, presentationTime: unit.presentationTime,
        duration: 1)
      while let picture = try decoder.next() { found.add(picture) }
    }
    try decoder.finish()
    while let picture = try decoder.next() { found.add(picture) }
    return found
  }

  @Test func `an encoder that refuses is left with its reason`() throws {
    var facts = try #require(
      try CodecList().codecs(.encoder, of: nil, named: ["libx264"]).first)
    facts.id = "h264_nowhere"
    let error = #expect(throws: MediaError.self) { try DeviceCoding(request(bits: 8), facts) }
    #expect(error?.message.contains("no encoder h264_nowhere") == true)
  }

  // MARK: - Words

  private typealias Words = [String: String]

  /// A quality of 30, the speed slow; and a bit rate.
  private static let rows: [(String, Words, Words)] = [
    (
      "hevc_nvenc", ["rc": "vbr", "cq": "30", "b": "0", "preset": "p5", "forced-idr": "1"],
      ["preset": "p5", "forced-idr": "1"]
    ),
    (
      "h264_qsv", ["global_quality": "30", "preset": "slow", "forced_idr": "1"],
      ["preset": "slow", "forced_idr": "1"]
    ),
    ("hevc_vaapi", ["rc_mode": "CQP", "qp": "30"], [:]),
    ("hevc_vulkan", ["rc_mode": "cqp", "qp": "30"], [:]),
    (
      "hevc_amf",
      ["rc": "cqp", "qp_i": "30", "qp_p": "30", "quality": "quality", "forced_idr": "1"],
      ["quality": "quality", "forced_idr": "1"]
    ),
  ]

  @Test(arguments: rows)
  func `each maker has words for quality and speed`(
    encoder: String, quality: [String: String], rate: [String: String]
  ) throws {
    let words = try #require(DeviceWords(encoder))
    var wanted = VideoSettings()
    wanted.speed = "slow"
    for (chosen, expected) in [
      (VideoSettings.Rate.quality(30), quality), (.bitRate(5_000_000, passes: 1), rate),
    ] {
      wanted.rate = chosen
      var settings = VideoEncoderSettings(
        encoder, width: 64, height: 64, pixelFormat: "nv12", timescale: 25)
      try words.add(wanted, isForced: false, to: &settings)
      let found = settings.options.map { ($0.name, $0.value) }
      #expect(Dictionary(uniqueKeysWithValues: found) == expected)
      #expect(settings.bitRate == (expected == rate ? 5_000_000 : nil))
    }
  }

  @Test func `the options exist where this machine's libraries have the encoder`() throws {
    let found = try CodecList().codecs(.encoder, of: nil, named: Set(Self.rows.map(\.0)))
    // Those of Debian have at least VAAPI.
    #expect(!found.isEmpty)
    for facts in found {
      let known = Set((facts.options + facts.commonOptions).map(\.name))
      let row = try #require(Self.rows.first { $0.0 == facts.id })
      #expect(known.isSuperset(of: row.1.keys.filter { $0 != "b" }), "\(facts.id)")
    }
  }

  @Test func `an encoder without a constant quality needs a bit rate`() throws {
    let words = try #require(DeviceWords("h264_v4l2m2m"))
    var settings = VideoEncoderSettings(
      "h264_v4l2m2m", width: 64, height: 64, pixelFormat: "nv12", timescale: 25)
    #expect(throws: MediaError.self) {
      try words.add(VideoSettings(), isForced: false, to: &settings)
    }
    #expect(DeviceWords("libx264") == nil)
  }

  // MARK: - Choice

  @Test func `software is used where hardware is only preferred`() throws {
    var settings = VideoSettings()
    settings.preferred = .hardware
    // The same codec in software comes before another in hardware.
    let opened = try EncoderChoice(settings).open(request(bits: 8))
    let isHardware = !opened.encoder.name.hasPrefix("libx265")
    #expect(isHardware == (opened.fallback == nil))
    if case .hevc = opened.encoder.format {} else { Issue.record("HEVC comes first") }
    settings.preferred = .software
    #expect(try EncoderChoice(settings).open(request(bits: 8)).fallback == nil)
  }
}
