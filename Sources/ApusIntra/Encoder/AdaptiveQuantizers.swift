// SPDX-License-Identifier: MIT

/// The properties of a group of 32 × 32 samples, computed before the search.
struct QuantizerGroup {
  var qp: Int
  /// The blocks of 16 × 16, one bit each, with so much detail that smaller blocks are certainly better, and a fifth bit
  /// for the whole group.
  var busy: UInt8
  /// Whether the group is a gradient without noise, in which only steps of one value are coded.
  var isSmooth: Bool
}

/// Chooses finer quantizers for smooth blocks like x265's `aq-mode` 1, on which libheif's qualities are based: from the
/// logarithm of the energy of each block of 16 × 16, averaged over a group of 32 × 32.
@unsafe struct AdaptiveQuantizers {
  private let store: CTBStore
  private let hasChroma: Bool
  private let bitDepth: Int
  /// The quantizer in 256ths of a step, before adaptation.
  private let base: Int

  init(_ store: CTBStore, hasChroma: Bool, bitDepth: Int, base: Int) {
    unsafe self.store = store
    unsafe self.hasChroma = hasChroma
    unsafe self.bitDepth = bitDepth
    unsafe self.base = base
  }

  /// Returns the quantizer of a group.
  ///
  /// - Parameters:
  ///   - x: the column of the group in the coding tree block; `y` is its row.
  ///   - width: the width of its part inside the picture; `height` is that part's height.
  func group(_ x: Int, _ y: Int, width: Int, height: Int) -> QuantizerGroup {
    // The energy of each block without that of slopes, which directional prediction covers, and smaller blocks do not
    // improve.
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
    // The logarithm of the squared step grows by a third for each step of the quantizer.
    let step = ((qp - 4) << 16) / 3
    let (group, block) = unsafe (step + Self.busyGroup - Self.usual, step + Self.busyBlock)
    var busy: UInt8 = detail / count > group ? 16 : 0
    for index in 0..<4 where details[index] > block { busy |= 1 << index }
    return QuantizerGroup(qp: qp, busy: busy, isSmooth: isSmooth)
  }

  /// The logarithm of the energy, in squared quantizer steps, above which a group is always split, 8.5, and that for a
  /// block of 16 × 16, 11.25, in 65536ths: both together save an eighth of the time and cost less than 0.1 % of the
  /// bytes.
  private static let busyGroup = 557_056
  private static let busyBlock = 737_280

  /// The logarithm of the energy, in 65536ths, below which a block of 16 × 16 contains only slopes and their rounding:
  /// 6, a quarter of a squared value in each sample.
  private static let smooth = 393_216

  /// The constant 14.427, in 65536ths.
  private static let usual = 945_488

  /// Returns the sum of squared differences of a block of 16 × 16 and its chroma from their means.
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

  /// Returns the part of the energy of a block of 16 × 16 and its chroma that is explained by planes, fitted to each
  /// component.
  private func slopes(_ x: Int, _ y: Int) -> UInt32 {
    var slopes = unsafe slope(SIMD16<UInt16>.self, store.luma + (y * 64 + x), 64)
    if unsafe hasChroma {
      let place = unsafe store.chroma + ((y >> 1) * 32 + x >> 1)
      unsafe slopes &+= slope(SIMD8<UInt16>.self, place, 32)
      unsafe slopes &+= slope(SIMD8<UInt16>.self, place + 1024, 32)
    }
    return slopes
  }

  /// Returns the squared sum of samples weighted by their columns, -side + 1, -side + 3 and so on, over the sum of
  /// squared weights; plus the same by rows.
  ///
  /// - Parameter kind: a vector with one number for each sample of a row, at most 16 of at most 10 bits.
  @inline(__always)
  private func slope<Row: SIMD>(
    _ kind: Row.Type, _ samples: UnsafeMutablePointer<UInt16>, _ stride: Int
  ) -> UInt32 where Row.Scalar == UInt16 {
    let side = Row.scalarCount
    // Sums of columns; differences of rows from the outer pair to the inner one, added up; and the sums of these.
    var (columns, inner, first, second) = (Row.zero, Row.zero, Row.zero, Row.zero)
    for row in 0..<side / 2 {
      let top = unsafe UnsafeRawPointer(samples + row &* stride).loadUnaligned(as: Row.self)
      let bottom = unsafe UnsafeRawPointer(samples + (side &- 1 &- row) &* stride)
        .loadUnaligned(as: Row.self)
      columns &+= top &+ bottom
      inner &+= bottom &- top
      // In two sums, because sixteen bits hold no more.
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
    // From 1 to 2, in 2^31ths; squaring gives one bit after the other.
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
