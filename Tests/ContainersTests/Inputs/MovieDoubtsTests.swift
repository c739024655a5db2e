// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusSamples
import ISOBMFF
import SampleSupport
import TestSupport
import Testing

/// A movie of which something is gone that its tables do not miss, and what is said of it.
struct DoubtRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var file: String
  /// A piece of every message, in their order.
  var messages: [String]
  var change: @Sendable (inout [UInt8]) throws -> Void

  init(
    _ name: String, _ file: String, _ messages: [String],
    _ change: @escaping @Sendable (inout [UInt8]) throws -> Void
  ) {
    testDescription = name
    self.file = file
    self.messages = messages
    self.change = change
  }
}

private let table = "moov/trak/mdia/minf/stbl/"
private let unused = "bytes of media data belong to no sample"

private let doubts: [DoubtRow] = [
  DoubtRow("nothing", "hvc1.mp4", []) { _ in },
  DoubtRow("nothing of fragments", "fragmented.mp4", []) { _ in },
  DoubtRow(
    "a track is no track", "hvc1.mp4",
    ["moov/t\\x02ak at byte", unused]
  ) { try $0.set(at: $0.start(of: "moov/trak[1]") + 5, to: 2) },
  DoubtRow("a name is one bit off", "hvc1.mp4", ["trak differs from it in one bit", unused]) {
    try $0.flip(0x20, at: $0.start(of: "moov/trak[1]") + 6)
  },
  DoubtRow("an edit list is none", "hvc1.mp4", ["moov/trak/edts/elsv"]) {
    try $0.set(at: $0.start(of: "moov/trak/edts/elst") + 7, to: UInt8(ascii: "v"))
  },
  DoubtRow("there is a fragment less", "fragmented.mp4", ["differs from it in one bit", unused]) {
    try $0.flip(0x04, at: $0.start(of: "moof") + 4)
  },
  DoubtRow("a sample is smaller", "hvc1.mp4", [unused, "ends inside a NAL unit"]) {
    try $0.set(at: $0.start(of: table + "stsz") + 24 + 3, to: 45)
  },
  DoubtRow(
    "there are fewer sizes", "hvc1.mp4",
    ["stts has durations", "ctts has offsets", "stsc and stco have places", "stsz at byte", unused]
  ) { try $0.set(at: $0.start(of: table + "stsz") + 19, to: 9) },
  DoubtRow("an offset holds for too many", "hvc1.mp4", ["ctts has offsets of more samples"]) {
    try $0.set(at: $0.start(of: table + "ctts") + 16, to: 0x40)
  },
  DoubtRow("a chunk is elsewhere", "hvc1.mp4", ["belong to several samples", unused]) {
    try $0.set(at: $0.start(of: "moov/trak[1]/mdia/minf/stbl/stco") + 19, to: 0x40)
  },
  DoubtRow(
    "a configuration of sound means nothing", "hvc1.mp4",
    ["its AudioSpecificConfig has invalid values"]
  ) {
    let entry = try $0.start(of: "moov/trak[1]/mdia/minf/stbl/stsd")
    let config = try #require($0[entry...].firstRange(of: [5, 0x80, 0x80, 0x80, 5])).upperBound
    // samplingFrequencyIndex 7 and channelConfiguration 15 in place of 4 and 1.
    $0[config + 1] = 0xFF
  },
  DoubtRow("a media header is given twice", "hvc1.mp4", ["moov/trak/mdia/mdhd[1] at byte"]) {
    try $0.double("mdhd", in: ["moov", "moov/trak", "moov/trak/mdia"])
  },
  DoubtRow("a table is given twice", "hvc1.mp4", ["moov/trak/mdia/minf/stbl/stsd[1] at byte"]) {
    try $0.double(
      "stsd",
      in: [
        "moov", "moov/trak", "moov/trak/mdia", "moov/trak/mdia/minf", "moov/trak/mdia/minf/stbl",
      ])
  },
  DoubtRow("there is a second movie", "hvc1.mp4", ["a further movie", unused]) { $0 += $0 },
  DoubtRow("something follows the movie", "hvc1.mp4", ["Made at byte"]) {
    $0 += [0, 0, 0, 12] + Array("Made".utf8) + [1, 2, 3, 4]
  },
  DoubtRow("metadata follow the movie", "hvc1.mp4", ["uuid at byte"]) {
    $0 += [0, 0, 0, 28] + Array("uuid".utf8) + [UInt8](repeating: 7, count: 20)
  },
]

@Suite struct MovieDoubtsTests {
  @Test(arguments: doubts)
  func `it says of a movie what is missing from it`(row: DoubtRow) throws {
    var bytes = try Fixture.bytes(row.file)
    try row.change(&bytes)
    var source = try MovieSource(MemorySource(bytes))
    _ = try source.rest()
    let said = source.warnings + source.repairs
    #expect(said.count >= row.messages.count)
    for (message, piece) in zip(said, row.messages) { #expect(message.contains(piece), "\(said)") }
    if row.messages.isEmpty { #expect(said.isEmpty) }
  }

  @Test func `it lets the movie say which samples can be begun with, where they do not`() throws {
    var bytes = try Fixture.bytes("hvc1.mp4")
    // The length of the first NAL unit of the second sample, which stss does not name.
    var whole = try MovieSource(MemorySource(bytes))
    let second = try whole.samples(of: 0)[1].payload.range.lowerBound
    bytes[second] = 0x7F
    var torn = try MovieSource(MemorySource(bytes))
    let samples = try torn.samples(of: 0)
    #expect(samples.filter(\.isSync).count == 2)
    #expect(samples[1].payload.range.lowerBound == second)
  }
}

extension [UInt8] {
  /// Where a box begins.
  fileprivate func start(of path: String) throws -> Int {
    let tree = try BoxTree(reading: MemorySource(self))
    let path = try #require(BoxPath(path))
    return try #require(tree.nodes(at: path).first?.node.start)
  }

  /// Puts a box once more behind itself, in boxes of which each is in the one before, behind the media data.
  fileprivate mutating func double(_ type: String, in parents: [String]) throws {
    let place = try start(of: "\(parents[parents.count - 1])/\(type)")
    func size(_ place: Int) -> Int { self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let box = self[place..<place + size(place)]
    for parent in try parents.map({ try start(of: $0) }) {
      let sum = size(parent) + box.count
      for byte in 0..<4 { self[parent + byte] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * byte)) }
    }
    insert(contentsOf: box, at: box.endIndex)
  }

  fileprivate mutating func set(at place: Int, to value: UInt8) { self[place] = value }

  fileprivate mutating func flip(_ bits: UInt8, at place: Int) { self[place] ^= bits }
}
