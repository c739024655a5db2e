// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import Testing

@Suite struct HeadersReaderTests {
  /// A message of supplemental information of a number of bytes that nobody knows (H.265, 7.3.5).
  private func message(_ number: UInt8) -> [UInt8] { [0x4e, 0x01, 0xb0, 0x01, number, 0x80] }

  @Test func `it reads equal lists once, however many tracks ask for them`() {
    let reader = HeadersReader()
    for _ in 0..<1000 {
      let found = reader.headers(of: [message(1), message(2)])
      #expect(found.messages.map(\.bytes) == [message(1), message(2)])
    }
    #expect(reader.readings == 1)
  }

  @Test func `it keeps lists apart that differ in a byte, in their order or in their limits`() {
    let reader = HeadersReader()
    var limits = Limits()
    limits.elements = 7
    for _ in 0..<2 {
      #expect(reader.headers(of: [message(1)]).messages.map(\.bytes) == [message(1)])
      #expect(reader.headers(of: [message(2)]).messages.map(\.bytes) == [message(2)])
      let ordered = reader.headers(of: [message(2), message(1)])
      #expect(ordered.messages.map(\.bytes) == [message(2), message(1)])
      _ = reader.headers(of: [message(1)], limits: limits)
      #expect(reader.headers(of: []).messages.isEmpty)
    }
    #expect(reader.readings == 5)
  }

  @Test func `it lets go of those that were not asked for lately`() {
    let reader = HeadersReader(room: 2)
    for number: UInt8 in [1, 2, 1, 3, 1] { _ = reader.headers(of: [message(number)]) }
    #expect(reader.readings == 3)
    // The second gave way to the third.
    _ = reader.headers(of: [message(2)])
    #expect(reader.readings == 4)
  }

  @Test func `it keeps nothing that is long`() {
    let reader = HeadersReader()
    let long = [message(1) + [UInt8](repeating: 1, count: 1 << 15)]
    for _ in 0..<3 { _ = reader.headers(of: long) }
    #expect(reader.readings == 3)
  }
}
