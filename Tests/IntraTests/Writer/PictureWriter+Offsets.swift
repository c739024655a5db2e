// SPDX-License-Identifier: MIT

import HEVC

@testable import ApusIntra

/// `sao()`: ITU-T H.265, 7.3.8.3.
extension PictureWriter {
  mutating func sampleAdaptiveOffsets(_ address: Int) {
    guard slice.sliceSAOLumaFlag || slice.sliceSAOChromaFlag else { return }
    let (row, column) = address.quotientAndRemainder(dividingBy: layout.columns)
    if column > 0, slices[address - 1] == run, flip(Context.saoMerge, percent: 25) { return }
    if row > 0, slices[address - layout.columns] == run, flip(Context.saoMerge, percent: 25) {
      return
    }
    var kind = 0
    for component in 0..<(options.chroma == 0 ? 1 : 3)
    where component == 0 ? slice.sliceSAOLumaFlag : slice.sliceSAOChromaFlag {
      if component < 2 {
        // 0 for none, 1 for bands, 2 for edges.
        kind = dice.roll(0...2)
        write(kind > 0 ? 1 : 0, Context.saoType)
        if kind > 0 { encoder.bypass(kind - 1) }
      }
      guard kind > 0 else { continue }
      let most = (1 << (min(options.bitDepth, 10) - 5)) - 1
      var offsets: [Int] = []
      for _ in 0..<4 {
        let offset = dice.roll(0...most)
        for _ in 0..<offset { encoder.bypass(1) }
        if offset < most { encoder.bypass(0) }
        offsets.append(offset)
      }
      if kind == 1 {
        for offset in offsets where offset > 0 { encoder.bypass(dice.roll(0...1)) }
        encoder.bypass(dice.roll(0...31), count: 5)
      } else if component < 2 {
        encoder.bypass(dice.roll(0...3), count: 2)
      }
    }
  }
}
