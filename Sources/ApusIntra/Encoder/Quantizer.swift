// SPDX-License-Identifier: MIT

/// The constants for a quantization parameter and a block size, all integers, so that the same samples give the same
/// bytes on every machine.
///
/// Costs are counted in 65536ths of the square of a quantizer step, in which a bit costs nearly the same at every
/// parameter: `bitCost`.
struct Quantizer {
  /// The factor from coefficients to 256ths of a step, and its shift: multiply, then shift.
  let scale: Int32
  let shift: Int32
  /// The smallest magnitude that becomes a level.
  let least: Int32
  /// The factor from levels to coefficients, and its shift.
  let step: Int
  let stepShift: Int

  /// Returns λ of a bit: 0.137 of a squared step, and less if quantizers are so fine that decoders round most errors
  /// away, so that the remaining ones have more weight.
  ///
  /// - Parameter qp: the `qP`, not negative.
  static func bitCost(qp: Int) -> Int32 {
    Int32(max(5000, min(9000, 2000 + qp * 1000)))
  }

  /// - Parameter qp: the `qP`, not negative.
  init(qp: Int, log2: Int, bitDepth: Int) {
    let scales: InlineArray<6, Int32> = [26214, 23302, 20560, 18396, 16384, 14564]
    let steps: InlineArray<6, Int> = [40, 45, 51, 57, 64, 72]
    scale = scales[qp % 6]
    shift = Int32(14 + qp / 6 + 15 - bitDepth - log2 - 8)
    let bound = 128 << Int(shift)
    least = Int32(min((bound + Int(scale) - 1) / Int(scale), 32768))
    step = steps[qp % 6] << (qp / 6 + 4)
    stepShift = bitDepth + log2 - 5
  }

  @inline(__always)
  func coefficient(_ level: Int) -> Int16 {
    Int16(clamping: (level &* step &+ 1 &<< (stepShift &- 1)) &>> stepShift)
  }

  /// Returns the factor from squared errors of samples to the unit of costs: multiply, then shift by 16.
  static func errorScale(qp: Int) -> Int64 {
    // The factors 2^(4/3), 2 and 2^(2/3), times 2^32.
    let thirds: InlineArray<3, Int64> = [10_822_639_410, 8_589_934_592, 6_817_835_604]
    return thirds[qp % 3] >> Int64(qp / 3)
  }

  /// Returns the weight of bits relative to Hadamard costs, times 256: 1.5 times √λ, which saves 0.3 %.
  static func rootCost(qp: Int) -> Int64 {
    // 16 · 256 · 1.5625 · √0.101 · 2^((qp - 4) / 6).
    let sixths: InlineArray<6, Int64> = [1281, 1438, 1614, 1812, 2034, 2283]
    return (sixths[qp % 6] << Int64(qp / 6)) >> 4
  }
}
