// SPDX-License-Identifier: MIT

import HEVC

@testable import ApusIntra

/// `residual_coding()`: ITU-T H.265, 7.3.8.11.
extension PictureWriter {
  /// Writes thrown coefficients.
  mutating func residual(_ log2: Int, _ component: Int, _ mode: Int) {
    let range = options.sps.extensions.range
    let isLuma = component == 0
    let mostSkip = Int(options.pps.extensions.range.log2MaxTransformSkipBlockSizeMinus2) + 2
    var isSkipped = false
    if options.pps.transformSkipEnabledFlag, !isBypass, log2 <= mostSkip {
      isSkipped = flip(Context.transformSkip + (isLuma ? 0 : 1), percent: options.skipChance)
    }
    let isFlat = mode == 10 || mode == 26
    let isAccumulated = range.implicitRDPCMEnabledFlag && (isSkipped || isBypass) && isFlat
    let scan = scanIndex(log2, isLuma: isLuma, mode)
    let places = Self.places(log2, scan)
    let levels = self.levels(places.count, isSmall: isAccumulated || isBypass)
    guard let last = levels.lastIndex(where: { $0 != 0 }) else { return }

    lastPosition(places[last], log2, isLuma: isLuma, isTurned: scan == 2)
    var state = ResidualState(
      log2: log2, isLuma: isLuma, scan: scan, isDirect: isSkipped || isBypass,
      hidesSigns: options.pps.signDataHidingEnabledFlag && !isBypass
        && !(isAccumulated && isSkipped),
      coded: [Bool](repeating: false, count: 100))
    for index in (0...last / 16).reversed() {
      subBlock(index, last: last, levels, places, &state)
    }
  }

  struct ResidualState {
    var log2: Int
    var isLuma: Bool
    var scan: Int
    var isDirect: Bool
    var hidesSigns: Bool
    /// Sub-blocks with coefficients, in rows of 10.
    var coded: [Bool]
    /// `greater1Ctx` after the last flag; `nil` before the first sub-block.
    var greater1: Int?
  }

  /// Levels in scan order, at least one of them not 0.
  private mutating func levels(_ count: Int, isSmall: Bool) -> [Int] {
    var levels = [Int](repeating: 0, count: count)
    let reach = dice.chance(30) ? 1 : dice.chance(60) ? min(count, 20) : count
    let density = dice.roll(1...40)
    for index in 0..<reach where index == 0 || dice.chance(density) {
      var level = dice.chance(60) ? 1 : dice.roll(1...6)
      if dice.chance(options.largeChance) { level = dice.roll(1...(isSmall ? 60 : 900)) }
      if !isSmall, dice.chance(options.largeChance), dice.chance(10) {
        level = dice.roll(1...options.largestLevel)
      }
      levels[index] = dice.chance(50) ? level : -level
    }
    if dice.chance(30), reach > 1 { levels[0] = 0 }
    if !levels.contains(where: { $0 != 0 }) { levels[0] = 1 }
    return levels
  }

  private func scanIndex(_ log2: Int, isLuma: Bool, _ mode: Int) -> Int {
    guard log2 == 2 || (log2 == 3 && (isLuma || options.chroma == 3)) else { return 0 }
    return (6...14).contains(mode) ? 2 : (22...30).contains(mode) ? 1 : 0
  }

  /// Column and row of each coefficient in scan order: sub-block by sub-block.
  private static func places(_ log2: Int, _ scan: Int) -> [(x: Int, y: Int)] {
    let inside = order(2, scan)
    return order(log2 - 2, scan).flatMap { block in
      inside.map { (block.x * 4 + $0.x, block.y * 4 + $0.y) }
    }
  }

  private static func order(_ log2: Int, _ scan: Int) -> [(x: Int, y: Int)] {
    let side = 1 << log2
    switch scan {
    case 1: return (0..<side * side).map { ($0 % side, $0 / side) }
    case 2: return (0..<side * side).map { ($0 / side, $0 % side) }
    default:
      return (0..<2 * side - 1).flatMap { sum in
        (0..<side).filter { (0..<side).contains(sum - $0) }.map { ($0, sum - $0) }
      }
    }
  }

  private mutating func lastPosition(
    _ place: (x: Int, y: Int), _ log2: Int, isLuma: Bool, isTurned: Bool
  ) {
    let coordinates = isTurned ? [place.y, place.x] : [place.x, place.y]
    let offset = isLuma ? 3 * (log2 - 2) + (log2 - 1) / 4 : 15
    let shift = isLuma ? (log2 + 1) / 4 : log2 - 2
    var suffixes: [(value: Int, count: Int)] = []
    for (axis, value) in coordinates.enumerated() {
      var prefix = value
      if value > 3 {
        var bits = 1
        while value >> bits > 3 { bits += 1 }
        prefix = 2 * (bits + 1) + (value >> bits & 1)
        suffixes.append((value & (1 << bits - 1), bits))
      }
      let base = axis == 0 ? Context.lastXPrefix : Context.lastYPrefix
      for bin in 0..<prefix { write(1, base + offset + bin >> shift) }
      if prefix < 2 * log2 - 1 { write(0, base + offset + prefix >> shift) }
    }
    for suffix in suffixes { encoder.bypass(suffix.value, count: suffix.count) }
  }

  // MARK: - Sub-blocks

  private mutating func subBlock(
    _ index: Int, last: Int, _ levels: [Int], _ places: [(x: Int, y: Int)],
    _ state: inout ResidualState
  ) {
    let (blockX, blockY) = (places[index * 16].x / 4, places[index * 16].y / 4)
    let own = Array(levels[index * 16..<index * 16 + 16])
    let isLast = index == last / 16
    let right = state.coded[blockY * 10 + blockX + 1]
    let below = state.coded[(blockY + 1) * 10 + blockX]
    var isCoded = own.contains { $0 != 0 }
    var isInferred = false
    if !isLast, index > 0 {
      let context = Context.codedSubBlock + (right || below ? 1 : 0) + (state.isLuma ? 0 : 2)
      write(isCoded ? 1 : 0, context)
      isInferred = true
    } else {
      isCoded = true
    }
    guard isCoded else { return }
    state.coded[blockY * 10 + blockX] = true

    let pattern = (right ? 1 : 0) + (below ? 2 : 0)
    for place in (0..<16).reversed() {
      let number = index * 16 + place
      if number >= last { continue }
      let isOnly = place == 0 && isInferred && !own[1...].contains { $0 != 0 }
      if isOnly { continue }
      write(
        own[place] != 0 ? 1 : 0,
        significance(places[number], number, pattern, index, state))
    }
    let found = (0..<16).reversed().filter { own[$0] != 0 }
    if !found.isEmpty { remaining(found, own, index, &state) }
  }

  /// The context of `sig_coeff_flag`: 9.3.4.2.5.
  private func significance(
    _ place: (x: Int, y: Int), _ number: Int, _ pattern: Int, _ index: Int, _ state: ResidualState
  ) -> Int {
    if state.isDirect, options.sps.extensions.range.transformSkipContextEnabledFlag {
      return Context.significantSkipped + (state.isLuma ? 0 : 1)
    }
    var context: Int
    if state.log2 == 2 {
      context = [0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8][place.y * 4 + place.x]
    } else if place.x + place.y == 0 {
      context = 0
    } else {
      let (x, y) = (place.x & 3, place.y & 3)
      switch pattern {
      case 0: context = x + y == 0 ? 2 : x + y < 3 ? 1 : 0
      case 1: context = y == 0 ? 2 : y == 1 ? 1 : 0
      case 2: context = x == 0 ? 2 : x == 1 ? 1 : 0
      default: context = 2
      }
      if state.isLuma {
        if index > 0 { context += 3 }
        context += state.log2 == 3 ? (state.scan == 0 ? 9 : 15) : 21
      } else {
        context += state.log2 == 3 ? 9 : 12
      }
    }
    return Context.significant + context + (state.isLuma ? 0 : 27)
  }

  private mutating func remaining(
    _ found: [Int], _ own: [Int], _ index: Int, _ state: inout ResidualState
  ) {
    var set = index == 0 || !state.isLuma ? 0 : 2
    if state.greater1 == 0 { set += 1 }
    var greater1 = 1
    var second: Int?
    for place in found.prefix(8) {
      let isGreater = abs(own[place]) > 1
      write(isGreater ? 1 : 0, Context.greater1 + (state.isLuma ? 0 : 16) + set * 4 + greater1)
      if isGreater {
        greater1 = 0
        second = second ?? place
      } else if greater1 > 0, greater1 < 3 {
        greater1 += 1
      }
    }
    state.greater1 = greater1
    if let second {
      write(abs(own[second]) > 2 ? 1 : 0, Context.greater2 + (state.isLuma ? 0 : 4) + set)
    }
    let isHidden = state.hidesSigns && (found.first ?? 0) - (found.last ?? 0) > 3
    for place in found.dropLast(isHidden ? 1 : 0) { encoder.bypass(own[place] < 0 ? 1 : 0) }

    let isPersistent = options.sps.extensions.range.persistentRiceAdaptationEnabledFlag
    let statistic = (state.isLuma ? 2 : 0) + (state.isDirect ? 1 : 0)
    var rice = isPersistent ? statistics[statistic] / 4 : 0
    var isFirst = true
    for (number, place) in found.enumerated() {
      let level = abs(own[place])
      let base = number >= 8 ? 1 : place == second ? 3 : 2
      guard level >= base else { continue }
      let rest = level - base
      absolute(rest, rice)
      if level > 3 << rice { rice = isPersistent ? rice + 1 : min(rice + 1, 4) }
      if isPersistent, isFirst {
        let quarter = statistics[statistic] / 4
        if rest >= 3 << quarter {
          statistics[statistic] += 1
        } else if 2 * rest < 1 << quarter, statistics[statistic] > 0 {
          statistics[statistic] -= 1
        }
      }
      isFirst = false
    }
  }

  /// `coeff_abs_level_remaining`: 9.3.3.11.
  private mutating func absolute(_ value: Int, _ rice: Int) {
    if value < 3 << rice {
      for _ in 0..<value >> rice { encoder.bypass(1) }
      encoder.bypass(0)
      encoder.bypass(value & (1 << rice - 1), count: rice)
      return
    }
    var rest = value - 3 << rice
    var length = rice
    while rest >= 1 << length {
      rest -= 1 << length
      length += 1
    }
    for _ in 0..<3 + length - rice { encoder.bypass(1) }
    encoder.bypass(0)
    encoder.bypass(rest, count: length)
  }
}
