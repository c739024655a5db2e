// SPDX-License-Identifier: MIT

import HEVC

@testable import ApusIntra

/// Coding quadtree and coding units: ITU-T H.265, 7.3.8.4 and 7.3.8.5.
extension PictureWriter {
  private var width: Int { Int(options.sps.format.picWidthInLumaSamples) }
  private var height: Int { Int(options.sps.format.picHeightInLumaSamples) }

  private func unit(_ x: Int, _ y: Int) -> Int { (y >> 3) * stride + x >> 3 }

  private func isThere(_ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && runs[unit(x, y)] == run
  }

  mutating func codingQuadtree(_ x: Int, _ y: Int, _ log2: Int, _ depth: Int) {
    let side = 1 << log2
    let fits = x + side <= width && y + side <= height
    var isSplit = log2 > options.minCodingLog2
    if fits, isSplit {
      let left = isThere(x - 1, y) && depths[unit(x - 1, y)] > depth
      let above = isThere(x, y - 1) && depths[unit(x, y - 1)] > depth
      isSplit = flip(
        Context.splitCodingUnit + (left ? 1 : 0) + (above ? 1 : 0), percent: options.splitChance)
    }
    let group = options.ctbLog2 - Int(options.pps.diffCUQPDeltaDepth)
    if log2 >= group { isQPDeltaCoded = false }
    let chromaGroup = options.ctbLog2 - Int(options.pps.extensions.range.diffCUChromaQPOffsetDepth)
    if log2 >= chromaGroup { isChromaOffsetCoded = false }
    guard isSplit else { return codingUnit(x, y, log2, depth) }
    for part in 0..<4 {
      let (px, py) = (x + (part & 1) * side / 2, y + (part >> 1) * side / 2)
      if px < width, py < height { codingQuadtree(px, py, log2 - 1, depth + 1) }
    }
  }

  private mutating func codingUnit(_ x: Int, _ y: Int, _ log2: Int, _ depth: Int) {
    isBypass =
      options.pps.transquantBypassEnabledFlag
      && flip(Context.transquantBypass, percent: options.bypassChance)
    var isParted = false
    if log2 == options.minCodingLog2 { isParted = !flip(Context.partMode) }
    let coding = options.sps.coding
    let leastPCM = Int(coding.log2MinPCMLumaCodingBlockSizeMinus3) + 3
    let mostPCM = leastPCM + Int(coding.log2DiffMaxMinPCMLumaCodingBlockSize)
    var isPCM = false
    if coding.pcmEnabledFlag, !isParted, (leastPCM...mostPCM).contains(log2) {
      isPCM = dice.chance(options.pcmChance)
      encoder.terminate(isPCM ? 1 : 0)
    }
    for row in 0..<(1 << log2) / 8 {
      for column in 0..<(1 << log2) / 8 {
        let unit = unit(x, y) + row * stride + column
        (runs[unit], depths[unit]) = (run, depth)
      }
    }
    if isPCM {
      fillModes(x, y, 1 << log2, 1)
      return samples(log2)
    }
    let chromaModes = predictionModes(x, y, log2, isParted: isParted)
    transformTree(
      WrittenNode(
        x: x, y: y, log2: log2, depth: 0, part: 0, cb: [true, true], cr: [true, true],
        isParted: isParted), chromaModes)
  }

  mutating func fillModes(_ x: Int, _ y: Int, _ side: Int, _ mode: Int) {
    for row in 0..<side / 4 {
      for column in 0..<side / 4 { modes[(y / 4 + row) * stride * 2 + x / 4 + column] = mode }
    }
  }

  /// `pcm_sample()`: 7.3.8.7.
  private mutating func samples(_ log2: Int) {
    let coding = options.sps.coding
    let luma = 1 << (2 * log2)
    for _ in 0..<luma {
      let depth = Int(coding.pcmSampleBitDepthLumaMinus1) + 1
      encoder.raw(dice.roll(0...(1 << depth) - 1), count: depth)
    }
    let chroma =
      options.chroma == 0
      ? 0 : options.chroma == 1 ? luma / 2 : options.chroma == 2 ? luma : luma * 2
    for _ in 0..<chroma {
      let depth = Int(coding.pcmSampleBitDepthChromaMinus1) + 1
      encoder.raw(dice.roll(0...(1 << depth) - 1), count: depth)
    }
    encoder.alignRaw()
  }

  // MARK: - Prediction modes

  /// What chroma is predicted with in each part: `intra_chroma_pred_mode`, and the mode.
  struct ChromaMode {
    var code = 4
    var mode = 0
  }

  private mutating func predictionModes(_ x: Int, _ y: Int, _ log2: Int, isParted: Bool)
    -> [ChromaMode]
  {
    let parts = isParted ? 4 : 1
    let side = (1 << log2) / (isParted ? 2 : 1)
    let flags = (0..<parts).map { _ in dice.chance(50) }
    for flag in flags { write(flag ? 1 : 0, Context.prevIntraLumaPred) }
    var chromaModes: [ChromaMode] = []
    for (part, isPredicted) in flags.enumerated() {
      let (px, py) = (x + (part & 1) * side, y + (part >> 1) * side)
      let candidates = self.candidates(px, py)
      var mode: Int
      if isPredicted {
        let index = dice.roll(0...2)
        encoder.bypass(index > 0 ? 1 : 0)
        if index > 0 { encoder.bypass(index - 1) }
        mode = candidates[index]
      } else {
        let rest = dice.roll(0...31)
        encoder.bypass(rest, count: 5)
        mode = rest
        for candidate in candidates.sorted() where mode >= candidate { mode += 1 }
      }
      fillModes(px, py, side, mode)
    }
    guard options.chroma > 0 else { return [] }
    for part in 0..<(options.chroma == 3 ? parts : 1) {
      let (px, py) = (x + (part & 1) * side, y + (part >> 1) * side)
      let luma = modes[py / 4 * stride * 2 + px / 4]
      let code = dice.chance(60) ? 4 : dice.roll(0...3)
      write(code < 4 ? 1 : 0, Context.intraChromaPredMode)
      if code < 4 { encoder.bypass(code, count: 2) }
      var mode = luma
      if code < 4 {
        mode = [0, 26, 10, 1][code]
        if mode == luma { mode = 34 }
      }
      if options.chroma == 2 { mode = Self.narrowed[mode] }
      chromaModes.append(ChromaMode(code: code, mode: mode))
    }
    return chromaModes
  }

  /// `candModeList`: 8.4.2.
  private func candidates(_ x: Int, _ y: Int) -> [Int] {
    let left = isThere(x - 1, y) ? modes[y / 4 * stride * 2 + (x - 1) / 4] : 1
    let isInside = y & (1 << options.ctbLog2 - 1) != 0
    let above = isInside && isThere(x, y - 1) ? modes[(y - 1) / 4 * stride * 2 + x / 4] : 1
    guard left == above else {
      let third = left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26
      return [left, above, third]
    }
    return left < 2 ? [0, 1, 26] : [left, 2 + (left + 29) % 32, 2 + (left - 1) % 32]
  }

  /// Table 8-3: the mode of 4:2:2 by that of other forms.
  private static let narrowed = [
    0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20, 21, 22, 23, 23, 24, 24, 25, 25,
    26,
    27, 27, 28, 28, 29, 29, 30, 31,
  ]
}
