// SPDX-License-Identifier: MIT

/// What is known of a group of 32 × 32 before it is searched.
struct QuantizerGroup {
  var qp: Int
  /// A bit for each of its blocks of 16 × 16 that has so much detail that smaller blocks are sure to be better, and the fifth for
  /// the whole group.
  var busy: UInt8
  /// Whether it is a gradient without noise, in which steps of one value are all that is coded.
  var isSmooth: Bool
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
    // What slopes leave of the energy of each block: a direction predicts those, and smaller blocks do it no better.
    var details = InlineArray<4, Int>(repeating: 0)
    var (sum, detail, count) = (0, 0, 0)
    var isSmooth = true
    let depth = unsafe (2 * (bitDepth - 8)) << 16
    for row in 0..<(height + 15) >> 4 {
      for column in 0..<(width + 15) >> 4 {
        let (px, py) = (x + column * 16, y + row * 16)
        let energy = unsafe energy(px, py)
        let rest = unsafe energy - min(energy, slopes(px, py))
        let logarithm = unsafe Self.logarithm(max(rest, 1)) - depth
        details[row * 2 + column] = logarithm
        unsafe detail += logarithm - Self.usual
        unsafe sum += Self.logarithm(max(energy, 1)) - depth - Self.usual
        count += 1
        if unsafe logarithm >= Self.smooth { isSmooth = false }
      }
    }
    // 1.0397 times the mean, from 65536ths to 256ths.
    let offset = (sum / count * 266) >> 16
    let qp = unsafe max(0, min(51, (base + offset + 128) >> 8))
    // A third of what quantizers coarsen by is what the square of their step grows by.
    let step = ((qp - 4) << 16) / 3
    let (group, block) = unsafe (step + Self.busyGroup - Self.usual, step + Self.busyBlock)
    var busy: UInt8 = detail / count > group ? 16 : 0
    for index in 0..<4 where details[index] > block { busy |= 1 << index }
    return QuantizerGroup(qp: qp, busy: busy, isSmooth: isSmooth)
  }

  /// The logarithm of the energy, in squared quantizer steps, beyond which a group is split unasked, 8.5, and that of a block
  /// of 16 × 16, 11.25, in 65536ths: both together save an eighth of the time and cost less than 0.1 % of the bytes.
  private static let busyGroup = 557_056
  private static let busyBlock = 737_280

  /// The logarithm of the energy, in 65536ths, below which nothing but slopes and what rounds them to whole values is in a block of
  /// 16 × 16: 6, a quarter of a squared value in each sample.
  private static let smooth = 393_216

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

  /// How much of the energy of a block of 16 × 16 and its chroma is that of planes, the best fit of each component.
  private func slopes(_ x: Int, _ y: Int) -> UInt32 {
    var slopes = unsafe slope(SIMD16<UInt16>.self, store.luma + (y * 64 + x), 64)
    if unsafe hasChroma {
      let place = unsafe store.chroma + ((y >> 1) * 32 + x >> 1)
      unsafe slopes &+= slope(SIMD8<UInt16>.self, place, 32)
      unsafe slopes &+= slope(SIMD8<UInt16>.self, place + 1024, 32)
    }
    return slopes
  }

  /// The squared sum of samples weighted by their columns, -side + 1, -side + 3 and so on, over the sum of squared weights; that by
  /// rows added.
  ///
  /// - Parameter kind: as many numbers as a row has samples, 16 at most of at most 10 bits.
  @inline(__always)
  private func slope<Row: SIMD>(
    _ kind: Row.Type, _ samples: UnsafeMutablePointer<UInt16>, _ stride: Int
  ) -> UInt32 where Row.Scalar == UInt16 {
    let side = Row.scalarCount
    // Sums of columns; differences of rows from the outer pair to the inner one, added up, and the sums of these.
    var (columns, inner, first, second) = (Row.zero, Row.zero, Row.zero, Row.zero)
    for row in 0..<side / 2 {
      let top = unsafe UnsafeRawPointer(samples + row &* stride).loadUnaligned(as: Row.self)
      let bottom = unsafe UnsafeRawPointer(samples + (side &- 1 &- row) &* stride)
        .loadUnaligned(as: Row.self)
      columns &+= top &+ bottom
      inner &+= bottom &- top
      // In two, as sixteen bits hold no more.
      if row < 4 { first &+= inner } else { second &+= inner }
    }
    var (across, down) = (0, 0)
    for index in 0..<side {
      across &+= Int(columns[index]) &* (2 &* index &- side &+ 1)
      let sum = Int(Int16(bitPattern: first[index])) &+ Int(Int16(bitPattern: second[index]))
      down &+= 2 &* sum &- Int(Int16(bitPattern: inner[index]))
    }
    let weights = side &* side &* (side &* side &- 1) / 3
    return UInt32(truncatingIfNeeded: (across &* across &+ down &* down) / weights)
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
