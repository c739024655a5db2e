// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Predicts a square block from the samples around it: ITU-T H.265, 8.4.4.2.4 to 8.4.4.2.6.
@unsafe struct IntraPrediction<Sample: FixedWidthInteger & UnsignedInteger> {
  let references: ReferenceSamples<Sample>
  /// Scratch memory for a block that is predicted transposed.
  private let turned: UnsafeMutablePointer<Sample>
  private let most: Int
  /// Whether wide kernels are used; see `Vector.wide`.
  private let wide: Int32
  typealias Sides = ReferenceSamples<Sample>.Sides

  init(bitDepth: Int, wide: Int32 = Vector.wide) {
    unsafe references = unsafe ReferenceSamples()
    unsafe turned = .allocate(capacity: 32 * 32 + 32)
    unsafe turned.initialize(repeating: 0, count: 32 * 32 + 32)
    unsafe most = (1 << bitDepth) - 1
    unsafe self.wide = wide
  }

  func deallocate() {
    unsafe turned.deallocate()
    unsafe references.deallocate()
  }

  /// - Parameter edges: whether the first row or column is smoothed towards its neighbours.
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

  /// Predicts a block. It is inlined with a constant size, so that loops have known lengths.
  @inline(__always)
  private func run(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ log2: Int, _ mode: Int, _ sides: Sides,
    _ edges: Bool, _ flatEdges: Bool
  ) {
    let side = 1 &<< log2
    let size = Int32(truncatingIfNeeded: log2)
    let (left, above) = unsafe (sides.left, sides.above)
    switch mode {
    case 0:
      if Sample.self == UInt8.self {
        if unsafe log2 > 2
          && apus_planar_8(wide, bytes(to), stride, bytes(left), bytes(above), size) != 0
        {
          return
        }
        unsafe planar(to, stride, log2, left, above, UInt16.self)
      } else if unsafe most < 1024 {
        unsafe apus_predict_planar(wide, numbers(to), stride, numbers(left), numbers(above), size)
      } else {
        unsafe planar(to, stride, log2, left, above, UInt32.self)
      }
    case 1: unsafe flat(to, stride, log2, left, above, edges: flatEdges)
    case 18...:
      unsafe angular(to, stride, log2, mode, main: above, other: left, isTurned: false)
      guard mode == 26, edges else { return }
      for row in 0..<side {
        unsafe to[row &* stride] = unsafe clipped(
          Int(above[0]) &+ (Int(left[row]) &- Int(left[-1])) >> 1)
      }
    default:
      unsafe angular(to, stride, log2, mode, main: left, other: above, isTurned: true)
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

  /// - Parameter wide: a type that can hold the sum of 64 samples.
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

  /// Predicts row by row along the main reference; for modes below 18, rows are columns.
  @inline(__always)
  private func angular(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ log2: Int, _ mode: Int,
    main: UnsafeMutablePointer<Sample>, other: UnsafeMutablePointer<Sample>, isTurned: Bool
  ) {
    let side = 1 &<< log2
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
    if Sample.self == UInt8.self, log2 > 2 {
      let (size, angle) = (Int32(truncatingIfNeeded: log2), Int32(truncatingIfNeeded: angle))
      let isDone =
        unsafe isTurned
        ? apus_turned_angle_8(wide, bytes(to), stride, bytes(reference), angle, size)
        : apus_angle_8(wide, bytes(to), stride, bytes(reference), angle, size)
      guard isDone == 0 else { return }
    }
    var line = unsafe isTurned ? turned : to
    // 32 times a sample of 10 bits, and a difference of two of them, fit into 16 signed bits.
    if unsafe Sample.self == UInt16.self && log2 > 2 && most < 1024 {
      unsafe apus_predict_angle(
        wide, numbers(line), isTurned ? side : stride, numbers(reference),
        Int32(truncatingIfNeeded: angle), Int32(truncatingIfNeeded: log2))
      if isTurned { unsafe transpose(to, stride, side) }
      return
    }
    for row in 0..<side {
      let distance = (row &+ 1) &* angle
      let (whole, part) = (distance >> 5, distance & 31)
      let from = unsafe reference + (whole &+ 1)
      if part == 0 {
        unsafe Vector.copy(from, line, side)
      } else {
        unsafe blend(from, line, side, part)
      }
      unsafe line += isTurned ? side : stride
    }
    if isTurned { unsafe transpose(to, stride, side) }
  }

  /// Returns samples of 8 bits.
  @inline(__always)
  private func bytes(_ samples: UnsafeMutablePointer<Sample>) -> UnsafeMutablePointer<UInt8> {
    unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt8.self)
  }

  /// Returns samples of more than 8 bits.
  @inline(__always)
  private func numbers(_ samples: UnsafeMutablePointer<Sample>) -> UnsafeMutablePointer<UInt16> {
    unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt16.self)
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
    guard side > 4 else {
      for row in 0..<side {
        let line = unsafe to + row &* stride
        for column in 0..<side { unsafe line[column] = turned[column &* side &+ row] }
      }
      return
    }
    var row = 0
    while row < side {
      var column = 0
      while column < side {
        let (target, source) = unsafe (
          to + (row &* stride &+ column), turned + (column &* side &+ row)
        )
        if Sample.self == UInt8.self {
          unsafe apus_transpose_8(bytes(target), stride, bytes(source), side)
        } else {
          unsafe apus_transpose_16(numbers(target), stride, numbers(source), side)
        }
        column &+= 8
      }
      row &+= 8
    }
  }
}
