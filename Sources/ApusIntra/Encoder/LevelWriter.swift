// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Writes the levels of blocks: `residual_coding()`, ITU-T H.265, 7.3.8.11.
@unsafe struct LevelWriter {
  private let contexts: UnsafeMutablePointer<UInt8>
  private let scans: UnsafeMutablePointer<UInt8>
  private let coded: UnsafeMutablePointer<UInt8>
  private let hasTransformSkip: Bool

  init(
    _ contexts: UnsafeMutablePointer<UInt8>, _ scans: UnsafeMutablePointer<UInt8>,
    hasTransformSkip: Bool
  ) {
    unsafe self.hasTransformSkip = hasTransformSkip
    unsafe self.contexts = contexts
    unsafe self.scans = scans
    unsafe coded = .allocate(capacity: 96)
    unsafe coded.initialize(repeating: 0, count: 96)
  }

  func deallocate() { unsafe coded.deallocate() }

  /// - Parameters:
  ///   - levels: the levels in whole sub-blocks, in scan order.
  ///   - stored: the position of the last non-zero level, as stored in `CTBStore`.
  func write(
    _ levels: UnsafeMutablePointer<Int16>, stored: Int, log2: Int, isLuma: Bool, scan: Int,
    to engine: inout ArithmeticEncoder
  ) {
    var coder = unsafe engine
    let last = log2 == 2 ? stored & 15 : stored
    if unsafe hasTransformSkip, log2 == 2 {
      unsafe coder.encode(
        stored > 15 ? 1 : 0, contexts + (Context.transformSkip &+ (isLuma ? 0 : 1)))
    }
    let order = unsafe scans + (log2 == 5 ? 3 : scan &* 4 &+ log2 &- 2) &* 64
    let inside = unsafe Int(scans[Scans.places &+ scan &* 16 &+ last & 15])
    let lastGroup = last &>> 4
    var x = unsafe Int(order[lastGroup]) &* 4 &+ inside & 3
    var y = unsafe Int(order[Scans.rows &+ lastGroup]) &* 4 &+ inside &>> 2
    if scan == Scans.vertical { swap(&x, &y) }
    unsafe lastPosition(x, y, log2, isLuma: isLuma, &coder)

    for index in 0..<81 { unsafe coded[index] = 0 }
    var greater1 = 1
    var group = lastGroup
    while group >= 0 {
      let from = unsafe levels + group &* 16
      var found = unsafe apus_found(from)
      let cell = unsafe coded + (Int(order[Scans.rows &+ group]) &* 9 &+ Int(order[group]))
      let pattern = unsafe Int(cell[1] | cell[9] &<< 1)
      if group < lastGroup, group > 0 {
        let context = Context.codedSubBlock &+ (pattern != 0 ? 1 : 0) &+ (isLuma ? 0 : 2)
        unsafe coder.encode(found != 0 ? 1 : 0, contexts + context)
        if found == 0 {
          group &-= 1
          continue
        }
      }
      unsafe cell[0] = 1
      unsafe significance(
        found, group, lastGroup, last & 15, log2, isLuma: isLuma, scan: scan, pattern, &coder)
      guard found != 0 else { break }

      // Two flags for the first ones, then signs, then the rest without contexts.
      var set = group == 0 || !isLuma ? 0 : 2
      if group != lastGroup, greater1 == 0 { set &+= 1 }
      greater1 = 1
      let flags = unsafe contexts + (Context.greater1 &+ (isLuma ? 0 : 16) &+ set &* 4)
      let isHidden = 31 &- found.leadingZeroBitCount &- found.trailingZeroBitCount > 3
      var number = 0
      var signs: UInt32 = 0
      var open: UInt32 = 0
      var second = -1
      while found != 0 {
        let n = 31 &- found.leadingZeroBitCount
        found ^= 1 &<< UInt32(truncatingIfNeeded: n)
        let level = unsafe Int(from[n])
        signs = signs &<< 1 | (level < 0 ? 1 : 0)
        if number < 8 {
          let isGreater = abs(level) > 1 ? 1 : 0
          unsafe coder.encode(isGreater, flags + greater1)
          if isGreater != 0 {
            greater1 = 0
            if second < 0 { second = n } else { open |= 1 &<< UInt32(truncatingIfNeeded: n) }
          } else if greater1 > 0, greater1 < 3 {
            greater1 &+= 1
          }
        } else {
          open |= 1 &<< UInt32(truncatingIfNeeded: n)
        }
        number &+= 1
      }
      if second >= 0 {
        let isGreater = unsafe abs(Int(from[second])) > 2
        unsafe coder.encode(
          isGreater ? 1 : 0, contexts + (Context.greater2 &+ (isLuma ? 0 : 4) &+ set))
        if isGreater { open |= 1 &<< UInt32(truncatingIfNeeded: second) }
      }
      unsafe coder.bypass(isHidden ? signs &>> 1 : signs, isHidden ? number &- 1 : number)
      if open != 0 { unsafe remaining(from, open, second, &coder) }
      group &-= 1
    }
    unsafe engine = coder
  }

  @inline(__always)
  private func significance(
    _ found: UInt32, _ group: Int, _ lastGroup: Int, _ last: Int, _ log2: Int, isLuma: Bool,
    scan: Int, _ pattern: Int, _ coder: inout ArithmeticEncoder
  ) {
    var n = group == lastGroup ? last &- 1 : 15
    var base = Context.significant &+ (isLuma ? 0 : 27)
    let first = base
    let offsets: UnsafeMutablePointer<UInt8>
    if log2 == 2 {
      unsafe offsets = scans + (Scans.significance &+ scan &* 80 &+ 64)
    } else {
      unsafe offsets = scans + (Scans.significance &+ scan &* 80 &+ pattern &* 16)
      base &+=
        isLuma
        ? (group > 0 ? 3 : 0) &+ (log2 == 3 ? (scan == 0 ? 9 : 15) : 21) : (log2 == 3 ? 9 : 12)
    }
    while n > 0 {
      let bin = Int(truncatingIfNeeded: found &>> UInt32(truncatingIfNeeded: n)) & 1
      unsafe coder.encode(bin, contexts + (base &+ Int(offsets[n])))
      n &-= 1
    }
    guard n == 0 else { return }
    // Implied if all others of a coded sub-block are 0.
    if group > 0, group < lastGroup, found == 1 { return }
    unsafe coder.encode(Int(found & 1), contexts + (group == 0 ? first : base &+ Int(offsets[0])))
  }

  /// Writes `coeff_abs_level_remaining`: 9.3.3.11, for the levels in `open`.
  @inline(__always)
  private func remaining(
    _ levels: UnsafeMutablePointer<Int16>, _ open: UInt32, _ second: Int,
    _ coder: inout ArithmeticEncoder
  ) {
    var left = open
    var rice = 0
    let found = unsafe apus_found(levels)
    while left != 0 {
      let n = 31 &- left.leadingZeroBitCount
      left ^= 1 &<< UInt32(truncatingIfNeeded: n)
      let level = unsafe abs(Int(levels[n]))
      let number = ((found &>> 1) &>> UInt32(truncatingIfNeeded: n)).nonzeroBitCount
      let rest = level &- (number >= 8 ? 1 : n == second ? 3 : 2)
      unsafe Self.remaining(rest, rice, &coder)
      if level > 3 &<< rice, rice < 4 { rice &+= 1 }
    }
  }

  @inline(__always)
  private static func remaining(_ value: Int, _ rice: Int, _ coder: inout ArithmeticEncoder) {
    let prefix = value &>> rice
    if prefix < 4 {
      let bits = UInt32(truncatingIfNeeded: (2 &<< prefix) &- 2)
      let rest = UInt32(truncatingIfNeeded: value & ((1 &<< rice) &- 1))
      unsafe coder.bypass(
        bits &<< UInt32(truncatingIfNeeded: rice) | rest, prefix &+ 1 &+ rice)
      return
    }
    let bits = 63 &- (prefix &- 2).leadingZeroBitCount
    let length = bits &+ rice
    // The prefix in ones, then a zero, then the suffix.
    unsafe coder.bypass((1 &<< UInt32(truncatingIfNeeded: bits)) &- 1, bits)
    unsafe coder.bypass(14, 4)
    let rest = UInt32(truncatingIfNeeded: value &- ((1 &<< bits) &+ 2) &<< rice)
    if length > 16 {
      unsafe coder.bypass(rest &>> 16, length &- 16)
      unsafe coder.bypass(rest & 0xffff, 16)
    } else {
      unsafe coder.bypass(rest, length)
    }
  }

  @inline(__always)
  private func lastPosition(
    _ x: Int, _ y: Int, _ log2: Int, isLuma: Bool, _ coder: inout ArithmeticEncoder
  ) {
    let offset = isLuma ? 3 &* (log2 &- 2) &+ (log2 &- 1) &>> 2 : 15
    let shift = isLuma ? (log2 &+ 1) &>> 2 : log2 &- 2
    let most = 2 &* log2 &- 1
    let (column, row) = unsafe (Self.prefix(x), Self.prefix(y))
    for index in 0..<2 {
      let value = index == 0 ? column : row
      let base =
        unsafe contexts + ((index == 0 ? Context.lastXPrefix : Context.lastYPrefix) &+ offset)
      for bin in 0..<value { unsafe coder.encode(1, base + (bin &>> shift)) }
      if value < most { unsafe coder.encode(0, base + (value &>> shift)) }
    }
    for (value, prefix) in [(x, column), (y, row)] where prefix > 3 {
      let bits = prefix &>> 1 &- 1
      unsafe coder.bypass(UInt32(truncatingIfNeeded: value & ((1 &<< bits) &- 1)), bits)
    }
  }

  /// Returns `last_sig_coeff_x_prefix` of a coordinate.
  @inline(__always)
  private static func prefix(_ value: Int) -> Int {
    guard value > 3 else { return value }
    let bits = 62 &- value.leadingZeroBitCount
    return 2 &* (bits &+ 1) &+ (value &>> bits) & 1
  }
}
