// SPDX-License-Identifier: MIT

/// The costs of the coefficients' bins for the current states of the context variables, ready to be added up, in the
/// unit of `Quantizer`.
///
/// The coder of levels is a machine with 90 states: the number of levels in the sub-block so far (up to 8), whether one
/// of them was greater than 1, and the Rice parameter.
@unsafe struct LevelRates {
  /// The cost by set of contexts (four of luma, two of chroma), state and level up to 15: 96 states each.
  let levels: UnsafeMutablePointer<Int32>
  /// The next state, by state and level up to 31: levels from 25 raise the last Rice parameter but one.
  let next: UnsafeMutablePointer<UInt8>
  /// The cost of a zero at each of the 16 scan positions, by row (`row`).
  let zeros: UnsafeMutablePointer<Int32>
  /// The cost of a non-zero coefficient at each of the 16 scan positions, by row.
  let others: UnsafeMutablePointer<Int32>
  /// The cost of zeros at a position and all before it.
  let sums: UnsafeMutablePointer<Int32>
  /// The costs of the last coefficient's coordinates, by component type and log2: 32 each, x and then y.
  let lastX: UnsafeMutablePointer<Int32>
  let lastY: UnsafeMutablePointer<Int32>
  /// The cost of `coded_sub_block_flag`, by component type, context and bin.
  let groups: UnsafeMutablePointer<Int32>
  /// The cost of every bin, by state and value.
  let bins: UnsafeMutablePointer<Int32>
  /// The cost of every bin, in 2048ths of a bit.
  private let bits: UnsafeMutablePointer<Int32>
  /// The cost of a bit, set by `weigh`.
  private let weight: UnsafeMutablePointer<Int32>
  private let memory: UnsafeMutablePointer<Int32>
  private let scans: UnsafeMutablePointer<UInt8>

  static var states: Int { 96 }
  private static var rows: Int { 54 }

  init(_ scans: Scans) {
    let count = unsafe 6 * 96 * 16 + 3 * Self.rows * 16 + 512 + 8 + 2 * 256 + 1
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe levels = memory
    unsafe zeros = levels + 6 * 96 * 16
    unsafe others = zeros + Self.rows * 16
    unsafe sums = others + Self.rows * 16
    unsafe lastX = sums + Self.rows * 16
    unsafe lastY = lastX + 256
    unsafe groups = lastY + 256
    unsafe bins = groups + 8
    unsafe bits = bins + 256
    unsafe weight = bits + 256
    for (index, value) in EntropyBits.table().enumerated() { unsafe bits[index] = Int32(value) }
    unsafe self.scans = .allocate(capacity: scans.entries.count)
    for index in scans.entries.indices {
      unsafe (self.scans + index).initialize(to: scans.entries[index])
    }
    unsafe next = .allocate(capacity: 96 * 32)
    unsafe next.initialize(repeating: 0, count: 96 * 32)
    for ones in 0..<9 {
      for greater in 0..<2 {
        for rice in 0..<5 {
          let state = unsafe Self.state(ones, greater, rice)
          for level in 0..<32 {
            let isGreater = greater == 1 || (level > 1 && ones < 8)
            unsafe next[state * 32 + level] = UInt8(
              level == 0
                ? state
                : Self.state(
                  min(ones + 1, 8), isGreater ? 1 : 0, level > 3 << rice ? min(rice + 1, 4) : rice))
          }
        }
      }
    }
  }

  func deallocate() {
    unsafe memory.deallocate()
    unsafe scans.deallocate()
    unsafe next.deallocate()
  }

  private static func state(_ ones: Int, _ greater: Int, _ rice: Int) -> Int {
    (ones * 2 + greater) * 5 + rice
  }

  /// The cost of a bit.
  @inline(__always)
  var bit: Int32 { unsafe weight.pointee }

  /// Sets the cost of a bit. Only `bins` is updated at once, the rest with the next `update`.
  ///
  /// - Returns: whether the cost changed.
  func weigh(_ cost: Int32) -> Bool {
    guard unsafe cost != bit else { return false }
    unsafe weight.pointee = cost
    for index in 0..<256 { unsafe bins[index] = self.cost(bits[index]) }
    return true
  }

  private func cost(_ bits: Int32) -> Int32 {
    unsafe Int32((Int64(bits) * Int64(bit) + 1024) >> 11)
  }

  /// Returns the row of significance costs for a sub-block.
  ///
  /// - Parameter pattern: whether the sub-blocks to the right (1) and below (2) have coefficients.
  @inline(__always)
  static func row(isLuma: Bool, log2: Int, scan: Int, isFirst: Bool, pattern: Int) -> Int {
    if log2 == 2 { return (isLuma ? 0 : 3) &+ scan }
    if !isLuma { return 38 &+ (log2 == 3 ? 0 : 8) &+ (isFirst ? 0 : 4) &+ pattern }
    if log2 == 3 { return 6 &+ scan &* 8 &+ (isFirst ? 0 : 4) &+ pattern }
    return 30 &+ (isFirst ? 0 : 4) &+ pattern
  }

  /// Returns the number of bits of a remaining level (9.3.3.11).
  static func remaining(_ value: Int, _ rice: Int) -> Int {
    let prefix = value >> rice
    if prefix < 4 { return prefix + 1 + rice }
    // The lengths of prefix and suffix grow by one whenever the value doubles.
    let bits = Int.bitWidth - 1 - (prefix - 2).leadingZeroBitCount
    return 4 + 2 * bits + rice
  }

  /// Returns the additional cost of a level beyond the tables relative to 15.
  @inline(never)
  func beyond(_ level: Int, _ state: Int) -> Int32 {
    let (ones, rice) = (state / 10, state % 5)
    let base = ones == 8 ? 1 : state / 5 & 1 == 1 ? 2 : 3
    return unsafe cost(
      Int32(Self.remaining(level - base, rice) - Self.remaining(15 - base, rice))
        * EntropyBits.one)
  }

  /// Updates the costs from the current context variables.
  func update(_ contexts: UnsafeMutablePointer<UInt8>) {
    for set in 0..<6 { unsafe updateLevels(contexts, set) }
    unsafe updateSignificance(contexts)
    unsafe updateLast(contexts)
    for index in 0..<4 {
      let state = unsafe Int(contexts[Context.codedSubBlock + index])
      unsafe groups[index * 2] = bins[state * 2]
      unsafe groups[index * 2 + 1] = bins[state * 2 + 1]
    }
  }

  private func updateLevels(_ contexts: UnsafeMutablePointer<UInt8>, _ set: Int) {
    let first = unsafe contexts + (Context.greater1 + set * 4)
    let second = unsafe Int(contexts[Context.greater2 + set])
    let (small, large) = unsafe (bins[second * 2], bins[second * 2 + 1])
    let bit = unsafe bit
    for ones in 0..<9 {
      for greater in 0..<2 {
        let state = unsafe Int(first[greater == 1 ? 0 : min(ones + 1, 3)])
        let (isOne, isMore) = unsafe (bins[state * 2], bins[state * 2 + 1])
        for rice in 0..<5 {
          let to = unsafe levels + (set * 96 + Self.state(ones, greater, rice)) * 16
          let base: Int
          if ones == 8 {
            base = 1
            unsafe to[1] = 0
          } else {
            unsafe to[1] = bit &+ isOne
            base = greater == 1 ? 2 : 3
            if greater == 0 { unsafe to[2] = bit &+ isMore &+ small }
          }
          let flags = bit &+ (ones == 8 ? 0 : isMore &+ (greater == 1 ? 0 : large))
          var level = base
          while level < 16 {
            let bits = unsafe Self.lengths[(level &- base) &* 5 &+ rice]
            unsafe to[level] = flags &+ Int32(bits) &* bit
            level &+= 1
          }
        }
      }
    }
  }

  /// The bits of remaining levels up to 15, by value and Rice parameter.
  private static let lengths: [UInt8] = (0..<80).map { unsafe UInt8(remaining($0 / 5, $0 % 5)) }

  private func updateSignificance(_ contexts: UnsafeMutablePointer<UInt8>) {
    for scan in 0..<3 {
      unsafe fill(contexts, scan, table: 4, first: 0, base: 0, scan: scan, isFirst: true)
      unsafe fill(contexts, 3 + scan, table: 4, first: 27, base: 27, scan: scan, isFirst: true)
    }
    for pattern in 0..<4 {
      for scan in 0..<3 {
        let base = scan == 0 ? 9 : 15
        unsafe fill(
          contexts, 6 + scan * 8 + pattern, table: pattern, first: 0, base: base,
          scan: scan, isFirst: true)
        unsafe fill(
          contexts, 10 + scan * 8 + pattern, table: pattern, first: 0, base: base + 3,
          scan: scan, isFirst: false)
      }
      unsafe fill(
        contexts, 30 + pattern, table: pattern, first: 0, base: 21, scan: 0,
        isFirst: true)
      unsafe fill(
        contexts, 34 + pattern, table: pattern, first: 0, base: 24, scan: 0,
        isFirst: false)
      for size in 0..<2 {
        for isFirst in [true, false] {
          unsafe fill(
            contexts, 38 + size * 8 + (isFirst ? 0 : 4) + pattern, table: pattern, first: 27,
            base: 36 + size * 3, scan: 0, isFirst: isFirst)
        }
      }
    }
  }

  private func fill(
    _ contexts: UnsafeMutablePointer<UInt8>, _ row: Int, table: Int, first: Int, base: Int,
    scan: Int, isFirst: Bool
  ) {
    let offsets = unsafe scans + (Scans.significance + scan * 80 + table * 16)
    var sum: Int32 = 0
    for place in 0..<16 {
      let context = unsafe isFirst && place == 0 ? first : base + Int(offsets[place])
      let state = unsafe Int(contexts[Context.significant + context])
      unsafe zeros[row * 16 + place] = bins[state * 2]
      unsafe others[row * 16 + place] = bins[state * 2 + 1]
      unsafe sum &+= bins[state * 2]
      unsafe sums[row * 16 + place] = sum
    }
  }

  private func updateLast(_ contexts: UnsafeMutablePointer<UInt8>) {
    for isChroma in 0..<2 {
      for log2 in 2...(5 - isChroma) {
        let offset = isChroma == 0 ? 3 * (log2 - 2) + (log2 - 1) >> 2 : 15
        let shift = isChroma == 0 ? (log2 + 1) >> 2 : log2 - 2
        for axis in 0..<2 {
          let to = unsafe (axis == 0 ? lastX : lastY) + (isChroma * 4 + log2 - 2) * 32
          let base = (axis == 0 ? Context.lastXPrefix : Context.lastYPrefix) + offset
          var ones: Int32 = 0
          var place = 0
          for prefix in 0..<2 * log2 {
            var cost = ones
            if prefix < 2 * log2 - 1 {
              let state = unsafe Int(contexts[base + prefix >> shift])
              unsafe cost &+= bins[state * 2]
              unsafe ones &+= bins[state * 2 + 1]
            }
            let bits = prefix > 3 ? prefix / 2 - 1 : 0
            unsafe cost &+= Int32(bits) &* bit
            for _ in 0..<1 << bits {
              unsafe to[place] = cost
              place += 1
            }
          }
        }
      }
    }
  }
}
