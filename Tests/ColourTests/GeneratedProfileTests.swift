// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import TestSupport
import Testing

struct GeneratedProfileTests {
  private func profile(_ primaries: Int, _ transfer: Int) -> [UInt8] {
    ICCProfile.generated(for: ColourDescription(primaries: primaries, transfer: transfer))
  }

  /// Bytes that a Python program made from the ICC specification; littleCMS and Chromium were seen to read them.
  @Test(arguments: [
    (
      1, 13,
      """
      000001e000000000043000006d6e74725247422058595a2007ea000100010000000000006163737000000000
      0000000000000000000000000000000000000000000000000000f6d6000100000000d32d000000004ee70f03
      818c427c5c5445bb5da38e9b000000000000000000000000000000000000000000000000000000000000000a
      64657363000000fc000000246370727400000120000000227774707400000144000000146368616400000158
      0000002c7258595a00000184000000146758595a00000198000000146258595a000001ac0000001472545243
      000001c00000002067545243000001c00000002062545243000001c0000000206d6c75630000000000000001
      0000000c656e5553000000080000001c00730052004700426d6c756300000000000000010000000c656e5553
      000000060000001c004300430030000058595a20000000000000f6d6000100000000d32d7366333200000000
      00010c42000005defffff325000007930000fd90fffffba1fffffda2000003dc0000c06e58595a2000000000
      00006fa0000038f50000039058595a2000000000000062970000b787000018d958595a20000000000000249f
      00000f840000b6c4706172610000000000030000000266660000f2a700000d59000013d000000a5b
      """
    ),
    (
      12, 13,
      """
      000001ec00000000043000006d6e74725247422058595a2007ea000100010000000000006163737000000000
      0000000000000000000000000000000000000000000000000000f6d6000100000000d32d00000000eb995e2c
      ab9bdf9a34fab5ee6807817d000000000000000000000000000000000000000000000000000000000000000a
      64657363000000fc00000030637072740000012c000000227774707400000150000000146368616400000164
      0000002c7258595a00000190000000146758595a000001a4000000146258595a000001b80000001472545243
      000001cc0000002067545243000001cc0000002062545243000001cc000000206d6c75630000000000000001
      0000000c656e5553000000140000001c0044006900730070006c006100790020005000336d6c756300000000
      000000010000000c656e5553000000060000001c004300430030000058595a20000000000000f6d600010000
      0000d32d736633320000000000010c42000005defffff325000007930000fd90fffffba1fffffda2000003dc
      0000c06e58595a2000000000000083df00003dbfffffffbb58595a200000000000004abf0000b13600000ab9
      58595a2000000000000028380000110b0000c8b9706172610000000000030000000266660000f2a700000d59
      000013d000000a5b
      """
    ),
  ])
  func `it writes the bytes of another`(_ primaries: Int, _ transfer: Int, _ bytes: String) {
    #expect(profile(primaries, transfer) == hex(bytes))
  }

  /// The colours of primaries as an independent program adapted and rounded them.
  @Test(arguments: [
    (9, "0000ac6a0000476fffffff81 00002a690000ace4000007ad 0000200300000bad0000cbff"),
    (5, "0000748b00003b77000003b8 00005e1b0000b53400001ad9 0000243000000f550000b49c"),
    (6, "00006a93000038c00000037e 000064a80000b40a00001761 0000279b000013360000b84e"),
    (7, "00006a93000038c00000037e 000064a80000b40a00001761 0000279b000013360000b84e"),
  ])
  func `it writes the colours`(_ primaries: Int, _ colours: String) {
    let bytes = profile(primaries, 13)
    let values = hex(colours)
    for (index, start) in stride(from: 0, to: values.count, by: 12).enumerated() {
      let tag = 132 + 12 * (4 + index)
      let offset = bytes[tag + 4..<tag + 8].reduce(0) { $0 << 8 | Int($1) }
      #expect(Array(bytes[offset + 8..<offset + 20]) == Array(values[start..<start + 12]))
    }
  }

  @Test func `it marks PQ and HLG`() throws {
    for (transfer, name) in [(16, "BT.2100 PQ"), (18, "BT.2100 HLG")] {
      let bytes = profile(9, transfer)
      #expect(bytes.count >= 8664 && bytes[8] == 4 && bytes[9] == 0x40)
      let read = try ICCProfile(bytes)
      #expect(read.name == name)
      #expect(
        read.codePoints
          == ColourDescription(primaries: 9, transfer: transfer, matrix: 0, isFullRange: true))
      #expect(!read.isSRGB)
    }
    #expect(try ICCProfile(profile(12, 13)).codePoints == nil)
  }

  /// Every primaries and transfer, reserved ones too, comes back from the reader as it was meant.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22, 99])
  func `it is read back`(_ primaries: Int) throws {
    for transfer in 0...19 {
      let read = try ICCProfile(profile(primaries, transfer))
      let wanted = (Primaries(codePoint: primaries) ?? .bt709).rgbToD50
      guard case .rgb(let matrix, let red, _, let blue) = read.model else {
        Issue.record("no colours")
        continue
      }
      for place in 0..<9 {
        let difference = matrix[place / 3, place % 3] - wanted[place / 3, place % 3]
        #expect(difference.magnitude < 5e-5)
      }
      #expect(red == blue)
      #expect(red.isClose(to: TransferCurve(shownFor: transfer), within: 1e-4), "\(transfer)")
    }
  }

  @Test func `it describes grey`() throws {
    let colour = ColourDescription(primaries: 9, transfer: 4)
    let read = try ICCProfile(ICCProfile.generated(for: colour, isGrey: true))
    #expect(read.name == "Grey, gamma 2.2")
    #expect(read.model == .grey(.gamma(Double(Int((2.2 * 65536).rounded())) / 65536)))
  }
}
