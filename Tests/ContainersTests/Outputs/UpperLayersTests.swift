// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusSamples
import FLV
import HEVC
import ISOBMFF
import Testing

@testable import ApusContainers

@Suite struct UpperLayersTests {
  /// NAL units that are nothing but their headers and a byte.
  private func unit(_ type: NALUnitType, layer: UInt8 = 0, _ byte: UInt8 = 0x80) -> [UInt8] {
    [type.rawValue << 1, layer << 3 | 1, byte]
  }

  /// A track of a movie whose record has base sets, and whose `lhvC` has those of layer 1.
  private func track() -> CodedTrack {
    var record = DecoderConfigurationRecord()
    record.arrays = [NALUnitType.vps, .sps, .pps].map { array($0, unit($0)) }
    var layered = LayeredHEVCConfiguration()
    layered.record.arrays = [NALUnitType.sps, .pps].map { array($0, unit($0, layer: 1)) }
    var configuration = HEVCConfiguration()
    configuration.record = record
    var entry = VisualSampleEntry()
    entry.boxes = [Node("hvcC", configuration), Node("lhvC", layered)]
    var track = CodedTrack(.video, .hevc(record), timescale: 1000)
    track.details.sampleEntries = [(track.format, Node("hvc1", entry))]
    return track
  }

  private func array(_ type: NALUnitType, _ unit: [UInt8]) -> NALUnitArray {
    var array = NALUnitArray()
    array.nalUnitType = type.rawValue
    array.nalUnits = [unit]
    return array
  }

  private func sample(_ units: [[UInt8]], isSync: Bool) throws -> CodedSample {
    CodedSample(
      track: 0, decodeTime: .milliseconds(0), isSync: isSync,
      payload: Extent(try LengthPrefixed.bytes(of: units, lengthSize: 4)))
  }

  private var slices: [[UInt8]] { [unit(.idrNLP), unit(.prefixSEI), unit(.cra, layer: 1)] }

  @Test func `it writes the sets of both layers into a bare stream, and messages before slices`()
    throws
  {
    var output = try AnnexBOutput([track()], to: ArraySink())
    try output.add(.sample(sample(slices, isSync: true)))
    let trailing = [unit(.trailR), unit(.trailR, layer: 1)]
    try output.add(.sample(sample(trailing, isSync: false)))
    let units = AnnexB.nalUnits(in: output.sink.bytes)
    let expected =
      [unit(.vps), unit(.sps), unit(.pps), unit(.sps, layer: 1), unit(.pps, layer: 1)]
      + [unit(.prefixSEI), unit(.idrNLP), unit(.cra, layer: 1)] + trailing
    #expect(units == expected)
  }

  @Test func `it leaves layers above the base out of FLV`() throws {
    let placement = FLVPlacement([track()], .enhanced)
    let frame = try #require(try placement.frame(of: sample(slices, isSync: true)))
    let units = try LengthPrefixed.nalUnits(in: frame.payload.bytes(), lengthSize: 4)
    #expect(units == [unit(.idrNLP), unit(.prefixSEI)])
  }
}
