// SPDX-License-Identifier: MIT

import ApusBytes
import Testing

struct NumberTextTests {
  @Test func `it reads numbers in either byte order`() {
    let bytes: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    #expect(UInt32(bigEndianBytes: bytes) == 0x1234_5678)
    #expect(Int(littleEndianBytes: bytes.prefix(3)) == 0x56_3412)
    #expect(UInt16(bigEndianBytes: bytes.span, at: 1, count: 2) == 0x3456)
    #expect(Int(bigEndianBytes: bytes.span, at: 4, count: 0) == 0)
    #expect(UInt32(0x1234_5678).bigEndianBytes == bytes)
    #expect(FourCC(bytes) == FourCC(0x1234_5678))
  }

  @Test func `it writes hexadecimal digits`() {
    #expect(UInt8(5).hexadecimal(width: 2) == "05")
    #expect(0xabc.hexadecimal(uppercase: true) == "ABC")
    #expect([0, 0x1f, 0xff].hexadecimal() == "001fff")
  }

  @Test(
    arguments: [
      ("5", 5), ("fF", 255), ("+5", nil), ("-1", nil), ("0x1", nil), ("", nil), ("100", nil),
      ("５", nil),
    ] as [(String, UInt8?)])
  func `it reads hexadecimal digits alone`(text: String, number: UInt8?) {
    #expect(UInt8(hexadecimal: text) == number)
  }

  @Test(arguments: [
    (0.0, "0"), (1.5, "1.5"), (29.97002997, "29.97"), (0.005, "0.01"), (-2.25, "-2.25"),
    (1000, "1000"), (-0.001, "0"), (1e16, "1e+16"), (.infinity, "∞"),
  ]) func `it leaves out zeros at the end of decimals`(value: Double, text: String) {
    #expect(value.decimal() == text)
  }

  @Test(arguments: [(12.0, 1...1, "12.0"), (0.05, 1...3, "0.05"), (9.96, 0...0, "10")])
  func `it keeps as many decimals as are wanted`(
    value: Double, places: ClosedRange<Int>, text: String
  ) {
    #expect(value.decimal(places: places) == text)
  }
}
