// SPDX-License-Identifier: MIT

internal import CPixel

/// Predicts a square block from the samples around it: ITU-T H.265, 8.4.4.2.4 to 8.4.4.2.6.
@unsafe struct IntraPrediction<Sample: FixedWidthInteger & UnsignedInteger> {
  let references: ReferenceSamples<Sample>
  /// A block that is predicted lying on its side.
  private let turned: UnsafeMutablePointer<Sample>
  private let most: Int
  typealias Sides = ReferenceSamples<Sample>.Sides

  init(bitDepth: Int) {
    unsafe references = unsafe ReferenceSamples()
    unsafe turned = .allocate(capacity: 32 * 32 + 32)
    unsafe turned.initialize(repeating: 0, count: 32 * 32 + 32)
    unsafe most = (1 << bitDepth) - 1
  }

  func deallocate() {
    unsafe turned.deallocate()
    unsafe references.deallocate()
  }

  /// - Parameter edges: whether the first row or column is made to fit its neighbours.
  func predict(
    _ to: UnsafeMutablePointer<Sample>, stride: Int, log2: Int, mode: Int, _ sides: Sides,
    edges: Bool, flatEdges: Bool
  ) {
    switch log2 {
    case 2: unsafe run(to, stride, 2, mode, sides, edges, flatEdges)
    case 3: unsafe run(to, stride, 3, mode, sides, edges, flatEdges)
    case 4: unsafe run(to, stride, 4, mode, sides, edges, flatEdges)
    default: unsafe run(to, stride, 5, mode, sides, edges, flatEdges)
    }
  }

  /// Inlined with a constant size, so that loops have known lengths.
  @inline(__always)
  private func run(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ log2: Int, _ mode: Int, _ sides: Sides,
    _ edges: Bool, _ flatEdges: Bool
  ) {
    let side = 1 &<< log2
    let (left, above) = unsafe (sides.left, sides.above)
    switch mode {
    case 0:
      if Sample.self == UInt8.self {
        unsafe planar(to, stride, log2, left, above, UInt16.self)
      } else {
        unsafe planar(to, stride, log2, left, above, UInt32.self)
      }
    case 1: unsafe flat(to, stride, log2, left, above, edges: flatEdges)
    case 18...:
      unsafe angular(to, stride, side, mode, main: above, other: left)
      guard mode == 26, edges else { return }
      for row in 0..<side {
        unsafe to[row &* stride] = unsafe clipped(
          Int(above[0]) &+ (Int(left[row]) &- Int(left[-1])) >> 1)
      }
    default:
      unsafe angular(turned, side, side, mode, main: left, other: above)
      unsafe transpose(to, stride, side)
      guard mode == 10, edges else { return }
      for column in 0..<side {
        unsafe to[column] = unsafe clipped(
          Int(left[0]) &+ (Int(above[column]) &- Int(above[-1])) >> 1)
      }
    }
  }

  @inline(__always)
  private func clipped(_ value: Int) -> Sample {
    unsafe Sample(truncatingIfNeeded: max(0, min(most, value)))
  }

  /// - Parameter wide: holds 64 samples, added.
  @inline(__always)
  private func planar<Wide: FixedWidthInteger & UnsignedInteger>(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ log2: Int,
    _ left: UnsafeMutablePointer<Sample>, _ above: UnsafeMutablePointer<Sample>,
    _ wide: Wide.Type
  ) {
    let side = 1 &<< log2
    let right = unsafe Wide(truncatingIfNeeded: above[side])
    let down = unsafe Wide(truncatingIfNeeded: left[side])
    let width = Wide(truncatingIfNeeded: side)
    for row in 0..<side {
      let y = Wide(truncatingIfNeeded: row)
      let start = unsafe Wide(truncatingIfNeeded: left[row])
      let base = (y &+ 1) &* down &+ width
      let line = unsafe to + row &* stride
      for column in 0..<side {
        let x = Wide(truncatingIfNeeded: column)
        let across = (width &- 1 &- x) &* start &+ (x &+ 1) &* right
        let along = unsafe (width &- 1 &- y) &* Wide(truncatingIfNeeded: above[column])
        unsafe line[column] = Sample(
          truncatingIfNeeded: (across &+ along &+ base) &>> Wide(truncatingIfNeeded: log2 &+ 1))
      }
    }
  }

  @inline(__always)
  private func flat(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ log2: Int,
    _ left: UnsafeMutablePointer<Sample>, _ above: UnsafeMutablePointer<Sample>, edges: Bool
  ) {
    let side = 1 &<< log2
    var sum = side
    for index in 0..<side { unsafe sum = sum &+ Int(left[index]) &+ Int(above[index]) }
    let mean = sum &>> (log2 &+ 1)
    let eight = SIMD8<UInt16>(repeating: UInt16(truncatingIfNeeded: mean))
    unsafe Vector.store(eight, turned)
    for row in 0..<side {
      let line = unsafe to + row &* stride
      if side == 4 {
        unsafe Vector.copy(turned, line, 4)
      } else {
        var column = 0
        while column < side {
          unsafe Vector.store(eight, line + column)
          column &+= 8
        }
      }
    }
    guard edges else { return }
    let corner = unsafe Int(left[0]) &+ 2 &* mean &+ Int(above[0]) &+ 2
    unsafe to[0] = Sample(truncatingIfNeeded: corner &>> 2)
    for index in 1..<side {
      unsafe to[index] = Sample(
        truncatingIfNeeded: (Int(above[index]) &+ 3 &* mean &+ 2) &>> 2)
      unsafe to[index &* stride] = Sample(
        truncatingIfNeeded: (Int(left[index]) &+ 3 &* mean &+ 2) &>> 2)
    }
  }

  // MARK: - Angles

  /// Predicts row by row along the main reference; for modes below 18 rows are columns.
  @inline(__always)
  private func angular(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ side: Int, _ mode: Int,
    main: UnsafeMutablePointer<Sample>, other: UnsafeMutablePointer<Sample>
  ) {
    let angle = Angles.angle(of: mode)
    var reference = unsafe main - 1
    if angle < 0 {
      let extended = unsafe references.extended
      var index = 0
      while index <= side {
        unsafe Vector.copy(main + (index &- 1), extended + index)
        index &+= 8
      }
      let last = (side &* angle) >> 5
      if last < -1 {
        let inverse = Angles.inverse(of: mode)
        for index in last...(-1) {
          unsafe extended[index] = other[-1 &+ (index &* inverse &+ 128) >> 8]
        }
      }
      unsafe reference = extended
    }
    for row in 0..<side {
      let distance = (row &+ 1) &* angle
      let (whole, part) = (distance >> 5, distance & 31)
      let from = unsafe reference + (whole &+ 1)
      let line = unsafe to + row &* stride
      if part == 0 {
        unsafe Vector.copy(from, line, side)
      } else {
        unsafe blend(from, line, side, part)
      }
    }
  }

  /// Interpolates between each sample and the next, in 32nds.
  @inline(__always)
  private func blend(
    _ from: UnsafeMutablePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, _ side: Int,
    _ part: Int
  ) {
    let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
    if Sample.self == UInt8.self, side == 4 {
      let (near, far) = (UInt16(truncatingIfNeeded: 32 &- part), UInt16(truncatingIfNeeded: part))
      let a = unsafe SIMD4<UInt16>(
        truncatingIfNeeded: source.loadUnaligned(as: SIMD4<UInt8>.self))
      let b = unsafe SIMD4<UInt16>(
        truncatingIfNeeded: (source + 1).loadUnaligned(as: SIMD4<UInt8>.self))
      let mixed = (a &* near &+ b &* far &+ 16) &>> 5
      unsafe target.storeBytes(
        of: SIMD4<UInt8>(truncatingIfNeeded: mixed), as: SIMD4<UInt8>.self)
      return
    }
    // 32 times a sample of 11 bits fits into 16.
    if unsafe side > 4 && most < 2048 {
      let (near, far) = (UInt16(truncatingIfNeeded: 32 &- part), UInt16(truncatingIfNeeded: part))
      var column = 0
      while column < side {
        let a = unsafe Vector.load(from + column)
        let b = unsafe Vector.load(from + (column &+ 1))
        unsafe Vector.store((a &* near &+ b &* far &+ 16) &>> 5, to + column)
        column &+= 8
      }
      return
    }
    let (near, far) = (UInt32(truncatingIfNeeded: 32 &- part), UInt32(truncatingIfNeeded: part))
    var column = 0
    while column < side {
      let a = unsafe SIMD4<UInt32>(
        truncatingIfNeeded: (source + 2 &* column).loadUnaligned(as: SIMD4<UInt16>.self))
      let b = unsafe SIMD4<UInt32>(
        truncatingIfNeeded: (source + 2 &* (column &+ 1)).loadUnaligned(as: SIMD4<UInt16>.self))
      let mixed = (a &* near &+ b &* far &+ 16) &>> 5
      unsafe (target + 2 &* column).storeBytes(
        of: SIMD4<UInt16>(truncatingIfNeeded: mixed), as: SIMD4<UInt16>.self)
      column &+= 4
    }
  }

  @inline(__always)
  private func transpose(_ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ side: Int) {
    guard Sample.self == UInt8.self, side > 4 else {
      for row in 0..<side {
        let line = unsafe to + row &* stride
        for column in 0..<side { unsafe line[column] = turned[column &* side &+ row] }
      }
      return
    }
    let source = unsafe UnsafeMutableRawPointer(turned).assumingMemoryBound(to: UInt8.self)
    let target = unsafe UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt8.self)
    var row = 0
    while row < side {
      var column = 0
      while column < side {
        unsafe apus_transpose_8(
          target + (row &* stride &+ column), stride, source + (column &* side &+ row), side)
        column &+= 8
      }
      row &+= 8
    }
  }
}

/// `intraPredAngle` and `invAngle`: ITU-T H.265, Tables 8-5 and 8-6.
enum Angles {
  @inline(__always)
  static func angle(of mode: Int) -> Int {
    let angles: InlineArray<64, Int8> = [
      0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26,
      -32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    return Int(angles[mode & 63])
  }

  /// Returns `invAngle` of modes 11 to 25.
  @inline(__always)
  static func inverse(of mode: Int) -> Int {
    let inverses: InlineArray<16, Int16> = [
      -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
      0,
    ]
    return Int(inverses[(mode &- 11) & 15])
  }
}
