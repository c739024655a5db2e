// SPDX-License-Identifier: MIT

internal import HEVC

/// A node of the residual quadtree: ITU-T H.265, 7.3.8.8.
struct TransformNode {
  var x: Int
  var y: Int
  /// The column of the parent node.
  var baseX: Int
  var baseY: Int
  var log2: Int
  var depth: Int
  /// The value `blkIdx`.
  var part: Int
  /// The flags `cbf_cb` and `cbf_cr`: bit 0 of the first block, bit 1 of the one below it in 4:2:2. Before the node is
  /// read, they are those of the parent.
  var cb: Int
  var cr: Int
  /// The value `IntraSplitFlag`.
  var isParted: Bool
}

extension SliceDataReader {
  mutating func transformTree(_ parent: TransformNode, _ data: Span<UInt8>) {
    var node = parent
    let log2 = node.log2
    let isForced = log2 > parameters.maxTransformLog2 || (node.isParted && node.depth == 0)
    let most = parameters.maxTransformDepth &+ (node.isParted ? 1 : 0)
    let isSplit =
      isForced
      || (log2 > parameters.minTransformLog2 && node.depth < most
        && bin(Context.splitTransform &+ 5 &- log2, data) != 0)
    // Chroma of 4 × 4 luma blocks belongs to the parent node, whose flags apply.
    if parameters.chroma == 3 || (parameters.chroma > 0 && log2 > 2) {
      let isDouble = parameters.chroma == 2 && (!isSplit || log2 == 3)
      node.cb = cbfChroma(node.cb, node.depth, isDouble: isDouble, data)
      node.cr = cbfChroma(node.cr, node.depth, isDouble: isDouble, data)
    }
    guard isSplit else {
      let hasLuma = bin(Context.cbfLuma &+ (node.depth == 0 ? 1 : 0), data) != 0
      return transformUnit(node, hasLuma: hasLuma, data)
    }
    let half = 1 &<< (log2 &- 1)
    for part in 0..<4 {
      let child = TransformNode(
        x: node.x &+ (part & 1) &* half, y: node.y &+ (part &>> 1) &* half, baseX: node.x,
        baseY: node.y, log2: log2 &- 1, depth: node.depth &+ 1, part: part, cb: node.cb,
        cr: node.cr, isParted: node.isParted)
      transformTree(child, data)
    }
  }

  private mutating func cbfChroma(
    _ parent: Int, _ depth: Int, isDouble: Bool, _ data: Span<UInt8>
  ) -> Int {
    guard parent != 0 else { return 0 }
    var flags = bin(Context.cbfChroma &+ depth, data)
    if isDouble { flags |= bin(Context.cbfChroma &+ depth, data) &<< 1 }
    return flags
  }

  /// Reads `transform_unit()`: 7.3.8.10.
  private mutating func transformUnit(
    _ node: TransformNode, hasLuma: Bool, _ data: Span<UInt8>
  ) {
    let chroma = parameters.chroma
    let isSmall = chroma != 3 && node.log2 == 2
    let hasChroma = node.cb | node.cr != 0
    if hasLuma || hasChroma {
      quantizationChanges(hasChroma: hasChroma, data)
      scaleQPs()
    }
    let mode = Int(maps.modes[(node.y &>> 2) &* maps.stride &* 2 &+ node.x &>> 2])
    // The part of the coding unit, which has a separate chroma mode in 4:4:4.
    let part = node.isParted && chroma == 3 ? partIndex(of: node) : 0
    let usesCross =
      parameters.hasCrossComponent && hasLuma && chromaModeCodes[part] == 4
    var luma = block(node.x, node.y, node.log2, 0, mode)
    if usesCross { luma.tools.insert(.keepsResidual) }
    if hasLuma { residual(&luma, data) }
    append(luma)
    guard chroma > 0, !isSmall || node.part == 3 else { return }
    let x = (isSmall ? node.baseX : node.x) &>> parameters.chromaShiftX
    let y = (isSmall ? node.baseY : node.y) &>> parameters.chromaShiftY
    let log2 = chroma == 3 ? node.log2 : max(2, node.log2 &- 1)
    for component in 1...2 {
      let scale = usesCross ? crossComponentScale(component &- 1, data) : 0
      let flags = component == 1 ? node.cb : node.cr
      for square in 0..<(chroma == 2 ? 2 : 1) {
        var block = block(x, y &+ square &<< log2, log2, component, Int(chromaModes[part]))
        block.crossScale = Int8(scale)
        if flags &>> square & 1 != 0 { residual(&block, data) }
        append(block)
      }
    }
  }

  /// Returns the index of the part of a parted coding unit that contains a node.
  private func partIndex(of node: TransformNode) -> Int {
    let log2 = parameters.minCodingBlockLog2 &- 1
    return (node.y &>> log2 & 1) &<< 1 | node.x &>> log2 & 1
  }

  private func block(_ x: Int, _ y: Int, _ log2: Int, _ component: Int, _ mode: Int)
    -> TransformBlock
  {
    var block = TransformBlock()
    block.x = UInt16(truncatingIfNeeded: x)
    block.y = UInt16(truncatingIfNeeded: y)
    block.log2 = UInt8(truncatingIfNeeded: log2)
    block.component = UInt8(truncatingIfNeeded: component)
    block.mode = UInt8(truncatingIfNeeded: mode)
    if parameters.range.implicitRDPCMEnabledFlag, isBypass { block.tools.insert(.keepsEdges) }
    return block
  }

  /// Reads `cross_comp_pred()`: 7.3.8.12.
  private mutating func crossComponentScale(_ index: Int, _ data: Span<UInt8>) -> Int {
    var magnitude = 0
    while magnitude < 4, bin(Context.resScaleAbs + 4 * index + magnitude, data) != 0 {
      magnitude += 1
    }
    guard magnitude > 0 else { return 0 }
    usage.crossComponent += 1
    let scale = 1 << (magnitude - 1)
    return bin(Context.resScaleSign + index, data) != 0 ? -scale : scale
  }
}
