// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusForeign
import ApusSamples
import SampleSupport
import TestSupport
import Testing

/// Pictures of bare streams that are gone or damaged, of which their headers tell.
@Suite struct PictureDamageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var words: [String]
    var change: @Sendable (inout [[UInt8]]) -> Void

    init(_ name: String, _ words: [String], _ change: @escaping @Sendable (inout [[UInt8]]) -> Void)
    {
      (testDescription, self.words, self.change) = (name, words, change)
    }
  }

  /// The NAL units of a movie as a bare stream.
  private static func units(of file: String) throws -> [[UInt8]] {
    var source = try MovieSource(Fixture.source(file))
    var output = try AnnexBOutput(source.tracks, to: ArraySink())
    for event in try source.rest() { try output.add(event) }
    return AnnexB.nalUnits(in: output.sink.bytes)
  }

  private static func stream(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap { [0, 0, 0, 1] + $0 }
  }

  /// The places of the pictures, each of which is one NAL unit.
  private static func pictures(_ units: [[UInt8]]) -> [Int] {
    units.indices.filter { units[$0][0] < 64 }
  }

  private static func lose(_ number: Int) -> @Sendable (inout [[UInt8]]) -> Void {
    { units in units.remove(at: pictures(units)[number - 1]) }
  }

  /// The order counts of the pictures in `hvc1.mp4` are, as FFmpeg finds them, 0, 3, 2, 1, 6 (CRA), 5, 4 (RASL), 9, 8, 7.
  static let rows = [
    Row("whole", []) { _ in },
    Row(
      "a picture that others refer to",
      [
        "1 picture that others refer to is missing, at picture 2",
        "the order of its pictures has a gap before picture 6",
      ], lose(2)),
    Row(
      "a key frame",
      [
        "1 picture that others refer to is missing, at picture 5",
        "the order of its pictures has a gap before picture 9",
      ], lose(5)),
    Row(
      "a picture that none refers to",
      ["the order of its pictures has a gap before picture 3"], lose(4)),
    Row("the last", ["the order of its pictures has a gap before picture 9"], lose(10)),
    Row(
      "a key frame that comes twice",
      ["1 picture has the same place in output order as another, at picture 6"]
    ) { units in
      let place = pictures(units)[4]
      units.insert(units[place], at: place + 1)
    },
    Row("a reserved type", ["1 NAL unit has an invalid header, at picture 2"]) {
      $0.insert([41 << 1, 1, 0x80], at: pictures($0)[0] + 1)
    },
    Row("a forbidden bit", ["1 NAL unit has an invalid header, at picture 1"]) {
      $0[pictures($0)[0]][0] |= 0x80
    },
    Row("zeros", ["1 NAL unit has invalid bytes, at picture 1"]) { units in
      let place = pictures(units)[0]
      let end = units[place].count
      units[place].replaceSubrange(end - 8..<end - 4, with: [0, 0, 0, 0])
    },
    Row("a parameter set", ["1 parameter set cannot be read, at picture 5"]) { units in
      // Without its end.
      let sets = units.indices.filter { units[$0][0] >> 1 == 33 }
      units.insert(Array(units[sets[0]].prefix(10)), at: pictures(units)[4])
    },
    Row("no picture", ["1 access unit has no picture, at picture 11"]) {
      $0.append([35 << 1, 1, 0x50])
    },
  ]

  @Test(arguments: rows)
  func `damage of a bare HEVC stream is reported`(row: Row) throws {
    var units = try Self.units(of: "hvc1.mp4")
    row.change(&units)
    let stream = Self.stream(units)
    #expect(try AnnexBSource(MemorySource(stream)).warnings == row.words)
    var piped = try AnnexBSource(growing: PulledBytes(stream) { nil })
    _ = try piped.rest()
    #expect(piped.repairs == row.words)
  }

  /// Nine pictures of three slices, of which one is changed.
  private static func sliced(_ change: (inout [[UInt8]]) -> Void) throws -> [String] {
    let units = try Self.units(of: "slices.mp4")
    let places = pictures(units)
    var changed = Array(units[places[0]...places[2]])
    change(&changed)
    let whole = (0..<8).flatMap { _ in units }
    return try AnnexBSource(MemorySource(stream(whole + units[..<places[0]] + changed))).warnings
  }

  @Test func `slices that are gone or in another order are reported`() throws {
    #expect(try Self.units(of: "slices.mp4").count { $0[0] < 64 } == 3)
    let rate = try Self.sliced { _ in }
    #expect(!rate.contains { $0.contains("slice") })
    #expect(
      try Self.sliced { $0.remove(at: 1) } == rate + [
        "picture 9 has fewer slices than the others, which have 3"
      ])
    #expect(
      try Self.sliced { $0.remove(at: 0) } == rate + [
        "1 picture lacks its first slice, at picture 9",
        "picture 9 has fewer slices than the others, which have 3",
      ])
    #expect(
      try Self.sliced { $0.swapAt(1, 2) } == rate + [
        "1 slice is out of place, at picture 9"
      ])
  }

  private static func avc(_ change: (inout [[UInt8]], [Int]) -> Void) throws -> [String] {
    var units = try Self.units(of: "avc1.mp4")
    change(&units, units.indices.filter { [1, 5].contains(units[$0][0] & 31) })
    var source = try ForeignSource(MemorySource(Self.stream(units)))
    _ = try source.rest()
    let name = "h264 video (track 1): "
    // A bare stream has no times.
    return source.repairs.filter { !$0.hasSuffix("times were missing") }
      .map { String($0.dropFirst(name.count)) }
  }

  /// The pictures of `avc1.mp4` have, as FFmpeg finds them, the numbers (`frame_num`) 0, 1, 2, 3, 3, 3 and 0, 1, 2, 3, and
  /// the order counts 0, 8, 4, 2, 6, 10 and 0, 6, 2, 4; the fourth, fifth and tenth are for no other's reference.
  static let lost = [
    (2, "1 picture that others refer to is missing, at picture 2"),
    (3, "1 picture that others refer to is missing, at picture 3"),
    (4, "the order of its pictures has a gap before picture 3"),
    (5, "the order of its pictures has a gap before picture 2"),
    (8, "1 picture that others refer to is missing, at picture 8"),
    (9, "1 picture that others refer to is missing, at picture 9"),
    (10, "the order of its pictures has a gap before picture 8"),
  ]

  @Test(arguments: lost)
  func `pictures that a bare H.264 stream lacks are reported`(number: Int, words: String) throws {
    let found = try Self.avc { $0.remove(at: $1[number - 1]) }
    #expect(found.contains(words), "\(found)")
  }

  @Test func `damage of a bare H.264 stream is reported`() throws {
    #expect(try Self.avc { _, _ in }.isEmpty)
    let zeros = try Self.avc { units, pictures in
      let middle = units[pictures[2]].count / 2
      units[pictures[2]].replaceSubrange(middle..<middle + 4, with: [0, 0, 0, 0])
    }
    #expect(zeros == ["1 NAL unit has invalid bytes, at picture 3"])
  }
}
