// SPDX-License-Identifier: MIT

/// What becomes of the samples of a plane.
public struct PlaneTable: Hashable, Sendable {
  /// The value for each code, of `bitDepth` bits.
  var values: [UInt16]
  /// 8 or 16.
  var bitDepth: Int

  /// Codes as they are, spread over 16 bits where there are more than 8.
  ///
  /// - Parameter isFullRange: whether the least and the greatest code are black and white; otherwise they are 16 and
  ///   235 with 8 bits.
  init(bitDepth depth: Int, isFullRange: Bool) {
    bitDepth = depth > 8 ? 16 : 8
    let largest = 1 << bitDepth - 1
    let (low, high) =
      isFullRange ? (0, 1 << depth - 1) : (16 << (depth - 8), 235 << (depth - 8))
    values = (0..<1 << depth).map { code in
      let value = (min(max(code, low), high) - low) * largest
      return UInt16((value + (high - low) / 2) / (high - low))
    }
  }

  /// Numbers from 0 to 1 for each code, spread over 16 bits.
  init(shares: [Double]) {
    bitDepth = 16
    values = shares.map { UInt16((min(max($0, 0), 1) * 65535).rounded()) }
  }
}
