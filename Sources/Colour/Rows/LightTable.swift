// SPDX-License-Identifier: MIT

/// A function of 0…1 as evenly spaced values.
struct LightTable: Sendable {
  /// One more than steps, and the last once again, which is what the end of the last step is looked up as.
  private let values: [Float]
  private let steps: Float

  init(count: Int, _ function: (Double) -> Double) {
    let values = (0...count).map { step -> Float in
      let value = Float(function(Double(step) / Double(count)))
      return value.isFinite ? value : 0
    }
    self.values = values + [values[count]]
    steps = Float(count)
  }

  /// Replaces arguments by values; those outside of 0…1 are taken for its ends.
  @unsafe func look(up row: RowKernels.Row, count: Int) {
    let steps = steps
    unsafe values.withUnsafeBufferPointer { values in
      guard let values = values.baseAddress else { return }
      for x in 0..<count {
        let argument = unsafe row[x]
        let low: Float = argument > 0 ? argument : 0
        let place = (low > 1 ? 1 : low) * steps
        // The step to the nearest below or at the argument: added to 2²³ a number's lowest bits are its whole
        // part. Both ends of a step give the same value there, so it does not matter how a tie is rounded.
        let shifted = place - 0.5
        let whole = (shifted > 0 ? shifted : 0) + 8_388_608
        let index = Int(truncatingIfNeeded: whole.bitPattern & 0x7f_ffff)
        let start = unsafe values[index]
        unsafe row[x] = start + (place - (whole - 8_388_608)) * (values[index &+ 1] - start)
      }
    }
  }
}

/// Loops over rows of light; see `RowKernels`.
enum LightKernels {
  /// Turns the linear light of one space into that of another, and moves what lies outside towards grey as
  /// `GamutMapping` does.
  @unsafe static func turn(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    by matrix: [SIMD4<Float>], weights: SIMD3<Float>
  ) {
    let (m0, m1, m2) = (matrix[0], matrix[1], matrix[2])
    let (wr, wg, wb) = (weights.x, weights.y, weights.z)
    for x in 0..<count {
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

  /// The greatest of three channels.
  @unsafe static func greatest(
    _ red: RowKernels.Row, _ green: RowKernels.Row, _ blue: RowKernels.Row, count: Int,
    into output: RowKernels.Row
  ) {
    for x in 0..<count { unsafe output[x] = most(most(red[x], green[x]), blue[x]) }
  }

  @unsafe static func fourthRoot(_ row: RowKernels.Row, count: Int, scale: Float) {
    for x in 0..<count {
      unsafe row[x] = (most(row[x], 0) * scale).squareRoot().squareRoot()
    }
  }

  @unsafe static func multiply(_ row: RowKernels.Row, by factors: RowKernels.Row, count: Int) {
    for x in 0..<count { unsafe row[x] = row[x] * factors[x] }
  }

  @inline(__always) private static func most(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
  @inline(__always) private static func least(_ a: Float, _ b: Float) -> Float { a < b ? a : b }
}
