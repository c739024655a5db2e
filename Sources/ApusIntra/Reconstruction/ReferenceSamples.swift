// SPDX-License-Identifier: MIT

/// The samples around a block from which it is predicted: ITU-T H.265, 8.4.4.2.2 and 8.4.4.2.3.
///
/// Each side has room before it for the corner, and after it for accesses to whole vectors.
@unsafe struct ReferenceSamples<Sample: FixedWidthInteger & UnsignedInteger> {
  /// The samples on the left, from top to bottom, and above, from left to right, each twice as long as the block; index
  /// -1 is the corner in both.
  @unsafe struct Sides {
    let left: UnsafeMutablePointer<Sample>
    let above: UnsafeMutablePointer<Sample>
  }

  let plain: Sides
  let smooth: Sides
  /// The samples of a main reference that is extended beyond the corner: `ref[-32]` to `ref[32]`.
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

  /// The available neighbours: a bit for each unit of a number of samples.
  struct Neighbours {
    var left: UInt32 = 0
    var above: UInt32 = 0
    var hasCorner = false
    var leftUnits = 0
    var aboveUnits = 0
    var leftUnit = 0
    var aboveUnit = 0
  }

  /// Copies the neighbours of a block into `plain`, and substitutes those that are not available.
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
    // Some are missing before available ones, because a slice begins among them.
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

  /// Gathers the first samples of both sides, and repeats the last available one: 8.4.4.2.2.
  ///
  /// There are no branches that depend on availability, because they would be unpredictable: more samples are read, for
  /// which the margin of a plane is large enough, and the unavailable ones are overwritten.
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
      // As many as would be needed if none were available: samples after the last one are never read.
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

  /// Gathers the available samples, from the lowest left one up to the corner and on to the right: 8.4.4.2.2.
  ///
  /// - Parameter height: the height of a unit on the left, and `width` that of one above: inlined, so that loops have
  ///   known lengths.
  @inline(__always)
  private func gatherSome(
    _ column: UnsafeMutablePointer<Sample>, _ row: UnsafeMutablePointer<Sample>, _ stride: Int,
    _ neighbours: Neighbours, _ height: Int, _ width: Int
  ) {
    let (left, above) = unsafe (plain.left, plain.above)
    // The substitute for the first ones, up to the first available one.
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

  /// Filters neighbours, from `plain` into `smooth`: 8.4.4.2.3.
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

  /// Filters between the corners of a block of 32 × 32 luma samples, if it is nearly flat.
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
