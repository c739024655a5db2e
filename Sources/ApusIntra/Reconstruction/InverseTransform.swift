// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The transform from coefficients to residuals: ITU-T H.265, 8.6.4.
///
/// Invariant: `coefficients` is all zeros between calls, because each caller clears what it wrote.
@unsafe struct InverseTransform {
  private let memory: UnsafeMutablePointer<Int16>
  /// The coefficients and the residual, 32 × 32 each, in rows of the length of the block.
  let coefficients: UnsafeMutablePointer<Int16>
  let residual: UnsafeMutablePointer<Int16>
  private let between: UnsafeMutablePointer<Int16>
  private let pairs: UnsafeMutablePointer<Int16>
  /// The value `20 - bitDepth`.
  private let shift: Int32
  /// Whether wide kernels are used; see `Vector.wide`.
  private let wide: Int32

  init(bitDepth: Int, wide: Int32 = Vector.wide) {
    let matrix = TransformMatrix.pairs()
    unsafe memory = .allocate(capacity: 3 * 1024 + matrix.count)
    unsafe memory.initialize(repeating: 0, count: 3 * 1024 + matrix.count)
    unsafe coefficients = memory
    unsafe residual = memory + 1024
    unsafe between = memory + 2048
    unsafe pairs = memory + 3072
    for index in matrix.indices { unsafe pairs[index] = matrix[index] }
    unsafe shift = Int32(20 - bitDepth)
    unsafe self.wide = wide
  }

  func deallocate() { unsafe memory.deallocate() }

  /// Writes the residual of a block with only the first coefficient: `count` equal differences.
  func flat(_ log2: Int, _ coefficient: Int16, _ count: Int) {
    let first = (64 &* Int32(coefficient) &+ 64) >> 7
    let value = unsafe (64 &* first &+ 1 &<< (shift &- 1)) &>> shift
    unsafe residual.update(
      repeating: Int16(truncatingIfNeeded: value), count: count)
  }

  /// Clears a number of rows of coefficients.
  @inline(__always)
  func clear(_ log2: Int, rows: Int) {
    // A loop over only the written coefficients would have an unpredictable length.
    let zeros = SIMD8<Int16>.zero
    var at = unsafe coefficients
    if log2 == 2 {
      unsafe Self.store(zeros, at)
      unsafe Self.store(zeros, at + 8)
      return
    }
    let end = unsafe at + rows &<< log2
    while unsafe at < end {
      unsafe Self.store(zeros, at)
      unsafe Self.store(zeros, at + 8)
      unsafe Self.store(zeros, at + 16)
      unsafe Self.store(zeros, at + 24)
      unsafe at += 32
    }
  }

  /// - Parameters:
  ///   - columns: the number of columns that may contain non-zero coefficients, a multiple of 4; likewise `rows`.
  ///   - isSine: whether to use the transform of luma blocks of 4 × 4.
  func transform(_ log2: Int, columns: Int, rows: Int, isSine: Bool) {
    if log2 == 2 {
      let matrix = unsafe pairs + (isSine ? 16 : 0)
      guard unsafe apus_inverse_small(wide, residual, coefficients, matrix, shift) == 0
      else { return }
      unsafe small(coefficients, between, matrix, 7)
      unsafe small(between, residual, matrix, shift)
      return
    }
    guard
      unsafe apus_inverse(
        wide, residual, coefficients, pairs + log2 &* 512, Int32(truncatingIfNeeded: log2),
        Int32(truncatingIfNeeded: columns), Int32(truncatingIfNeeded: rows), shift) == 0
    else { return }
    switch log2 {
    case 3:
      unsafe pass(coefficients, between, 3, rows, columns, 7)
      unsafe pass(between, residual, 3, columns, 8, shift)
    case 4:
      unsafe pass(coefficients, between, 4, rows, columns, 7)
      unsafe pass(between, residual, 4, columns, 16, shift)
    default:
      unsafe pass(coefficients, between, 5, rows, columns, 7)
      unsafe pass(between, residual, 5, columns, 32, shift)
    }
  }

  /// Transforms columns into rows; two passes restore the orientation.
  ///
  /// - Parameters:
  ///   - count: the number of rows that may contain non-zero values.
  ///   - columns: the number of columns to transform.
  @inline(__always)
  private func pass(
    _ input: UnsafeMutablePointer<Int16>, _ output: UnsafeMutablePointer<Int16>, _ log2: Int,
    _ count: Int, _ columns: Int, _ shift: Int32
  ) {
    typealias Sums = SIMD4<Int32>
    let rounding = Sums(repeating: 1 &<< (shift &- 1))
    let shifts = Sums(repeating: shift)
    let pairs = unsafe self.pairs + log2 &* 512
    var column = 0
    while column < columns {
      var (even0, even1, even2, even3) = (rounding, rounding, rounding, rounding)
      var (odd0, odd1, odd2, odd3) = (Sums.zero, Sums.zero, Sums.zero, Sums.zero)
      var row = 0
      while row < count {
        let at = unsafe input + (row &<< log2 &+ column)
        let side = 1 &<< log2
        let even = unsafe Self.pair(at[0], at[2 &* side])
        let odd = unsafe Self.pair(at[side], at[3 &* side])
        let factors = unsafe pairs + (row &>> 2) &* 64
        even0 = unsafe even0 &+ apus_multiply_add(even, Self.load(factors))
        odd0 = unsafe odd0 &+ apus_multiply_add(odd, Self.load(factors + 32))
        if log2 > 3 {
          even1 = unsafe even1 &+ apus_multiply_add(even, Self.load(factors + 8))
          odd1 = unsafe odd1 &+ apus_multiply_add(odd, Self.load(factors + 40))
        }
        if log2 > 4 {
          even2 = unsafe even2 &+ apus_multiply_add(even, Self.load(factors + 16))
          even3 = unsafe even3 &+ apus_multiply_add(even, Self.load(factors + 24))
          odd2 = unsafe odd2 &+ apus_multiply_add(odd, Self.load(factors + 48))
          odd3 = unsafe odd3 &+ apus_multiply_add(odd, Self.load(factors + 56))
        }
        row &+= 4
      }
      let to = unsafe output + column &<< log2
      let first = apus_narrow((even0 &+ odd0) &>> shifts, (even1 &+ odd1) &>> shifts)
      let last = apus_narrow((even0 &- odd0) &>> shifts, (even1 &- odd1) &>> shifts)
      switch log2 {
      case 3:
        let mirrored = unsafe Self.reversed(last)
        unsafe Self.store(
          SIMD8(lowHalf: first.lowHalf, highHalf: mirrored.highHalf), to)
      case 4:
        unsafe Self.store(first, to)
        unsafe Self.store(Self.reversed(last), to + 8)
      default:
        let second = apus_narrow((even2 &+ odd2) &>> shifts, (even3 &+ odd3) &>> shifts)
        let third = apus_narrow((even2 &- odd2) &>> shifts, (even3 &- odd3) &>> shifts)
        unsafe Self.store(first, to)
        unsafe Self.store(second, to + 8)
        unsafe Self.store(Self.reversed(third), to + 16)
        unsafe Self.store(Self.reversed(last), to + 24)
      }
      column &+= 1
    }
  }

  @inline(__always)
  private static func load(_ from: UnsafeMutablePointer<Int16>) -> SIMD8<Int16> {
    unsafe UnsafeRawPointer(from).loadUnaligned(as: SIMD8<Int16>.self)
  }

  @inline(__always)
  private static func store(_ vector: SIMD8<Int16>, _ to: UnsafeMutablePointer<Int16>) {
    unsafe UnsafeMutableRawPointer(to).storeBytes(of: vector, as: SIMD8<Int16>.self)
  }

  @inline(__always)
  private static func pair(_ first: Int16, _ second: Int16) -> SIMD8<Int16> {
    let both =
      UInt32(UInt16(bitPattern: first)) | UInt32(UInt16(bitPattern: second)) &<< 16
    return unsafe unsafeBitCast(SIMD4<UInt32>(repeating: both), to: SIMD8<Int16>.self)
  }

  @inline(__always)
  private static func reversed(_ vector: SIMD8<Int16>) -> SIMD8<Int16> {
    SIMD8(
      vector[7], vector[6], vector[5], vector[4], vector[3], vector[2], vector[1], vector[0])
  }

  // MARK: - Blocks of 4 × 4

  @inline(__always)
  private func small(
    _ input: UnsafeMutablePointer<Int16>, _ output: UnsafeMutablePointer<Int16>,
    _ matrix: UnsafeMutablePointer<Int16>, _ shift: Int32
  ) {
    let (first, last) = unsafe (Self.load(matrix), Self.load(matrix + 8))
    let rounding = SIMD4<Int32>(repeating: 1 &<< (shift &- 1))
    let shifts = SIMD4<Int32>(repeating: shift)
    var column = 0
    while column < 4 {
      let at = unsafe input + column
      let one = unsafe apus_multiply_add(Self.pair(at[0], at[4]), first)
      let other = unsafe apus_multiply_add(Self.pair(at[8], at[12]), last)
      let two = unsafe apus_multiply_add(Self.pair(at[1], at[5]), first)
      let another = unsafe apus_multiply_add(Self.pair(at[9], at[13]), last)
      let both = apus_narrow(
        (one &+ other &+ rounding) &>> shifts, (two &+ another &+ rounding) &>> shifts)
      unsafe Self.store(both, output + column &* 4)
      column &+= 2
    }
  }
}
