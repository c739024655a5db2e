// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusSamples
import SampleSupport
import TestSupport
import Testing

/// Damage of bare sound and of program streams, which libavformat passes over without an error.
@Suite struct SoundDamageTests {
  private static func words(_ bytes: [UInt8]) throws -> [String] {
    var source = try ForeignSource(MemorySource(bytes))
    _ = try source.rest()
    // What libavformat says differs from version to version.
    return (source.warnings + source.repairs).filter { !$0.hasPrefix("libavformat says") }
  }

  /// A second of silence: AAC, one channel, 44100 samples a second (ISO/IEC 14496-3, 1.A.2).
  private static let adts = Array(repeating: hex("fff15040 017ffc 01182007"), count: 43)

  /// A second of silence: MPEG-1 Layer III, 32 kbit/s, one channel, 44100 samples a second, of which each
  /// frame has 104 bytes (ISO/IEC 11172-3, 2.4.3.1).
  private static let mp3 = Array(
    repeating: hex("fffb10c0") + [UInt8](repeating: 0, count: 100), count: 40)

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var frames: [[UInt8]]
    /// The size of each frame.
    var size: Int
    /// How many bytes are taken from one.
    var cut = 5
    var before: [UInt8] = []
    var after: [UInt8] = []
  }

  static let rows = [
    Row(testDescription: "ADTS", frames: adts, size: 11, cut: 2),
    Row(testDescription: "MP3", frames: mp3, size: 104),
    Row(
      testDescription: "MP3 with tags", frames: mp3, size: 104,
      before: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12),
      after: Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)),
  ]

  @Test(arguments: rows)
  func `damage of bare sound is reported`(row: Row) throws {
    let start = row.before.count
    func words(_ frames: [[UInt8]], after: [UInt8]? = nil) throws -> [String] {
      try Self.words(row.before + frames.joined() + (after ?? row.after))
    }
    #expect(try words(row.frames).isEmpty)
    var frames = row.frames
    frames[20].removeLast(row.cut)
    // The first header that is not where it should be follows the frame that is shorter now.
    let shorter = try words(frames)
    #expect(
      shorter.contains { $0.hasPrefix("\(row.size - row.cut) bytes belong to no frame, at byte") },
      "\(shorter)")
    frames = row.frames
    frames.insert([UInt8](repeating: 0x55, count: 7), at: 10)
    #expect(
      try words(frames).contains("7 bytes belong to no frame, at byte \(start + 10 * row.size)"))
    frames = row.frames
    frames[frames.count - 1].removeLast(3)
    let last = start + (frames.count - 1) * row.size
    #expect(
      try words(frames, after: [])
        .contains("the file ends 3 bytes before the end of the frame at byte \(last)"))
  }

  /// Packs of MPEG-1 (ISO/IEC 11172-1, 2.4.3), each of which has a packet of sound: 12 and 6 + 1 + 312 bytes.
  private static let packs = (0..<14).map { index in
    hex("000001ba 2100010001800001") + hex("000001c0 0139 0f") + mp3[0..<3].joined()
  }

  @Test func `damage of a program stream is reported`() throws {
    #expect(try Self.words(Array(Self.packs.joined())).isEmpty)
    var packs = Self.packs
    packs.insert([1, 2, 3, 4], at: 5)
    #expect(
      try Self.words(Array(packs.joined())).contains("4 bytes belong to no packet, at byte 1655"))
    #expect(
      try Self.words(Array(Self.packs.joined().dropLast(100)))
        .contains("the file ends inside a packet, at byte 4315"))
  }
}
