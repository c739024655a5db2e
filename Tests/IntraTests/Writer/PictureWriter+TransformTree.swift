// SPDX-License-Identifier: MIT

import HEVC

@testable import ApusIntra

/// A node of the residual quadtree.
struct WrittenNode {
  var x: Int
  var y: Int
  var log2: Int
  var depth: Int
  var part: Int
  /// `cbf_cb` and `cbf_cr` of the upper and the lower block.
  var cb: [Bool]
  var cr: [Bool]
  var isParted: Bool
}

/// Residual quadtree and transform units: ITU-T H.265, 7.3.8.8 and 7.3.8.10.
extension PictureWriter {
  mutating func transformTree(_ parent: WrittenNode, _ chromaModes: [ChromaMode]) {
    var node = parent
    var isSplit = node.log2 > options.maxTransformLog2 || (node.isParted && node.depth == 0)
    let most = Int(options.sps.coding.maxTransformHierarchyDepthIntra) + (node.isParted ? 1 : 0)
    if !isSplit, node.log2 > options.minTransformLog2, node.depth < most {
      isSplit = flip(Context.splitTransform + 5 - node.log2, percent: 40)
    }
    if options.chroma == 3 || (options.chroma > 0 && node.log2 > 2) {
      let isDouble = options.chroma == 2 && (!isSplit || node.log2 == 3)
      node.cb = chromaFlags(parent.cb, node.depth, isDouble: isDouble)
      node.cr = chromaFlags(parent.cr, node.depth, isDouble: isDouble)
    } else if options.chroma == 0 {
      (node.cb, node.cr) = ([false, false], [false, false])
    }
    guard isSplit else {
      return transformUnit(node, chromaModes)
    }
    let half = 1 << (node.log2 - 1)
    for part in 0..<4 {
      var child = node
      child.x += (part & 1) * half
      child.y += (part >> 1) * half
      child.log2 -= 1
      child.depth += 1
      child.part = part
      transformTree(child, chromaModes)
    }
  }

  private mutating func chromaFlags(_ parent: [Bool], _ depth: Int, isDouble: Bool) -> [Bool] {
    guard parent.contains(true) else { return [false, false] }
    let first = flip(Context.cbfChroma + depth)
    return [first, isDouble && flip(Context.cbfChroma + depth)]
  }

  private mutating func transformUnit(_ node: WrittenNode, _ chromaModes: [ChromaMode]) {
    let hasLuma = flip(Context.cbfLuma + (node.depth == 0 ? 1 : 0), percent: 65)
    let hasChroma = (node.cb + node.cr).contains(true)
    if hasLuma || hasChroma { quantization(hasChroma: hasChroma) }
    let part =
      node.isParted && options.chroma == 3
      ? (node.y >> (options.minCodingLog2 - 1) & 1) * 2 + node.x >> (options.minCodingLog2 - 1) & 1
      : 0
    if hasLuma {
      residual(node.log2, 0, modes[node.y / 4 * stride * 2 + node.x / 4])
    }
    let isSmall = options.chroma != 3 && node.log2 == 2
    guard options.chroma > 0, !isSmall || node.part == 3 else { return }
    let log2 = options.chroma == 3 ? node.log2 : max(2, node.log2 - 1)
    for component in 1...2 {
      let isCross =
        options.pps.extensions.range.crossComponentPredictionEnabledFlag && hasLuma
        && chromaModes[part].code == 4
      if isCross { crossComponent(component - 1) }
      let flags = component == 1 ? node.cb : node.cr
      for square in 0..<(options.chroma == 2 ? 2 : 1) where flags[square] {
        residual(log2, component, chromaModes[part].mode)
      }
    }
  }

  /// `cross_comp_pred()`: 7.3.8.12.
  private mutating func crossComponent(_ index: Int) {
    let magnitude = dice.roll(0...4)
    for bin in 0..<magnitude { write(1, Context.resScaleAbs + 4 * index + bin) }
    if magnitude < 4 { write(0, Context.resScaleAbs + 4 * index + magnitude) }
    if magnitude > 0 { _ = flip(Context.resScaleSign + index) }
  }

  /// `delta_qp()` and `chroma_qp_offset()`: 7.3.8.14.
  private mutating func quantization(hasChroma: Bool) {
    if options.pps.cuQPDeltaEnabledFlag, !isQPDeltaCoded {
      isQPDeltaCoded = true
      let delta = dice.chance(90) ? dice.roll(-6...6) : dice.roll(-26...25)
      for bin in 0..<min(abs(delta), 5) { write(1, Context.cuQPDelta + (bin > 0 ? 1 : 0)) }
      if abs(delta) < 5 { write(0, Context.cuQPDelta + (delta != 0 ? 1 : 0)) }
      if abs(delta) >= 5 { golomb(abs(delta) - 5, 0) }
      if delta != 0 { encoder.bypass(delta < 0 ? 1 : 0) }
    }
    guard slice.quantization.cuChromaQPOffsetEnabledFlag, hasChroma, !isBypass,
      !isChromaOffsetCoded
    else { return }
    isChromaOffsetCoded = true
    guard flip(Context.chromaQPOffsetFlag, percent: 70) else { return }
    let most = options.pps.extensions.range.chromaQPOffsets.count - 1
    let index = dice.roll(0...most)
    for _ in 0..<index { write(1, Context.chromaQPOffsetIndex) }
    if index < most { write(0, Context.chromaQPOffsetIndex) }
  }

  /// An Exp-Golomb code of an order: 9.3.3.5.
  private mutating func golomb(_ value: Int, _ order: Int) {
    var (value, order) = (value, order)
    while value >= 1 << order {
      encoder.bypass(1)
      value -= 1 << order
      order += 1
    }
    encoder.bypass(0)
    encoder.bypass(value, count: order)
  }
}
