// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import SampleSupport
import TestSupport
import Testing

/// Damage to `enhanced.flv`, and what is said of it.
///
/// A picture of 54 bytes is in the tag at byte 1366, the next in that at 1585; a frame of sound is in that at 1435.
struct FLVDamage: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var words: [String]
  /// How many samples there are fewer.
  var lost: Int
  /// What is said of a pipe, in which a tag of unknown type is no tag; `nil` for the same.
  var piped: [String]?
  var change: @Sendable (inout [UInt8]) -> Void

  /// Some bits of one byte changed.
  init(_ name: String, _ place: Int, _ bits: UInt8, lost: Int = 1, _ words: String...) {
    (testDescription, self.words, self.lost) = (name, words, lost)
    change = { $0[place] ^= bits }
  }

  init(
    _ name: String, lost: Int = 1, _ words: String...,
    change: @escaping @Sendable (inout [UInt8]) -> Void
  ) {
    (testDescription, self.words, self.lost, self.change) = (name, words, lost, change)
  }

  private func piped(_ words: String) -> FLVDamage {
    var damage = self
    damage.piped = [words]
    return damage
  }

  static let all = [
    FLVDamage("type of a tag", 1366, 8, "1 tag of unknown type is left out, at byte 1366")
      .piped("69 bytes between tags are skipped"),
    FLVDamage(
      "sound as a picture", 1435, 1, "1 tag of unknown packet type is left out, at byte 1435"),
    FLVDamage("filter", 1366, 0x20, "1 encrypted tag is left out, at byte 1366"),
    FLVDamage("packet type", 1377, 4, "1 tag of unknown packet type is left out, at byte 1366"),
    FLVDamage("frame type", 1377, 0x70, "1 tag that cannot be read is left out, at byte 1366"),
    FLVDamage(
      "sound format", 1446, 0x80,
      "1 tag of another codec than its track is left out, at byte 1435"),
    FLVDamage(
      "four-character code", 1378, 1,
      "1 tag of another codec than its track is left out, at byte 1366"),
    FLVDamage(
      "type of two tags", lost: 2, "2 tags of unknown type are left out, the first at byte 1366",
      change: { bytes in for place in [1366, 1585] { bytes[place] ^= 2 } }
    ).piped("109 bytes between tags are skipped"),
    FLVDamage(
      "highest byte of a time", 1373, 0x20, lost: 0,
      "timestamps jump ahead by more than an hour at byte 1366",
      "timestamps go back, and continue after the last, at byte 1585, from 536870952 ms to 80 ms"),
    FLVDamage(
      "lowest byte of a time", 1591, 0x40, lost: 0,
      "decoding times go back, and are held, at byte 1585, from 40 ms to 16 ms"),
    FLVDamage(
      "size of a NAL unit", 1385, 1, lost: 0,
      "NAL units do not fit their frame at byte 1366"),
    FLVDamage(
      "composition time", 1382, 0x20, lost: 0,
      "pictures are shown more than a minute away from their decoding time at byte 1366"),
    FLVDamage(
      "size after a tag", 1434, 1, lost: 0,
      "PreviousTagSize is not the size of the tag before it at byte 1431"),
    FLVDamage(
      "cut", "the file ends inside a tag, which is left out", change: { $0.removeLast(8) }),
    FLVDamage(
      "frame as a configuration", 1447, 1, "the configuration of sound changes once, at byte 1435"),
  ]
}

@Suite struct FLVDamageTests {
  private static func count(_ events: [SourceEvent]) -> Int {
    events.count { if case .sample = $0 { true } else { false } }
  }

  @Test(arguments: FLVDamage.all)
  func `damage of a file is reported`(damage: FLVDamage) throws {
    var bytes = try Fixture.bytes("enhanced.flv")
    var whole = try FLVSource(MemorySource(bytes))
    #expect(whole.warnings.isEmpty)
    damage.change(&bytes)
    var source = try FLVSource(MemorySource(bytes))
    #expect(try Self.count(source.rest()) == Self.count(whole.rest()) - damage.lost)
    #expect(source.warnings + source.repairs == damage.words)
    #expect(whole.repairs.isEmpty)
  }

  @Test(arguments: FLVDamage.all)
  func `damage of a pipe is reported`(damage: FLVDamage) throws {
    var bytes = try Fixture.bytes("enhanced.flv")
    var whole = try MediaInput.open(growing: pieces(of: bytes, size: 1000))
    damage.change(&bytes)
    var piped = try MediaInput.open(growing: pieces(of: bytes, size: 1000))
    #expect(try Self.count(piped.source.rest()) == Self.count(whole.source.rest()) - damage.lost)
    #expect(piped.warnings + piped.source.repairs == damage.piped ?? damage.words)
    #expect((whole.warnings + whole.source.repairs).isEmpty)
  }

  @Test(arguments: ["avc.flv", "legacy.flv", "many-tracks.flv", "nanoseconds.flv", "sounds.flv"])
  func `nothing is said of whole files`(file: String) throws {
    var source = try FLVSource(Fixture.source(file))
    _ = try source.rest()
    #expect((source.warnings + source.repairs).filter { $0.contains("byte") }.isEmpty)
  }

  @Test func `frames that no configuration comes for are reported`() throws {
    var bytes = try Fixture.bytes("enhanced.flv")
    bytes.removeSubrange(500..<522)
    let source = try FLVSource(MemorySource(bytes))
    #expect(source.tracks.map(\.name) == ["HEVC video"])
    #expect(
      source.warnings == [
        "audio track 0 has no configuration and is left out: 19 frames, the first at byte 1413"
      ])
  }

  @Test func `a configuration of AVC that is none is an error`() throws {
    var bytes = try Fixture.bytes("avc.flv")
    let start = try #require(
      bytes.indices.dropFirst(13).first { bytes[$0] == 9 && bytes[$0 + 11] == 0x17 })
    bytes[start + 16] = 0
    #expect(throws: SyntaxError.self) { try FLVSource(MemorySource(bytes)) }
  }
}
