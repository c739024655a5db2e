// SPDX-License-Identifier: MIT

/// A mapping of a plane's samples to output values.
struct PlaneTable: Hashable, Sendable {
  /// The output value for each code, with `bitDepth` bits.
  var values: [UInt16]
  /// The output bit depth, 8 or 16.
  var bitDepth: Int

  /// Creates a table that keeps the codes, spread over 16 bits if they have more than 8.
  ///
  /// - Parameter isFullRange: whether black and white are the least and the greatest code; otherwise they are 16 and
  ///   235 for 8 bits.
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

  /// Creates a table with numbers from 0 to 1 for each code, spread over 16 bits.
  init(shares: [Double]) {
    bitDepth = 16
    values = shares.map { UInt16((min(max($0, 0), 1) * 65535).rounded()) }
  }
}
