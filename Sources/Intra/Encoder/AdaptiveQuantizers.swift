// SPDX-License-Identifier: MIT

/// What is known of a group of 32 × 32 before it is searched.
struct QuantizerGroup {
  var qp: Int
  /// A bit for each of its blocks of 16 × 16 that has so much detail that smaller blocks are sure to be better, and the fifth for
  /// the whole group.
  var busy: UInt8
}

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
  func group(_ x: Int, _ y: Int, width: Int, height: Int) -> QuantizerGroup {
    var logarithms = InlineArray<4, Int>(repeating: 0)
    var sum = 0
    var count = 0
    for row in 0..<(height + 15) >> 4 {
      for column in 0..<(width + 15) >> 4 {
        let energy = unsafe energy(x + column * 16, y + row * 16)
        let logarithm = unsafe Self.logarithm(max(energy, 1)) - (2 * (bitDepth - 8)) << 16
        logarithms[row * 2 + column] = logarithm
        unsafe sum += logarithm - Self.usual
        count += 1
      }
    }
    // 1.0397 times the mean, from 65536ths to 256ths.
    let offset = (sum / count * 266) >> 16
    let qp = unsafe max(0, min(51, (base + offset + 128) >> 8))
    // A third of what quantizers coarsen by is what the square of their step grows by.
    let step = ((qp - 4) << 16) / 3
    let (group, block) = unsafe (step + Self.busyGroup - Self.usual, step + Self.busyBlock)
    var busy: UInt8 = sum / count > group ? 16 : 0
    for index in 0..<4 where logarithms[index] > block { busy |= 1 << index }
    return QuantizerGroup(qp: qp, busy: busy)
  }

  /// The logarithm of the energy, in squared quantizer steps, beyond which a group is split unasked, 8.5, and that of a block
  /// of 16 × 16, 11.25, in 65536ths: both together save an eighth of the time and cost less than 0.1 % of the bytes.
  private static let busyGroup = 557_056
  private static let busyBlock = 737_280

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
