// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

@Suite struct DepthNumbersTests {
  @Test
  func `it reads the message that a phone wrote into auxC`() throws {
    // As libheif notes it of an iPhone's file: disparity between 0.54883 and 2.18164.
    let bytes: [UInt8] = [
      0, 0, 0, 0x11, 0, 0, 0, 0x0D, 0x4E, 0x01, 0xB1, 0x09, 0x35, 0x1E, 0x78, 0xC8, 0x01, 0x03,
      0xC5,
      0xD0, 0x20,
    ]
    let numbers = try #require(DepthNumbers(subtype: bytes))
    #expect(numbers.form == .disparity)
    let range = try #require(numbers.range)
    #expect(abs(range.lowerBound - 0.548828125) < 1e-9)
    #expect(abs(range.upperBound - 2.181640625) < 1e-9)
    for count in bytes.indices { _ = DepthNumbers(subtype: Array(bytes.prefix(count))) }
    for place in bytes.indices {
      for bit in 0..<8 {
        var broken = bytes
        broken[place] ^= 1 << bit
        _ = DepthNumbers(subtype: broken)
      }
    }
  }

  @Test
  func `it turns disparity into distances`() throws {
    var numbers = DepthNumbers()
    numbers.range = 0.5...2.5
    let table = try numbers.table(bitDepth: 8, isFullRange: true, as: .depth)
    #expect(numbers.form == .depth)
    #expect(numbers.range == 0.4...2)
    #expect(table.bitDepth == 16)
    // The least disparity is the greatest distance.
    #expect(table.values[0] == 65535)
    #expect(table.values[255] == 0)
    // 0.5 + 2 · 127.5 / 255 is 1.5, and 1 / 1.5 lies a sixth of the way from 0.4 to 2.
    let middle = (Double(table.values[127]) + Double(table.values[128])) / 2 / 65535
    #expect(abs(middle - 1 / 6) < 0.001)
  }

  @Test
  func `it does not divide by nothing`() throws {
    var numbers = DepthNumbers()
    numbers.range = 0...1
    let table = try numbers.table(bitDepth: 8, isFullRange: true, as: .depth)
    #expect(numbers.range == 1...255)
    #expect(table.values[0] == table.values[1])
  }

  @Test
  func `it refuses to convert what nobody said anything about`() {
    var numbers = DepthNumbers()
    #expect(throws: MediaError.self) {
      try numbers.table(bitDepth: 8, isFullRange: true, as: .depth)
    }
  }

  @Test(
    arguments: [
      (8, true, 8, [0, 1, 255]), (10, true, 16, [0, 64, 65535]), (8, false, 8, [0, 0, 255]),
      (10, false, 16, [0, 0, 65535]),
    ])
  func `it keeps codes of 8 bits and spreads others over 16`(
    depth: Int, isFull: Bool, bits: Int, values: [UInt16]
  ) {
    let table = PlaneTable(bitDepth: depth, isFullRange: isFull)
    #expect(table.bitDepth == bits)
    #expect([table.values[0], table.values[1], table.values[table.values.count - 1]] == values)
  }
}
