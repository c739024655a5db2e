// SPDX-License-Identifier: MIT

/// The state of a picture during encoding: its reconstructed samples, before filters, and maps of the decisions.
@unsafe struct EncoderPicture {
  let width: Int
  let height: Int
  let hasChroma: Bool
  let planes: InlineArray<3, PlaneMemory<UInt16>>
  /// Whether samples are reconstructed, for each 4 × 4 samples of luma and of chroma: 1 if they are.
  let isLumaThere: UnitMap
  let isChromaThere: UnitMap
  /// The `IntraPredModeY` of each 4 × 4.
  let modes: UnitMap
  /// The `CtDepth` of each 8 × 8.
  let depths: UnitMap
  /// Whether the coding block is parted, for each 8 × 8.
  let parted: UnitMap
  /// The `intra_chroma_pred_mode` of each 8 × 8.
  let chromaModes: UnitMap
  /// The `QpY` of each 8 × 8, and the choice for each 32 × 32.
  let qps: UnitMap
  let chosenQPs: UnitMap

  init(width: Int, height: Int, hasChroma: Bool) {
    unsafe (self.width, self.height, self.hasChroma) = (width, height, hasChroma)
    let columns = (width + 63) >> 6
    let rows = (height + 63) >> 6
    let luma = unsafe PlaneMemory<UInt16>(columns: columns * 64, rows: rows * 64)
    let sides = hasChroma ? (columns * 32, rows * 32) : (0, 0)
    unsafe planes = [
      luma, PlaneMemory(columns: sides.0, rows: sides.1),
      PlaneMemory(columns: sides.0, rows: sides.1),
    ]
    unsafe isLumaThere = UnitMap(columns: columns * 16, rows: rows * 16)
    unsafe isChromaThere = UnitMap(columns: columns * 8, rows: rows * 8)
    unsafe modes = UnitMap(columns: columns * 16, rows: rows * 16)
    unsafe depths = UnitMap(columns: columns * 8, rows: rows * 8)
    unsafe parted = UnitMap(columns: columns * 8, rows: rows * 8)
    unsafe chromaModes = UnitMap(columns: columns * 8, rows: rows * 8)
    unsafe qps = UnitMap(columns: columns * 8, rows: rows * 8)
    unsafe chosenQPs = UnitMap(columns: columns * 2, rows: rows * 2)
  }

  func deallocate() {
    for index in 0..<3 { unsafe planes[index].deallocate() }
    unsafe isLumaThere.deallocate()
    unsafe isChromaThere.deallocate()
    unsafe modes.deallocate()
    unsafe depths.deallocate()
    unsafe parted.deallocate()
    unsafe chromaModes.deallocate()
    unsafe qps.deallocate()
    unsafe chosenQPs.deallocate()
  }

  func begin(qp: Int) {
    unsafe isLumaThere.clear(0)
    unsafe isChromaThere.clear(0)
    unsafe modes.clear(1)
    unsafe depths.clear(0)
    unsafe parted.clear(0)
    unsafe chromaModes.clear(4)
    unsafe qps.clear(UInt8(qp))
    unsafe chosenQPs.clear(UInt8(qp))
  }

  /// Returns the available samples around a block, in units of 4.
  @inline(__always)
  func neighbours(_ map: UnitMap, _ x: Int, _ y: Int, _ log2: Int)
    -> ReferenceSamples<UInt16>.Neighbours
  {
    var neighbours = ReferenceSamples<UInt16>.Neighbours()
    let units = 2 &<< (log2 &- 2)
    (neighbours.leftUnit, neighbours.aboveUnit) = (4, 4)
    (neighbours.leftUnits, neighbours.aboveUnits) = (units, units)
    let place = unsafe map[x &>> 2, y &>> 2]
    neighbours.hasCorner = unsafe (place - (map.stride &+ 1)).pointee != 0
    let above = unsafe place - map.stride
    var left = unsafe place - 1
    for unit in 0..<units {
      unsafe neighbours.above |= UInt32(above[unit]) &<< UInt32(truncatingIfNeeded: unit)
      unsafe neighbours.left |= UInt32(left.pointee) &<< UInt32(truncatingIfNeeded: unit)
      unsafe left += map.stride
    }
    return neighbours
  }

  /// Returns `candModeList`: 8.4.2.
  @inline(__always)
  func likelyModes(_ x: Int, _ y: Int) -> (Int, Int, Int) {
    let place = unsafe modes[x &>> 2, y &>> 2]
    let left = unsafe Int((place - 1).pointee)
    // Modes of the row of coding tree blocks above are not used.
    let above = unsafe y & 63 != 0 ? Int((place - modes.stride).pointee) : 1
    guard left == above else {
      let third = left != 0 && above != 0 ? 0 : left != 1 && above != 1 ? 1 : 26
      return (left, above, third)
    }
    return left < 2 ? (0, 1, 26) : (left, 2 &+ (left &+ 29) & 31, 2 &+ (left &- 1) & 31)
  }

  /// Returns the context of `split_cu_flag`: the number of neighbours that are split further.
  @inline(__always)
  func splitContext(_ x: Int, _ y: Int, _ depth: Int) -> Int {
    let place = unsafe depths[x &>> 3, y &>> 3]
    return unsafe (Int((place - 1).pointee) > depth ? 1 : 0)
      &+ (Int((place - depths.stride).pointee) > depth ? 1 : 0)
  }
}
