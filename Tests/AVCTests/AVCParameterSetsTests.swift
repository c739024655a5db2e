// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import TestSupport
import Testing

@Suite struct AVCParameterSetsTests {
  /// The `avcC` that FFmpeg's muxer wrote into `Fixtures/avc1.mp4`.
  private static let record = hex(
    "0164000affe100186764000aacd9447b011000000300100000030320f122596001000668ebe3cb22c0fdf8f800")

  @Test func `it makes the record that FFmpeg makes`() throws {
    let configuration = try AVCConfiguration(Self.record)
    #expect(try configuration.bytes() == Self.record)
    var sets = AVCParameterSets()
    #expect(!sets.isComplete)
    #expect(configuration.parameterSets.map { sets.add($0) } == [true, true])
    #expect(try sets.configuration()?.bytes() == Self.record)
    #expect(configuration.parameterSets.map { sets.add($0) } == [false, false])
  }

  @Test func `it replaces a set that has the same id`() throws {
    var sets = AVCParameterSets()
    let configuration = try AVCConfiguration(Self.record)
    for unit in configuration.parameterSets { sets.add(unit) }
    var changed = configuration.pictureParameterSets[0]
    changed[changed.count - 1] ^= 0x40
    let isNew = sets.add(changed)
    #expect(isNew)
    #expect(try sets.configuration()?.pictureParameterSets == [changed])
  }

  @Test(arguments: [[], [0x67], [0x09, 0x10], [0x68], [0x68, 0]] as [[UInt8]])
  func `it passes over what is no set`(unit: [UInt8]) throws {
    var sets = AVCParameterSets()
    let isNew = sets.add(unit)
    #expect(!isNew)
    #expect(try sets.configuration() == nil)
  }
}
