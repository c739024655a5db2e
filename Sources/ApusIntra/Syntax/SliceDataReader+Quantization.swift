// SPDX-License-Identifier: MIT

internal import HEVC

/// Quantization parameters: ITU-T H.265, 7.3.8.14 and 8.6.1.
extension SliceDataReader {
  /// Reads `delta_qp()` and `chroma_qp_offset()`, which precede the first coefficients of their groups.
  mutating func quantizationChanges(hasChroma: Bool, _ data: Span<UInt8>) {
    if parameters.hasQPDelta, !isQPDeltaCoded {
      usage.qpDelta &+= 1
      var magnitude = 0
      while magnitude < 5, bin(Context.cuQPDelta &+ (magnitude > 0 ? 1 : 0), data) != 0 {
        magnitude &+= 1
      }
      if magnitude == 5 {
        var order = 0
        while order < 16, bypass(data) != 0 {
          magnitude &+= 1 &<< order
          order &+= 1
        }
        if order > 0 { magnitude &+= bypass(order, data) }
      }
      qpDelta = magnitude != 0 && bypass(data) != 0 ? -magnitude : magnitude
      let most = 26 &+ parameters.qpOffset / 2
      if !(-most..<most).contains(qpDelta) {
        damage = "has a CuQpDeltaVal beyond its range"
        qpDelta = 0
      }
      isQPDeltaCoded = true
      predictQP()
    }
    guard slice.hasChromaQPOffsets, hasChroma, !isBypass, !isChromaQPOffsetCoded else { return }
    isChromaQPOffsetCoded = true
    guard bin(Context.chromaQPOffsetFlag, data) != 0 else {
      (cuCbQPOffset, cuCrQPOffset) = (0, 0)
      return
    }
    usage.chromaQPOffset &+= 1
    var index = 0
    while index < parameters.chromaQPOffsets.count &- 1,
      bin(Context.chromaQPOffsetIndex, data) != 0
    {
      index &+= 1
    }
    let offset = parameters.chromaQPOffsets[index]
    (cuCbQPOffset, cuCrQPOffset) = (Int(offset.cb), Int(offset.cr))
  }

  /// Computes `QpY` from the blocks to the left and above, if they are in the same coding tree block, and the delta.
  mutating func predictQP() {
    guard parameters.hasQPDelta else { return }
    let mask = (1 &<< parameters.ctbLog2) &- 1
    let unit = (groupY &>> 3) &* maps.stride &+ groupX &>> 3
    let left = groupX & mask != 0 ? Int(maps.qps[unit &- 1]) : previousQP
    let above = groupY & mask != 0 ? Int(maps.qps[unit &- maps.stride]) : previousQP
    let offset = parameters.qpOffset
    let predicted = (left &+ above &+ 1) &>> 1
    qp =
      qpDelta == 0
      ? predicted : (predicted &+ qpDelta &+ 52 &+ 2 &* offset) % (52 &+ offset) &- offset
  }

  /// Updates the scaled quantizers from `QpY` and the offsets for chroma.
  mutating func scaleQPs() {
    let offset = parameters.qpOffset
    scaledQPs[0] = qp &+ offset
    for component in 1...2 {
      let more =
        component == 1 ? slice.cbQPOffset &+ cuCbQPOffset : slice.crQPOffset &+ cuCrQPOffset
      let index = min(max(qp &+ more, -offset), 57)
      scaledQPs[component] =
        (parameters.chroma == 1 ? ChromaQP.value(index) : min(index, 51)) &+ offset
    }
  }
}

/// The table of `QpC` as a function of `qPi` for 4:2:0: ITU-T H.265, Table 8-10.
enum ChromaQP {
  @inline(__always)
  static func value(_ index: Int) -> Int {
    if index < 30 { return index }
    if index >= 43 { return index - 6 }
    let middle: InlineArray<13, UInt8> = [29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37]
    return Int(middle[index - 30])
  }
}
