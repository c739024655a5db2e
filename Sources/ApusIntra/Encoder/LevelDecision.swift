// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Chooses levels by distortion and rate: rate-distortion optimized quantization along one path through the
/// coefficients, which finds the last coded one on the way, and sign hiding.
///
/// Levels are stored as sub-blocks of 16 in scan order. The inner loop has no data-dependent branches, because
/// coefficient levels are unpredictable.
@unsafe struct LevelDecision {
  let rates: LevelRates
  /// The nearest levels, the amounts by which coefficients exceed them, and masks and signs of sub-blocks
  /// (`apus_quantize`).
  let nearest: UnsafeMutablePointer<Int16>
  let rests: UnsafeMutablePointer<Int16>
  let masks: UnsafeMutablePointer<UInt16>
  let signs: UnsafeMutablePointer<UInt16>
  /// The state of the level coder before each level.
  private let passed: UnsafeMutablePointer<UInt8>
  /// Whether each sub-block has coefficients, in raster order in rows of 9.
  private let coded: UnsafeMutablePointer<UInt8>
  private let memory: UnsafeMutableRawPointer

  /// A block to decide.
  @unsafe struct Block {
    var log2: Int
    var isLuma: Bool
    var scan: Int
    /// The columns of sub-blocks in scan order; their rows are 1024 entries further.
    var places: UnsafePointer<UInt8>
    /// The places of coefficients in a sub-block, in scan order: row × 4 + column.
    var inside: UnsafePointer<UInt8>
    /// The last sub-block that has levels.
    var last: Int
    /// The additional cost of having coefficients instead of none.
    var flag: Int32
  }

  /// The result for a block.
  struct Outcome {
    /// The cost relative to no coefficients at all; 0 without any, otherwise negative.
    var cost: Int64 = 0
    /// The position of the last coefficient in the scan, -1 if there is none.
    var last = -1
    /// The cost of omitting all levels.
    var energy: Int64 = 0
    /// The sub-blocks that are expected to hide a sign.
    var hidden = 0
  }

  /// The expected saving from a hidden sign, minus the cost of adjusting parities.
  var savedByHiding: Int64 { unsafe Int64(rates.bit) &* 13 / 30 }

  init(_ rates: LevelRates) {
    unsafe self.rates = rates
    let bytes = 2 * 2048 + 2 * 128 + 1024 + 128
    unsafe memory = .allocate(byteCount: bytes, alignment: 32)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    unsafe nearest = memory.assumingMemoryBound(to: Int16.self)
    unsafe rests = nearest + 1024
    unsafe masks = UnsafeMutableRawPointer(rests + 1024).assumingMemoryBound(to: UInt16.self)
    unsafe signs = masks + 64
    unsafe passed = UnsafeMutableRawPointer(signs + 64).assumingMemoryBound(to: UInt8.self)
    unsafe coded = passed + 1024
  }

  func deallocate() { unsafe memory.deallocate() }

  /// - Parameter levels: receives the chosen magnitudes up to the last coefficient, in whole sub-blocks.
  func decide(_ block: Block, _ levels: UnsafeMutablePointer<Int16>) -> Outcome {
    let isLuma = unsafe block.isLuma
    let shift = unsafe block.log2 &- 2
    let lastX = unsafe rates.lastX + ((isLuma ? 0 : 4) &+ shift) &* 32
    let lastY = unsafe rates.lastY + ((isLuma ? 0 : 4) &+ shift) &* 32
    let flags = unsafe rates.groups + (isLuma ? 0 : 4)
    var total: Int64 = 0
    var best = Int64.max
    var place = -1
    var isStopped = false
    var hidden = 0
    var energy: Int64 = 0
    var isSeen = false
    var carry = 0
    for index in 0..<81 { unsafe coded[index] = 0 }
    var group = unsafe block.last
    while group >= 0 {
      let column = unsafe Int(block.places[group])
      let row = unsafe Int(block.places[group &+ 1024])
      let cell = unsafe coded + (row &* 9 &+ column)
      let pattern = unsafe Int(cell[1] | cell[9] &<< 1)
      let flag = unsafe flags + (pattern != 0 ? 2 : 0)
      let to = unsafe levels + group &* 16
      unsafe UnsafeMutableRawPointer(to).storeBytes(of: SIMD16<Int16>.zero, as: SIMD16<Int16>.self)
      var mask = unsafe UInt32(masks[group])
      if mask == 0, group > 0 {
        if isSeen { unsafe total &+= Int64(flag[0]) }
        group &-= 1
        continue
      }
      let costs =
        unsafe LevelRates.row(
          isLuma: isLuma, log2: block.log2, scan: block.scan, isFirst: group == 0, pattern: pattern)
        &* 16
      let (zeros, others, sums) = unsafe (
        rates.zeros + costs, rates.others + costs, rates.sums + costs
      )
      let set = isLuma ? (group > 0 ? 2 : 0) &+ carry : 4 &+ carry
      let table = unsafe rates.levels + set &* (96 * 16)
      let (from, rest) = unsafe (nearest + group &* 16, rests + group &* 16)
      let states = unsafe passed + group &* 16
      let open: Int64 = unsafe group > 0 && isSeen ? Int64(flag[1]) : 0
      let base = unsafe Int64(sums[15])
      let before = (best, place, isStopped)
      let corner = unsafe (lastX + column &* 4, lastY + row &* 4)
      let isTurned = unsafe block.scan == Scans.vertical
      var state = 0
      var saved: Int64 = 0
      var found: UInt32 = 0
      while mask != 0 {
        let n = 31 &- mask.leadingZeroBitCount
        mask ^= 1 &<< UInt32(truncatingIfNeeded: n)
        let level = unsafe Int(from[n])
        let error = unsafe Int32(rest[n])
        let rate = unsafe table + state &* 16
        unsafe states[n] = UInt8(truncatingIfNeeded: state)
        let high = min(level, 15)
        let low = high &- 1
        let more = error &+ 256
        var kept = unsafe error &* error &+ rate[high]
        var lower = unsafe level == 1 ? Int32.max : more &* more &+ rate[low]
        if level > 15 {
          unsafe kept &+= rates.beyond(level, state)
          lower = unsafe more &* more &+ rate[15] &+ rates.beyond(level &- 1, state)
        }
        let whole = Int64(error) &+ Int64(level) &<< 8
        let square = whole &* whole
        energy &+= square
        let coded = min(kept, lower)
        var chosen = kept <= lower ? level : level &- 1
        let gain = unsafe Int64(coded) &+ Int64(others[n] &- zeros[n]) &- square
        let isKept = gain < 0 || level > 2
        chosen = isKept ? chosen : 0
        unsafe to[n] = Int16(truncatingIfNeeded: chosen)
        let inside = unsafe Int(block.inside[n])
        let (x, y) = (inside & 3, inside &>> 2)
        let end =
          unsafe isTurned
          ? Int64(lastX[row &* 4 &+ y] &+ lastY[column &* 4 &+ x])
          : Int64(corner.0[x] &+ corner.1[y])
        // The cost if it were the last: what was coded before it would be omitted, as well as its own flag.
        let cost =
          unsafe end &- Int64(others[n]) &- (total &+ open &+ saved &+ base &- Int64(sums[n]))
        let isBetter = isKept && !isStopped && cost < best
        best = isBetter ? cost : best
        place = isBetter ? group &* 16 &+ n : place
        isStopped = isStopped || chosen > 1
        state = unsafe Int(rates.next[state &* 32 &+ min(chosen, 31)])
        saved &+= isKept ? gain : 0
        found |= isKept ? 1 &<< UInt32(truncatingIfNeeded: n) : 0
      }
      if group == 0 {
        total &+= base &+ saved
        if found != 0, 31 &- found.leadingZeroBitCount &- found.trailingZeroBitCount > 3 {
          hidden &+= 1
        }
        break
      }
      var cost = base &+ saved &+ open
      // The flag of the first position is implied if no other is set.
      if found == 1 { unsafe cost &-= Int64(others[0]) }
      if unsafe found == 0 || (isSeen && cost &- Int64(flag[0]) > 0) {
        unsafe UnsafeMutableRawPointer(to).storeBytes(
          of: SIMD16<Int16>.zero, as: SIMD16<Int16>.self)
        if found != 0 { (best, place, isStopped) = before }
        if isSeen { unsafe total &+= Int64(flag[0]) }
      } else {
        unsafe cell[0] = 1
        if 31 &- found.leadingZeroBitCount &- found.trailingZeroBitCount > 3 { hidden &+= 1 }
        isSeen = true
        carry = (state / 5) & 1
        total &+= cost
      }
      group &-= 1
    }
    guard place >= 0 else { return Outcome(energy: energy) }
    let cost = unsafe total &+ best &+ Int64(block.flag) &- Int64(hidden) &* savedByHiding
    guard cost < 0 else { return Outcome(energy: energy) }
    unsafe clear(levels, after: place)
    return Outcome(cost: cost, last: place, energy: energy, hidden: hidden)
  }

  private func clear(_ levels: UnsafeMutablePointer<Int16>, after place: Int) {
    var index = place &+ 1
    while index & 15 != 0 {
      unsafe levels[index] = 0
      index &+= 1
    }
  }

  // MARK: - Hidden signs

  /// Adjusts the parity of each sub-block to the sign of its first coefficient, if signs are hidden, at the lowest
  /// cost; then applies all signs.
  ///
  /// - Parameter levels: the levels from `decide`, directly after that call.
  /// - Returns: the additional cost.
  func hide(_ block: Block, _ levels: UnsafeMutablePointer<Int16>, last: Int, hides: Bool) -> Int64
  {
    var total: Int64 = 0
    var group = last &>> 4
    while group >= 0 {
      let from = unsafe levels + group &* 16
      let found = unsafe apus_found(from)
      if found != 0 {
        let low = found.trailingZeroBitCount
        let high = 31 &- found.leadingZeroBitCount
        if hides, high &- low > 3 {
          unsafe total &-= Int64(rates.bit)
          if unsafe (apus_odd(from) ^ UInt32(signs[group]) &>> UInt32(low)) & 1 != 0 {
            let most = group == last &>> 4 ? last & 15 : 15
            unsafe total &+= fit(block, group, low, most, from)
          }
        }
        unsafe apus_sign(from, signs[group])
      }
      group &-= 1
    }
    return total
  }

  /// Changes one level of a sub-block by one.
  ///
  /// - Parameters:
  ///   - low: the index of the first non-zero level, whose sign is hidden.
  ///   - most: the last index at which a level may be created.
  private func fit(
    _ block: Block, _ group: Int, _ low: Int, _ most: Int, _ levels: UnsafeMutablePointer<Int16>
  ) -> Int64 {
    let isLuma = unsafe block.isLuma
    let cell = unsafe coded + (Int(block.places[group &+ 1024]) &* 9 &+ Int(block.places[group]))
    let pattern = unsafe Int(cell[1] | cell[9] &<< 1)
    let row =
      unsafe LevelRates.row(
        isLuma: isLuma, log2: block.log2, scan: block.scan, isFirst: group == 0, pattern: pattern)
      &* 16
    let (zeros, others) = unsafe (rates.zeros + row, rates.others + row)
    let table = unsafe rates.levels + (isLuma ? (group > 0 ? 2 : 0) : 4) &* (96 * 16)
    let (near, rest) = unsafe (nearest + group &* 16, rests + group &* 16)
    let states = unsafe passed + group &* 16
    let quantized = unsafe UInt32(masks[group])
    let isNegative = unsafe signs[group] &>> UInt16(low) & 1
    var least = Int64.max
    var (at, change) = (low, 1)
    var state = 0
    var n = most
    while n >= 0 {
      let level = unsafe Int(levels[n])
      let error = unsafe Int(rest[n]) &+ (Int(near[n]) &- level) &<< 8
      if quantized &>> UInt32(n) & 1 != 0 { state = unsafe Int(states[n]) }
      let rate = unsafe table + state &* 16
      var cost: Int64
      var step = 1
      if level == 0 {
        if n < low, unsafe signs[group] &>> UInt16(n) & 1 != isNegative {
          n &-= 1
          continue
        }
        cost = unsafe Int64(65536 &- 512 &* error) &+ Int64(rate[1] &+ others[n] &- zeros[n])
      } else {
        let here = unsafe rate[min(level, 15)]
        if error > 0 {
          cost = unsafe Int64(65536 &- 512 &* error) &+ Int64(rate[min(level &+ 1, 15)] &- here)
        } else {
          step = -1
          cost = Int64(65536 &+ 512 &* error)
          if level == 1 {
            if n == low || n == most {
              n &-= 1
              continue
            }
            unsafe cost &+= Int64(zeros[n] &- others[n] &- here)
          } else {
            unsafe cost &+= Int64(rate[min(level, 16) &- 1] &- here)
          }
        }
      }
      if cost < least { (least, at, change) = (cost, n, step) }
      n &-= 1
    }
    unsafe levels[at] &+= Int16(change)
    return least
  }
}
