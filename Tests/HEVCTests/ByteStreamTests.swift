// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import TestSupport
import Testing

struct ByteStreamTests {
  /// By hand from H.265, B.2.1: leading zeros, a long and a short start code, trailing zeros.
  static let stream = hex("0000 00000001 4001aa 000001 4201bb00 01 0000 00000001 4401 0000")

  @Test func `it finds start codes of both lengths`() {
    let units = AnnexB.units(in: Self.stream.span)
    #expect(units.map(\.startCode) == [0..<6, 9..<12, 19..<23])
    #expect(units.map(\.nalUnit) == [6..<9, 12..<17, 23..<25])
    #expect(units.map(\.trailingZeros) == [0, 2, 2])
  }

  @Test(arguments: 1...30) func `it finds the same in pieces`(of size: Int) throws {
    var scanner = AnnexBScanner()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: Self.stream.count, by: size) {
      let piece = Array(Self.stream[start..<min(start + size, Self.stream.count)])
      try scanner.append(piece.span) { found.append(Array($0)) }
    }
    try scanner.finish { found.append(Array($0)) }
    #expect(found == AnnexB.nalUnits(in: Self.stream))
  }

  @Test func `it finds a start code at every distance`() {
    for distance in 0..<200 {
      var bytes = [UInt8](repeating: 0xff, count: 200)
      bytes.insert(contentsOf: [0, 0, 1], at: distance)
      let found = StartCode.next(in: bytes.span)
      let another = StartCode.next(in: bytes.span, from: distance + 1)
      let cut = Array(bytes.prefix(distance + 2))
      let inCut = StartCode.next(in: cut.span)
      #expect(found == distance)
      #expect(another == nil)
      #expect(inCut == nil)
    }
  }

  /// ITU-T H.265, 7.4.2.1: the bytes that follow two zeros in a NAL unit, and whether they may.
  static let escapes: [(bytes: String, isAllowed: Bool)] = [
    ("00", false), ("01", false), ("02", false), ("03", true), ("0300", true), ("0303", true),
    ("0304", false), ("04", true), ("ff", true),
  ]

  @Test(arguments: escapes) func `it finds bytes that no NAL unit has`(
    bytes: String, isAllowed: Bool
  ) {
    for distance in 0..<100 {
      let unit = [UInt8](repeating: 0xff, count: distance) + [0, 0] + hex(bytes)
      let found = StartCode.firstForbidden(in: unit.span)
      #expect(found == (isAllowed ? nil : distance))
      let long = unit + [UInt8](repeating: 0xff, count: 100)
      let inLong = StartCode.firstForbidden(in: long.span)
      #expect(inLong == (isAllowed && bytes != "03" ? nil : distance))
    }
  }

  @Test(arguments: [1, 2, 4]) func `it turns one form into the other`(lengthSize: Int) throws {
    let prefixed = try AnnexB.lengthPrefixed(Self.stream, lengthSize: lengthSize)
    let nalUnits = try LengthPrefixed.nalUnits(in: prefixed, lengthSize: lengthSize)
    #expect(nalUnits == [hex("4001aa"), hex("4201bb0001"), hex("4401")])
    let stream = try LengthPrefixed.annexB(prefixed, lengthSize: lengthSize)
    #expect(stream == hex("00000001 4001aa 00000001 4201bb0001 00000001 4401"))
    let ends = [0, lengthSize + 3, lengthSize * 2 + 8]
    for count in prefixed.indices where !ends.contains(count) {
      #expect(throws: SyntaxError.self) {
        try LengthPrefixed.nalUnits(in: Array(prefixed.prefix(count)), lengthSize: lengthSize)
      }
    }
  }

  @Test func `it refuses lengths that do not fit`() {
    let long = [UInt8](repeating: 1, count: 256)
    #expect(throws: SyntaxError.self) { try LengthPrefixed.bytes(of: [long], lengthSize: 1) }
    #expect(throws: SyntaxError.self) { try LengthPrefixed.bytes(of: [[1]], lengthSize: 3) }
    #expect(throws: SyntaxError.self) {
      try LengthPrefixed.nalUnits(in: hex("ffffffff 00"), lengthSize: 4)
    }
  }

  @Test func `it names all 64 types`() {
    #expect(NALUnitType.allCases.count == 64)
    #expect(Set(NALUnitType.allCases.map(\.name)).count == 64)
    #expect(NALUnitType(rawValue: 19)?.name == "IDR_W_RADL")
    #expect(NALUnitType(rawValue: 21)?.name == "CRA_NUT")
    #expect(NALUnitType(rawValue: 40)?.name == "SUFFIX_SEI_NUT")
    #expect(NALUnitType(rawValue: 62)?.name == "UNSPEC62")
  }
}
