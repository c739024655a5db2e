// SPDX-License-Identifier: MIT

import ApusBytes
import ApusSamples
import Testing

@testable import ApusPresentations

struct CaptionSearchTests {
  /// ATSC A/53, part 4, table 6.7: `cc_data()` in user data registered by ITU-T T.35.
  private static let captions: [UInt8] = [
    4, 14, 0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0xc1, 0xff, 0xfc, 0x80, 0x80, 0xff, 0x80,
  ]
  /// The same with bar data instead of captions.
  private static let bars: [UInt8] = [
    4, 9, 0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x06, 0, 0x80,
  ]

  private func found(_ units: [[UInt8]]) throws -> Bool {
    var search = try #require(CaptionSearch(.avc([1, 66, 0, 30, 0xff])))
    let bytes = units.reduce(into: [UInt8]()) { $0 += [0, 0, 0, UInt8($1.count)] + $1 }
    try search.look(into: Extent(bytes))
    return search.isFound
  }

  @Test func `it finds captions in supplemental information alone`() throws {
    #expect(try found([[6] + Self.captions, [0x65, 1, 2]]))
    #expect(try !found([[6] + Self.bars, [0x65, 1, 2]]))
    #expect(try !found([[0x65] + Self.captions]))
    #expect(try !found([]))
    #expect(CaptionSearch(.other("av01", [])) == nil)
  }

  @Test func `it passes over damage`() throws {
    var search = try #require(CaptionSearch(.avc([1, 66, 0, 30, 0xff])))
    try search.look(into: Extent([0, 0, 9, 9, 6]))
    #expect(!search.isFound)
  }
}
