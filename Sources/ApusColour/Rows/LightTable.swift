// SPDX-License-Identifier: MIT

internal import CApusPixel

/// A function of 0…1 as evenly spaced values.
struct LightTable: Sendable {
  /// The value at the beginning of each step, and its increase until the end; one more than steps, because the end of
  /// the last step is looked up as the beginning of another.
  private let values: [SIMD2<Float>]
  private let steps: Float

  init(count: Int, _ function: (Double) -> Double) {
    let values = (0...count).map { step -> Float in
      let value = Float(function(Double(step) / Double(count)))
      return value.isFinite ? value : 0
    }
    self.values = values.indices.map { step in
      SIMD2(values[step], values[min(step + 1, count)] - values[step])
    }
    steps = Float(count)
  }

  /// Replaces arguments by values; those outside 0…1 are clamped.
  ///
  /// Eight or four are processed at a time; only the loads from the table are done one by one.
  @unsafe func look(up row: RowKernels.Row, count: Int) {
    unsafe values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      let table = unsafe UnsafeRawPointer(values).assumingMemoryBound(to: Float.self)
      let start = unsafe apus_look_up(LightKernels.wide, row, count, table, steps)
      let whole = count & ~3
      for x in stride(from: start, to: whole, by: 4) {
        let place = unsafe UnsafeMutableRawPointer(row + x)
        let arguments = unsafe place.loadUnaligned(as: SIMD4<Float>.self)
        unsafe place.storeBytes(of: look(up: arguments, values), as: SIMD4<Float>.self)
      }
      guard whole < count else { return }
      var rest = SIMD4<Float>()
      for x in whole..<count { rest[x - whole] = unsafe row[x] }
      rest = unsafe look(up: rest, values)
      for x in whole..<count { unsafe row[x] = rest[x - whole] }
    }
  }

  @inline(__always)
  @unsafe private func look(
    up arguments: SIMD4<Float>, _ values: UnsafePointer<SIMD2<Float>>
  ) -> SIMD4<Float> {
    let (zero, one) = (SIMD4<Float>.zero, SIMD4<Float>.one)
    let offset = SIMD4<Float>(repeating: 8_388_608)
    // NaN is treated as 0.
    let low = zero.replacing(with: arguments, where: arguments .> zero)
    let place = low.replacing(with: one, where: low .> one) * steps
    // The step to the nearest below or at the argument: added to 2²³ a number's lowest bits are its whole part. Both
    // ends of a step give the same value there, so the rounding of ties does not matter.
    let shifted = place - SIMD4<Float>(repeating: 0.5)
    let whole = zero.replacing(with: shifted, where: shifted .> zero) + offset
    let part = place - (whole - offset)
    let numbers = unsafe unsafeBitCast(whole, to: SIMD4<UInt32>.self) & 0x7f_ffff
    // Two at once, because extracting them from 64 bits is faster than from a vector.
    let pairs = unsafe unsafeBitCast(numbers, to: SIMD2<UInt64>.self)
    @inline(__always) func value(_ number: UInt64) -> SIMD2<Float> {
      unsafe values[Int(truncatingIfNeeded: number)]
    }
    let first = SIMD4(
      lowHalf: value(pairs.x & 0xffff_ffff), highHalf: value(pairs.x >> 32))
    let second = SIMD4(
      lowHalf: value(pairs.y & 0xffff_ffff), highHalf: value(pairs.y >> 32))
    let start = SIMD4(lowHalf: first.evenHalf, highHalf: second.evenHalf)
    return start + part * SIMD4(lowHalf: first.oddHalf, highHalf: second.oddHalf)
  }
}

/// Loops over rows of light; see `RowKernels`.
enum LightKernels {
  /// Whether kernels for eight numbers at a time can be used.
  static let wide = apus_has_wide()

  /// Converts the linear light of one space to that of another. Colors outside its gamut are moved towards the gray of
  /// their luminance until they fit: this preserves hue, which clipping red, green and blue separately would shift.
  @unsafe static func turn(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    by matrix: [SIMD4<Float>], weights: SIMD3<Float>
  ) {
    let (m0, m1, m2) = (matrix[0], matrix[1], matrix[2])
    let (wr, wg, wb) = (weights.x, weights.y, weights.z)
    let start = unsafe matrix.withUnsafeBytes { rows in
      unsafe withUnsafeBytes(of: weights) { weights in
        guard let rows = rows.baseAddress, let weights = weights.baseAddress else { return 0 }
        return unsafe apus_turn_light(
          wide, red, green, blue, count, rows.assumingMemoryBound(to: Float.self),
          weights.assumingMemoryBound(to: Float.self))
      }
    }
    for x in start..<count {
      let (r0, g0, b0) = unsafe (red[x], green[x], blue[x])
      let r = m0.x * r0 + m0.y * g0 + m0.z * b0
      let g = m1.x * r0 + m1.y * g0 + m1.z * b0
      let b = m2.x * r0 + m2.y * g0 + m2.z * b0
      let luminance = wr * r + wg * g + wb * b
      let low = least(least(r, g), b)
      let high = most(most(r, g), b)
      let below = most(luminance, 0) / most(luminance - low, 1e-9)
      let above = most(1 - luminance, 0) / most(high - luminance, 1e-9)
      let part = least(low < 0 ? below : 1, high > 1 ? above : 1)
      unsafe red[x] = luminance + part * (r - luminance)
      unsafe green[x] = luminance + part * (g - luminance)
      unsafe blue[x] = luminance + part * (b - luminance)
    }
  }

  /// Computes the greatest of three channels.
  @unsafe static func greatest(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    into output: RowKernels.Row
  ) {
    for x in 0..<count { unsafe output[x] = most(most(red[x], green[x]), blue[x]) }
  }

  @unsafe static func fourthRoot(_ row: RowKernels.Row, count: Int, scale: Float) {
    let start = unsafe apus_fourth_root(wide, row, count, scale)
    for x in start..<count {
      unsafe row[x] = (most(row[x], 0) * scale).squareRoot().squareRoot()
    }
  }

  /// Maps numbers from 0 to 1 to indices from 0 to `last`; those outside, and NaN, are clamped.
  @unsafe static func spread(_ row: RowKernels.Row, count: Int, over last: Float) {
    for x in 0..<count {
      unsafe row[x] = least(most(row[x], 0), 1) * last
    }
  }

  @unsafe static func multiply(_ row: RowKernels.Row, by factors: RowKernels.Row, count: Int) {
    for x in 0..<count { unsafe row[x] = row[x] * factors[x] }
  }

  @inline(__always) private static func most(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
  @inline(__always) private static func least(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
