// SPDX-License-Identifier: MIT

/// The samples around a block that its prediction is made of: ITU-T H.265, 8.4.4.2.2 and 8.4.4.2.3.
///
/// Each side has room before it for the corner and after it for reads and writes of whole vectors.
@unsafe struct ReferenceSamples<Sample: FixedWidthInteger & UnsignedInteger> {
  /// `left` runs down and `above` to the right, twice as far as the block is long; at -1 both hold the corner.
  @unsafe struct Sides {
    let left: UnsafeMutablePointer<Sample>
    let above: UnsafeMutablePointer<Sample>
  }

  let plain: Sides
  let smooth: Sides
  /// The samples of a main reference that goes on after the corner: `ref[-32]` to `ref[32]`.
  let extended: UnsafeMutablePointer<Sample>
  private let memory: UnsafeMutablePointer<Sample>

  private static var room: Int { 128 }

  init() {
    unsafe memory = .allocate(capacity: 5 * Self.room)
    unsafe memory.initialize(repeating: 0, count: 5 * Self.room)
    unsafe plain = Sides(left: memory + 40, above: memory + Self.room + 40)
    unsafe smooth = Sides(
      left: memory + 2 * Self.room + 40, above: memory + 3 * Self.room + 40)
    unsafe extended = memory + 4 * Self.room + 40
  }

  func deallocate() { unsafe memory.deallocate() }

  /// Which neighbours are there, in units of so many samples: a bit for each.
  struct Neighbours {
    var left: UInt32 = 0
    var above: UInt32 = 0
    var hasCorner = false
    var leftUnits = 0
    var aboveUnits = 0
    var leftUnit = 0
    var aboveUnit = 0
  }

  /// Takes the neighbours of a block into `plain`, and puts others in the place of those that are not there.
  @inline(__always)
  func gather(
    _ block: UnsafeMutablePointer<Sample>, stride: Int, side: Int, _ neighbours: Neighbours,
    bitDepth: Int
  ) {
    if neighbours.left == 0, neighbours.above == 0, !neighbours.hasCorner {
      let middle = Sample(truncatingIfNeeded: 1 &<< (bitDepth &- 1))
      unsafe (plain.left - 1).update(repeating: middle, count: 2 &* side &+ 1)
      unsafe (plain.above - 1).update(repeating: middle, count: 2 &* side &+ 1)
      return
    }
    let column = unsafe block - 1
    let row = unsafe block - stride
    // Where some are missing before others that are there, because a slice begins among them.
    let gaps =
      neighbours.left & (neighbours.left &+ 1) | neighbours.above & (neighbours.above &+ 1)
    if gaps != 0 {
      switch (neighbours.leftUnit, neighbours.aboveUnit) {
      case (4, 4): unsafe gatherSome(column, row, stride, neighbours, 4, 4)
      case (2, 2): unsafe gatherSome(column, row, stride, neighbours, 2, 2)
      default: unsafe gatherSome(column, row, stride, neighbours, 4, 2)
      }
      return
    }
    unsafe gatherFirst(
      column, row, stride, side,
      leftCount: (~neighbours.left).trailingZeroBitCount &* neighbours.leftUnit,
      aboveCount: (~neighbours.above).trailingZeroBitCount &* neighbours.aboveUnit,
      hasCorner: neighbours.hasCorner)
  }

  /// Gathers the first samples of both sides, and repeats the last that is there: 8.4.4.2.2.
  ///
  /// There are no branches that depend on which are there, for none could be foreseen: more is read, of which the
  /// margin of a plane has enough, and what should not be there is written over.
  @inline(__always)
  private func gatherFirst(
    _ column: UnsafeMutablePointer<Sample>, _ row: UnsafeMutablePointer<Sample>, _ stride: Int,
    _ side: Int, leftCount: Int, aboveCount: Int, hasCorner: Bool
  ) {
    let (left, above) = unsafe (plain.left, plain.above)
    let length = 2 &* side
    let corner = unsafe (hasCorner ? row - 1 : leftCount > 0 ? column : row).pointee
    let lowest = unsafe leftCount > 0 ? column + (leftCount &- 1) &* stride : above - 1
    unsafe left[-1] = corner
    unsafe above[-1] = corner
    let farthest = unsafe aboveCount > 0 ? row + (aboveCount &- 1) : above - 1
    var from = unsafe column
    for index in 0..<(side > 8 ? leftCount : length) {
      unsafe left[index] = from.pointee
      unsafe from += stride
    }
    var index = 0
    while index < length {
      unsafe Vector.copy(row + index, above + index)
      index &+= 8
    }
    let (below, beyond) = unsafe (
      SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: lowest.pointee)),
      SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: farthest.pointee))
    )
    if side <= 8 {
      // As many as are needed where none are there: what lies after the last one is never looked at.
      for step in 0..<length &>> 3 {
        unsafe Vector.store(below, left + (leftCount &+ 8 &* step))
        unsafe Vector.store(beyond, above + (aboveCount &+ 8 &* step))
      }
      return
    }
    index = leftCount
    while index < length {
      unsafe Vector.store(below, left + index)
      index &+= 8
    }
    index = aboveCount
    while index < length {
      unsafe Vector.store(beyond, above + index)
      index &+= 8
    }
  }

  /// Gathers the samples that are there, from the lowest left one up to the corner and on to the right: 8.4.4.2.2.
  ///
  /// - Parameter height: of a unit on the left, `width` of one above: inlined, so that loops have known lengths.
  @inline(__always)
  private func gatherSome(
    _ column: UnsafeMutablePointer<Sample>, _ row: UnsafeMutablePointer<Sample>, _ stride: Int,
    _ neighbours: Neighbours, _ height: Int, _ width: Int
  ) {
    let (left, above) = unsafe (plain.left, plain.above)
    // What stands in for the first ones, up to the first that is there.
    var last: Sample
    if neighbours.left != 0 {
      let unit = 31 &- neighbours.left.leadingZeroBitCount
      last = unsafe column[(unit &* height &+ height &- 1) &* stride]
    } else {
      let unit = neighbours.above.trailingZeroBitCount
      last = unsafe neighbours.hasCorner ? row[-1] : row[unit &* width]
    }
    var unit = neighbours.leftUnits &- 1
    while unit >= 0 {
      let start = unit &* height
      if neighbours.left &>> UInt32(truncatingIfNeeded: unit) & 1 != 0 {
        for index in start..<start &+ height { unsafe left[index] = column[index &* stride] }
        last = unsafe left[start]
      } else {
        for index in start..<start &+ height { unsafe left[index] = last }
      }
      unit &-= 1
    }
    if neighbours.hasCorner { last = unsafe row[-1] }
    unsafe left[-1] = last
    unsafe above[-1] = last
    unit = 0
    while unit < neighbours.aboveUnits {
      let start = unit &* width
      if neighbours.above &>> UInt32(truncatingIfNeeded: unit) & 1 != 0 {
        for index in start..<start &+ width { unsafe above[index] = row[index] }
        last = unsafe above[start &+ width &- 1]
      } else {
        for index in start..<start &+ width { unsafe above[index] = last }
      }
      unit &+= 1
    }
  }

  // MARK: - Smoothing

  /// The filtering of neighbours, from `plain` into `smooth`: 8.4.4.2.3.
  @inline(__always)
  func smooth(side: Int) {
    let last = 2 &* side &- 1
    let both = unsafe Int(plain.left[0]) &+ 2 &* Int(plain.left[-1]) &+ Int(plain.above[0]) &+ 2
    unsafe Self.smooth(plain.left, smooth.left, last)
    unsafe Self.smooth(plain.above, smooth.above, last)
    unsafe smooth.left[-1] = Sample(truncatingIfNeeded: both &>> 2)
    unsafe smooth.above[-1] = smooth.left[-1]
  }

  @inline(__always)
  private static func smooth(
    _ from: UnsafeMutablePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, _ last: Int
  ) {
    var index = 0
    while index < last {
      let before = unsafe Vector.load(from + (index &- 1))
      let middle = unsafe Vector.load(from + index)
      let behind = unsafe Vector.load(from + (index &+ 1))
      unsafe Vector.store((before &+ behind &+ 2 &* middle &+ 2) &>> 2, to + index)
      index &+= 8
    }
    unsafe to[last] = from[last]
  }

  /// The filter between the corners of a block of 32 × 32 luma samples that is nearly flat.
  ///
  /// - Returns: whether it applies.
  func smoothStrongly(bitDepth: Int) -> Bool {
    let (left, above) = unsafe (plain.left, plain.above)
    let corner = unsafe Int(left[-1])
    let (down, right) = unsafe (Int(left[63]), Int(above[63]))
    let (middleDown, middleRight) = unsafe (Int(left[31]), Int(above[31]))
    let limit = 1 &<< (bitDepth &- 5)
    guard abs(corner &+ right &- 2 &* middleRight) < limit,
      abs(corner &+ down &- 2 &* middleDown) < limit
    else { return false }
    for index in 0..<63 {
      let (far, near) = (index &+ 1, 63 &- index)
      unsafe smooth.left[index] = Sample(
        truncatingIfNeeded: (near &* corner &+ far &* down &+ 32) >> 6)
      unsafe smooth.above[index] = Sample(
        truncatingIfNeeded: (near &* corner &+ far &* right &+ 32) >> 6)
    }
    unsafe smooth.left[63] = left[63]
    unsafe smooth.above[63] = above[63]
    unsafe smooth.left[-1] = left[-1]
    unsafe smooth.above[-1] = left[-1]
    return true
  }
}
