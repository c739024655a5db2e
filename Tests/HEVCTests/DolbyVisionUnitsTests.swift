// SPDX-License-Identifier: MIT

import HEVC
import Testing

struct DolbyVisionUnitsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var units: [[UInt8]]
    var bitDepth = 10
    /// `nil` where it cannot be told.
    var profile: UInt8?

    init(_ name: String, _ units: [[UInt8]], bitDepth: Int = 10, _ profile: UInt8?) {
      testDescription = name
      self.units = units
      self.bitDepth = bitDepth
      self.profile = profile
    }
  }

  private static let five = DolbyVisionRows.rows[0].bytes
  private static let seven = DolbyVisionRows.rows[1].bytes
  private static let eight = DolbyVisionRows.rows[2].bytes
  /// The header of a NAL unit of an enhancement layer.
  private static let layer: [UInt8] = [0x7e, 1]

  static let rows = [
    Row("5", [five], 5), Row("7", [layer, seven], 7), Row("8", [[0x02, 1, 0xd0], eight], 8),
    Row("5 with an enhancement layer", [five, layer], nil),
    Row("7 without its enhancement layer", [seven], nil),
    Row("8 with an enhancement layer", [layer, eight], nil),
    Row("8 over 8 bits", [eight], bitDepth: 8, nil),
    Row("8 with a wrong checksum", [eight.dropLast(2) + [eight[eight.count - 2] ^ 1, 0x80]], nil),
    Row("8 cut short", [Array(eight.prefix(20))], nil),
  ]

  @Test(arguments: rows) func `it tells the profile`(_ row: Row) {
    switch DolbyVisionUnits(row.units).profile(bitDepth: row.bitDepth) {
    case .known(let profile): #expect(profile == row.profile)
    case .unknown(let reason):
      #expect(row.profile == nil)
      #expect(!reason.isEmpty)
    case nil: Issue.record("no reference processing unit was found")
    }
  }

  @Test func `it says nothing without units`() {
    #expect(DolbyVisionUnits([[0x26, 1, 0xaf], Self.layer]).profile(bitDepth: 10) == nil)
    // NAL units of the type that are somebody else's.
    #expect(DolbyVisionUnits([[0x7c, 1, 1, 2, 3, 0x80]]).profile(bitDepth: 10) == nil)
    #expect(DolbyVisionUnits([[0x7c, 1]]).profile(bitDepth: 10) == nil)
  }
}
