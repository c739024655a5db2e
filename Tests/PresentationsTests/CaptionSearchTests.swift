// SPDX-License-Identifier: MIT

import ApusBytes
import ApusSamples
import HEVC
import Testing

@testable import ApusPresentations

struct CaptionRow: Sendable, CustomTestStringConvertible {
  /// The packets, three bytes each: ANSI/CTA-708, 4.4.
  var packets: [UInt8]
  var channels: [String]
  var testDescription: String
}

struct CaptionSearchTests {
  /// ATSC A/53, part 4, table 6.7: `cc_data()` in user data registered by ITU-T T.35.
  private static func message(_ packets: [UInt8]) -> [UInt8] {
    let data: [UInt8] =
      [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0xc0 | UInt8(packets.count / 3), 0xff]
      + packets + [0xff]
    // H.265, 7.3.1.1: a 3 after two zeros where a byte up to 3 follows.
    var (escaped, zeros): ([UInt8], Int) = ([], 0)
    for byte in data {
      if zeros >= 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      escaped.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return [4, UInt8(data.count)] + escaped + [0x80]
  }

  /// User data of the same kind with bar data instead of captions.
  private static let bars: [UInt8] = [
    4, 9, 0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x06, 0, 0x80,
  ]

  private static let avc = CodedTrack.Format.avc([1, 66, 0, 30, 0xff])
  private static let hevc: CodedTrack.Format = {
    var record = DecoderConfigurationRecord()
    record.lengthSizeMinusOne = 3
    return .hevc(record)
  }()

  private func channels(_ format: CodedTrack.Format, _ pictures: [[[UInt8]]]) throws -> [String] {
    var search = try #require(CaptionSearch(format))
    for units in pictures {
      let bytes = units.reduce(into: [UInt8]()) { $0 += [0, 0, 0, UInt8($1.count)] + $1 }
      try search.look(into: Extent(bytes))
    }
    return search.channels.names
  }

  private static func padding(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in [0xfe, 0, 0] as [UInt8] }
  }

  static let rows: [CaptionRow] = [
    // ANSI/CTA-608, 8.4: pop-on, roll-up and paint-on, with their parity.
    CaptionRow(packets: [0xfc, 0x94, 0x20], channels: ["CC1"], testDescription: "pop-on"),
    CaptionRow(packets: [0xfc, 0x94, 0x26], channels: ["CC1"], testDescription: "roll-up"),
    CaptionRow(packets: [0xfc, 0x94, 0x29], channels: ["CC1"], testDescription: "paint-on"),
    CaptionRow(
      packets: [0xfc, 0x1c, 0x25], channels: ["CC2"], testDescription: "the second channel"),
    CaptionRow(
      packets: [0xfd, 0x94, 0x20], channels: ["CC3"], testDescription: "the second field"),
    CaptionRow(
      packets: [0xfd, 0x15, 0x20], channels: ["CC3"],
      testDescription: "the second field with its own code"),
    CaptionRow(
      packets: [0xfd, 0x9d, 0x20, 0xfc, 0x94, 0x20], channels: ["CC1", "CC4"],
      testDescription: "two channels"),
    CaptionRow(packets: [0xfc, 0x94, 0x2a], channels: [], testDescription: "text"),
    CaptionRow(packets: [0xfd, 0x01, 0x83], channels: [], testDescription: "data of the program"),
    CaptionRow(packets: [0xfc, 0xc1, 0xc2], channels: [], testDescription: "characters alone"),
    CaptionRow(packets: [0xfc, 0x80, 0x80], channels: [], testDescription: "nothing"),
    CaptionRow(packets: [0xf8, 0x94, 0x20], channels: [], testDescription: "not valid"),
    // ANSI/CTA-708, 5 and 6: a packet of 4 bytes, a block of 2 for service 1; zeros are escaped.
    CaptionRow(
      packets: [0xff, 0x02, 0x22, 0xfe, 0, 0], channels: ["SERVICE1"], testDescription: "a service"),
    CaptionRow(
      packets: [0xff, 0x43, 0x21, 0xfe, 0x41, 0x61, 0xfe, 0x42, 0x00],
      channels: ["SERVICE1", "SERVICE3"], testDescription: "two services"),
    CaptionRow(
      packets: [0xff, 0x03, 0xe2, 0xfe, 0x2a, 0x41, 0xfe, 0x42, 0x00], channels: ["SERVICE42"],
      testDescription: "an extended service"),
    CaptionRow(
      packets: [0xff, 0x00, 0x41] + padding(30), channels: [],
      testDescription: "a packet of 128 bytes that is not complete"),
    CaptionRow(
      packets: [0xff, 0x02, 0x00, 0xfe, 0, 0], channels: [], testDescription: "an empty packet"),
    CaptionRow(
      packets: [0xfe, 0x02, 0x22, 0xff, 0x01, 0x00], channels: [],
      testDescription: "the rest of a packet"),
  ]

  @Test(arguments: rows)
  func `it tells in which channels something is said`(row: CaptionRow) throws {
    let message = Self.message(row.packets)
    #expect(try channels(Self.avc, [[[6] + message, [0x65, 1, 2]]]) == row.channels)
    #expect(try channels(Self.hevc, [[[0x4e, 1] + message, [0x26, 1, 2]]]) == row.channels)
  }

  @Test func `a packet of a service may come with several pictures`() throws {
    let first = Self.message([0xff, 0x00, 0x41] + Self.padding(30))
    let second = Self.message(Self.padding(31))
    let third = Self.message(Self.padding(2))
    let pictures = [first, second, third].map { [[6] + $0, [0x65, 1, 2]] }
    #expect(try channels(Self.avc, pictures) == ["SERVICE2"])
    #expect(try channels(Self.avc, pictures.dropLast()) == [])
  }

  @Test func `it finds captions in supplemental information alone`() throws {
    let message = Self.message([0xfc, 0x94, 0x20])
    #expect(try channels(Self.avc, [[[6] + Self.bars, [0x65, 1, 2]]]) == [])
    #expect(try channels(Self.avc, [[[0x65] + message]]) == [])
    #expect(try channels(Self.avc, [[]]) == [])
    #expect(CaptionSearch(.other("av01", [])) == nil)
  }

  @Test func `it passes over damage`() throws {
    #expect(
      try channels(Self.avc, [[[6, 4, 200, 0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 3]]]) == [])
    var search = try #require(CaptionSearch(Self.avc))
    try search.look(into: Extent([0, 0, 9, 9, 6]))
    #expect(search.channels.names.isEmpty)
  }
}
