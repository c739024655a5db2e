// SPDX-License-Identifier: MIT

@testable import ApusIntra

/// The levels of a block as `residual_coding()` has them, bin after bin, with everything worked out from its place: ITU-T H.265,
/// 7.3.8.11 and 9.3.4.2. Nothing of it is the encoder's.
struct SlowLevels {
  let log2: Int
  let isLuma: Bool
  let scan: Int
  /// In the order of the scan, sub-block by sub-block.
  let levels: [Int]

  /// A bin and its context variable, `nil` without one.
  typealias Bin = (value: Int, context: Int?)

  /// Where the numbers of a scan lie in a square: 6.5.3 to 6.5.5.
  static func order(_ side: Int, _ scan: Int) -> [(x: Int, y: Int)] {
    let all = (0..<side * side).map { (x: $0 % side, y: $0 / side) }
    switch scan {
    case Scans.horizontal: return all
    case Scans.vertical: return all.map { (x: $0.y, y: $0.x) }
    default: return all.sorted { ($0.x + $0.y, $0.x) < ($1.x + $1.y, $1.x) }
    }
  }

  var bins: [Bin] {
    guard let last = levels.lastIndex(where: { $0 != 0 }) else { return [] }
    var bins: [Bin] = []
    let side = 1 << (log2 - 2)
    let groups = Self.order(side, log2 == 3 ? scan : Scans.diagonal)
    let inside = Self.order(4, scan)
    let (lastGroup, lastPlace) = (groups[last / 16], inside[last % 16])
    let (x, y) = (lastGroup.x * 4 + lastPlace.x, lastGroup.y * 4 + lastPlace.y)
    bins += lastPosition(scan == Scans.vertical ? (y, x) : (x, y))

    var coded = Set<Int>()
    var isAfterGreater = false
    for index in (0...last / 16).reversed() {
      let group = groups[index]
      let own = Array(levels[index * 16..<index * 16 + 16])
      let isRight = coded.contains(group.y * 8 + group.x + 1)
      let isBelow = coded.contains((group.y + 1) * 8 + group.x)
      let isCoded = own.contains { $0 != 0 }
      if index < last / 16, index > 0 {
        let context = (isRight || isBelow ? 1 : 0) + (isLuma ? 0 : 2)
        bins.append((isCoded ? 1 : 0, Context.codedSubBlock + context))
      }
      if isCoded || index == 0 || index == last / 16 { coded.insert(group.y * 8 + group.x) }
      guard isCoded || index == 0 else { continue }

      let pattern = (isRight ? 1 : 0) + (isBelow ? 2 : 0)
      let isKnown = index > 0 && index < last / 16
      for place in (0..<(index == last / 16 ? last % 16 : 16)).reversed() {
        if place == 0, isKnown, own[1...].allSatisfy({ $0 == 0 }) { continue }
        let context = significance(group, inside[place], pattern)
        bins.append((own[place] != 0 ? 1 : 0, Context.significant + context))
      }
      guard isCoded else { continue }
      bins += magnitudes(
        own, set: (index == 0 || !isLuma ? 0 : 2) + (isAfterGreater ? 1 : 0))
      isAfterGreater = own.filter { $0 != 0 }.suffix(8).contains { abs($0) > 1 }
    }
    return bins
  }

  /// What bins cost where their context variables stay as they are.
  func cost(_ contexts: [UInt8], _ rates: LevelRates) -> Int64 {
    bins.reduce(0) { sum, bin in
      guard let context = bin.context else { return unsafe sum + Int64(rates.bit) }
      return unsafe sum + Int64(rates.bins[Int(contexts[context]) * 2 + bin.value])
    }
  }

  private func lastPosition(_ place: (Int, Int)) -> [Bin] {
    var bins: [Bin] = []
    var suffixes: [Bin] = []
    for (axis, value) in [place.0, place.1].enumerated() {
      let offset = isLuma ? 3 * (log2 - 2) + (log2 - 1) >> 2 : 15
      let shift = isLuma ? (log2 + 1) >> 2 : log2 - 2
      let base = (axis == 0 ? Context.lastXPrefix : Context.lastYPrefix) + offset
      // Each prefix from 4 on stands for so many values in a row.
      var (prefix, first, bits) = (0, 0, 0)
      while value >= first + 1 << bits {
        first += 1 << bits
        prefix += 1
        bits = max(0, prefix / 2 - 1)
      }
      for bin in 0..<prefix { bins.append((1, base + bin >> shift)) }
      if prefix < 2 * log2 - 1 { bins.append((0, base + prefix >> shift)) }
      for bit in (0..<bits).reversed() { suffixes.append(((value - first) >> bit & 1, nil)) }
    }
    return bins + suffixes
  }

  /// `sigCtx`: 9.3.4.2.5.
  private func significance(_ group: (x: Int, y: Int), _ place: (x: Int, y: Int), _ pattern: Int)
    -> Int
  {
    let small = [0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8]
    let chroma = isLuma ? 0 : 27
    if log2 == 2 { return small[place.y * 4 + place.x] + chroma }
    let isFirst = group.x + group.y == 0
    if isFirst, place.x + place.y == 0 { return chroma }
    let sum = place.x + place.y
    var context: Int
    switch pattern {
    case 0: context = sum == 0 ? 2 : sum < 3 ? 1 : 0
    case 1: context = place.y == 0 ? 2 : place.y == 1 ? 1 : 0
    case 2: context = place.x == 0 ? 2 : place.x == 1 ? 1 : 0
    default: context = 2
    }
    guard isLuma else { return chroma + context + (log2 == 3 ? 9 : 12) }
    if !isFirst { context += 3 }
    return context + (log2 == 3 ? (scan == Scans.diagonal ? 9 : 15) : 21)
  }

  /// Two flags for the first ones, signs, and the rest.
  private func magnitudes(_ own: [Int], set: Int) -> [Bin] {
    var bins: [Bin] = []
    let places = own.indices.reversed().filter { own[$0] != 0 }
    var state = 1
    var second: Int?
    for place in places.prefix(8) {
      let isGreater = abs(own[place]) > 1
      let base = Context.greater1 + (isLuma ? 0 : 16)
      bins.append((isGreater ? 1 : 0, base + set * 4 + min(state, 3)))
      if isGreater { second = second ?? place }
      state = isGreater ? 0 : state > 0 ? state + 1 : 0
    }
    if let second {
      let base = Context.greater2 + (isLuma ? 0 : 4)
      bins.append((abs(own[second]) > 2 ? 1 : 0, base + set))
    }
    let isHidden = (places.first ?? 0) - (places.last ?? 0) > 3
    for place in isHidden ? places.dropLast() : places {
      bins.append((own[place] < 0 ? 1 : 0, nil))
    }
    var rice = 0
    for (number, place) in places.enumerated() {
      let level = abs(own[place])
      let base = number >= 8 ? 1 : place == second ? 3 : 2
      guard level >= base else { continue }
      bins += remaining(level - base, rice)
      if level > 3 << rice { rice = min(rice + 1, 4) }
    }
    return bins
  }

  /// 9.3.3.11.
  private func remaining(_ value: Int, _ rice: Int) -> [Bin] {
    var bins: [Int] = []
    if value < 4 << rice {
      bins = [Int](repeating: 1, count: value >> rice) + [0]
      for bit in (0..<rice).reversed() { bins.append(value >> bit & 1) }
    } else {
      bins = [1, 1, 1, 1]
      var (rest, order) = (value - 4 << rice, rice + 1)
      while rest >= 1 << order {
        bins.append(1)
        rest -= 1 << order
        order += 1
      }
      bins.append(0)
      for bit in (0..<order).reversed() { bins.append(rest >> bit & 1) }
    }
    return bins.map { ($0, nil) }
  }
}
