// SPDX-License-Identifier: MIT

import CApusPixel
import Testing

@testable import ApusIntra

/// How levels are chosen and written, beside a slow model of what they are written as.
@Suite struct LevelDecisionTests {
  private static func contexts(qp: Int) -> [UInt8] {
    Context.initialValues.map { UInt8(Context.initialState($0, sliceQP: qp)) }
  }

  /// Differences of many kinds, from none to the largest there are.
  private static func source(_ count: Int, _ most: Int, _ dice: inout Dice) -> [UInt16] {
    let spread = [0, 1, 4, 12, 40, most, most][dice.roll(0...6)]
    let isExtreme = dice.chance(10)
    return (0..<count).map { _ in
      if isExtreme { return dice.chance(50) ? 0 : UInt16(most) }
      return UInt16(min(most, max(0, most / 2 + dice.roll(-spread...spread))))
    }
  }

  /// Random decisions, in the order of coding, with contexts that adapt.
  @Test(arguments: [false, true])
  func `it writes levels as the standard has them`(isLuma: Bool) {
    let entries = Scans()
    var scans = entries.entries
    for seed in 0..<40 {
      var dice = Dice(seed * 2 + (isLuma ? 1 : 0))
      var fast = Self.contexts(qp: 30)
      var slow = fast.map { Int($0) }
      var engine = unsafe ArithmeticEncoder()
      var model = BinEncoder()
      let writer = unsafe LevelWriter(&fast, &scans, hasTransformSkip: false)
      unsafe engine.begin()
      unsafe engine.reserve(1 << 18)
      for _ in 0..<30 {
        let log2 = dice.roll(2...(isLuma ? 5 : 4))
        let hasScans = log2 == 2 || (log2 == 3 && isLuma)
        let scan = hasScans ? dice.roll(0...2) : 0
        let density = [1, 5, 30, 90][dice.roll(0...3)]
        let most = [1, 3, 20, 32767][dice.roll(0...3)]
        var levels = (0..<1 << (2 * log2)).map { _ in
          dice.chance(density) ? dice.roll(-most...most) : 0
        }
        if levels.allSatisfy({ $0 == 0 }) { levels[dice.roll(0...levels.count - 1)] = 1 }
        let block = SlowLevels(log2: log2, isLuma: isLuma, scan: scan, levels: levels)
        for bin in block.bins {
          if let context = bin.context {
            model.encode(bin.value, &slow[context])
          } else {
            model.bypass(bin.value)
          }
        }
        var numbers = levels.map { Int16($0) }
        let last = levels.lastIndex { $0 != 0 } ?? 0
        unsafe writer.write(
          &numbers, stored: last, log2: log2, isLuma: isLuma, scan: scan, to: &engine)
      }
      model.terminate(1)
      unsafe engine.finish()
      let bytes = unsafe Array(UnsafeBufferPointer(start: engine.bytes, count: engine.count))
      #expect(bytes == model.bits.bytes, "seed \(seed)")
      #expect(fast.map { Int($0) } == slow, "seed \(seed)")
      unsafe writer.deallocate()
      unsafe engine.deallocate()
    }
  }

  /// Of one block the estimate may be off, since what is coded before its last level depends on those that are left out after
  /// it; in all it may not.
  @Test(arguments: [8, 10], [true, false])
  func `it knows what the levels it chooses cost`(depth: Int, isLuma: Bool) {
    var dice = Dice(depth + 5)
    let tools = unsafe EncodingTools(bitDepth: depth, isPortable: false)
    defer { unsafe tools.deallocate() }
    var (expected, counted, hidden): (Int64, Int64, Int) = (0, 0, 0)
    var (coefficients, samples): (Int64, Int64) = (0, 0)
    for round in 0..<1200 {
      let log2 = 2 + round % (isLuma ? 4 : 3)
      let side = 1 << log2
      let qp = dice.roll(6 * (depth - 8)...51)
      var contexts = Self.contexts(qp: qp)
      _ = unsafe tools.rates.weigh(Quantizer.bitCost(qp: qp))
      unsafe tools.rates.update(&contexts)
      let trial = unsafe BlockTrial(log2: log2, tools.rates)
      defer { unsafe trial.deallocate() }
      let most = 1 << depth - 1
      var source = Self.source(side * side, most, &dice)
      for place in 0..<side * side { unsafe trial.prediction[place] = UInt16(most / 2) }
      let mode = dice.roll(0...34)
      var result = unsafe tools.quantize(
        trial, &source, side, mode: mode, qp: qp, isLuma: isLuma, (500, 700))
      var none = result
      none.last = -1
      let nothing = unsafe tools.coefficientError(trial, none) + 500
      #expect(result.cost <= nothing, "round \(round)")
      guard result.last >= 0 else {
        #expect(result.cost == nothing, "round \(round)")
        continue
      }
      unsafe tools.hide(trial, &result, isLuma: isLuma)
      var levels = (0..<(result.last | 15) + 1).map { unsafe Int(trial.levels[$0]) }
      levels += [Int](repeating: 0, count: side * side - levels.count)
      #expect(levels.lastIndex { $0 != 0 } == result.last, "round \(round)")
      for start in stride(from: 0, to: levels.count, by: 16) {
        let group = levels[start..<start + 16]
        guard let low = group.firstIndex(where: { $0 != 0 }),
          let high = group.lastIndex(where: { $0 != 0 }), high - low > 3
        else { continue }
        hidden += 1
        let isOdd = group.reduce(0) { $0 + abs($1) } & 1 != 0
        #expect(isOdd == (levels[low] < 0), "round \(round)")
      }
      let slow = SlowLevels(log2: log2, isLuma: isLuma, scan: result.scan, levels: levels)
      let error = unsafe tools.coefficientError(trial, result)
      expected += result.cost - error - 700
      counted += unsafe slow.cost(contexts, tools.rates)
      // Where all is within range, the error of the samples is that of the coefficients and of rounding.
      guard isLuma, qp > 24, source.allSatisfy({ $0 > most / 4 && $0 < most * 3 / 4 }) else {
        continue
      }
      let before = result.cost
      unsafe tools.settle(trial, &result, &source, side, qp: qp, isLuma: true)
      coefficients += error
      samples += result.cost - before + error
    }
    #expect(hidden > 500)
    #expect(abs(expected - counted) * 200 < counted, "\(expected), counted \(counted)")
    guard isLuma else { return }
    #expect(samples > 0)
    #expect(
      abs(samples - coefficients) * 100 < samples * 4, "\(coefficients), of samples \(samples)")
  }

  @Test
  func `it quantizes as a slow model does`() {
    var dice = Dice(77)
    let kinds: [Int32] = apus_has_wide() != 0 ? [0, 1] : [0]
    for round in 0..<400 {
      let log2 = 2 + round % 4
      let (side, count) = (1 << log2, 1 << (2 * log2 - 4))
      let scan = log2 < 4 ? dice.roll(0...2) : 0
      let qp = dice.roll(0...51)
      let quantizer = Quantizer(qp: qp, log2: log2, bitDepth: 8)
      let spread = [1, 30, 900, 32767][dice.roll(0...3)]
      let coefficients = (0..<side * side).map { _ in Int16(dice.roll(-spread...spread)) }
      // Sub-blocks in any order.
      let groups = (0..<count).map { (index: Int) -> UInt16 in
        let place = (index * 5 + round) % count
        let (column, row) = (place / (side / 4), place % (side / 4))
        return UInt16(4 * (row * side + column))
      }
      let order = SlowLevels.order(4, scan)
      for kind in kinds {
        var levels = [Int16](repeating: 0, count: side * side)
        var rests = levels
        var masks = [UInt16](repeating: 9, count: count)
        var signs = masks
        var error: Int64 = 0
        let last = unsafe apus_quantize(
          kind, &levels, &rests, &masks, &signs, coefficients, groups, Int32(count), Int32(side),
          Int32(scan), quantizer.scale, quantizer.shift, quantizer.least, &error)
        var (skipped, zeros, expectedLast) = (Int64(0), Int64(0), -1)
        for index in 0..<count {
          let values = order.map { Int(coefficients[Int(groups[index]) + $0.x * side + $0.y]) }
          let scaled = values.map { (abs($0) * Int(quantizer.scale)) >> Int(quantizer.shift) }
          let near = scaled.map { ($0 + 128) >> 8 }
          guard near.contains(where: { $0 > 0 }) else {
            #expect(masks[index] == 0, "round \(round), kind \(kind)")
            skipped += values.reduce(0) { $0 + Int64($1 * $1) }
            continue
          }
          expectedLast = index
          for place in 0..<16 {
            let rest = scaled[place] - near[place] << 8
            #expect(Int(levels[index * 16 + place]) == near[place], "round \(round)")
            #expect(Int(rests[index * 16 + place]) == rest, "round \(round)")
            #expect((masks[index] >> UInt16(place) & 1 != 0) == (near[place] > 0))
            #expect((signs[index] >> UInt16(place) & 1 != 0) == (values[place] < 0))
            if near[place] == 0 { zeros += Int64(rest * rest) }
          }
        }
        let (scale, shift) = (Int64(quantizer.scale), Int64(quantizer.shift))
        #expect(Int(last) == expectedLast, "round \(round), kind \(kind)")
        let left = (((skipped * scale) >> shift) * scale) >> shift
        #expect(error == left + zeros, "round \(round)")
      }
    }
  }

  @Test
  func `it adds up squares, tells odd sums and puts on signs as slow loops do`() {
    var dice = Dice(5)
    let kinds: [Int32] = apus_has_wide() != 0 ? [0, 1] : [0]
    for round in 0..<200 {
      let side = 4 << (round % 4)
      let most = round % 3 == 0 ? 1023 : 255
      let isExtreme = dice.chance(30)
      let (one, other) = (
        (0..<side * side).map { _ in UInt16(isExtreme ? 0 : dice.roll(0...most)) },
        (0..<side * side).map { _ in UInt16(isExtreme ? most : dice.roll(0...most)) }
      )
      let squares = zip(one, other).reduce(0) {
        $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
      }
      for kind in kinds {
        let sum = unsafe apus_squares(kind, one, side, other, side, Int32(round % 4 + 2))
        #expect(Int(sum) == squares, "round \(round), kind \(kind)")
      }
      var numbers = (0..<16).map { _ in Int16(dice.chance(50) ? 0 : dice.roll(0...32767)) }
      let sum = numbers.reduce(0) { $0 + Int($1) }
      #expect(unsafe apus_odd(numbers) == UInt32(sum & 1), "round \(round)")
      let signs = UInt16(dice.roll(0...65535))
      let signed = numbers.enumerated().map {
        signs >> UInt16($0.offset) & 1 != 0 ? -$0.element : $0.element
      }
      unsafe apus_sign(&numbers, signs)
      #expect(numbers == signed, "round \(round)")
    }
  }
}
