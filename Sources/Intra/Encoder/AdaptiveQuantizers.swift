// SPDX-License-Identifier: MIT

/// Finer quantizers for smooth blocks, as x265's `aq-mode` 1 has them, which libheif's qualities rest on: of each block of
/// 16 × 16 the logarithm of its energy, the mean of them for a group of 32 × 32.
@unsafe struct AdaptiveQuantizers {
  private let store: CTBStore
  private let hasChroma: Bool
  private let bitDepth: Int
  /// The quantizer in 256ths of a step, before anything is added.
  private let base: Int

  init(_ store: CTBStore, hasChroma: Bool, bitDepth: Int, base: Int) {
    unsafe self.store = store
    unsafe self.hasChroma = hasChroma
    unsafe self.bitDepth = bitDepth
    unsafe self.base = base
  }

  /// The quantizer of a group.
  ///
  /// - Parameters:
  ///   - x: where it lies in the coding tree block, `y` alike.
  ///   - width: how much of it lies inside the picture, `height` alike.
  func quantizer(_ x: Int, _ y: Int, width: Int, height: Int) -> Int {
    var sum = 0
    var count = 0
    for row in stride(from: 0, to: height, by: 16) {
      for column in stride(from: 0, to: width, by: 16) {
        let energy = unsafe energy(x + column, y + row)
        unsafe sum += Self.logarithm(max(energy, 1)) - Self.usual - (2 * (bitDepth - 8)) << 16
        count += 1
      }
    }
    // 1.0397 times the mean, from 65536ths to 256ths.
    let offset = (sum / count * 266) >> 16
    return unsafe max(0, min(51, (base + offset + 128) >> 8))
  }

  /// 14.427, in 65536ths.
  private static let usual = 945_488

  /// What a block of 16 × 16 and its chroma differ from their means by, squared and added.
  private func energy(_ x: Int, _ y: Int) -> UInt32 {
    var energy = unsafe energy(store.luma + (y * 64 + x), 64, 16)
    if unsafe hasChroma {
      let place = (y >> 1) * 32 + x >> 1
      unsafe energy &+= self.energy(store.chroma + place, 32, 8)
      unsafe energy &+= self.energy(store.chroma + (1024 + place), 32, 8)
    }
    return energy
  }

  private func energy(_ samples: UnsafeMutablePointer<UInt16>, _ stride: Int, _ side: Int)
    -> UInt32
  {
    var (sum, squares): (UInt32, UInt32) = (0, 0)
    for row in 0..<side {
      let line = unsafe samples + row &* stride
      for column in 0..<side {
        let sample = unsafe UInt32(line[column])
        sum &+= sample
        squares &+= sample &* sample
      }
    }
    return squares &- UInt32(truncatingIfNeeded: UInt64(sum) &* UInt64(sum) / UInt64(side * side))
  }

  /// The binary logarithm in 65536ths, the same on every machine.
  static func logarithm(_ value: UInt32) -> Int {
    let whole = 31 - value.leadingZeroBitCount
    // From 1 to 2, in 2^31ths; squaring tells one bit after the other.
    var rest = UInt64(value) << UInt64(31 - whole)
    var result = whole
    for _ in 0..<16 {
      rest = (rest * rest) >> 31
      result <<= 1
      if rest >> 32 != 0 {
        result |= 1
        rest >>= 1
      }
    }
    return result
  }
}
