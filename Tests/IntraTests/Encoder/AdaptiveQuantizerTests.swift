// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import ApusIntra

/// What is known of a group before it is searched, beside a slow model in floating point.
@Suite struct AdaptiveQuantizerTests {
  /// The squared differences from the mean, and how much of them is those of the plane that fits best.
  private static func energies(_ side: Int, _ sample: (Int, Int) -> UInt16) -> (Double, Double) {
    let middle = Double(side - 1) / 2
    var (sum, squares, across, down, weights) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for y in 0..<side {
      for x in 0..<side {
        let value = Double(sample(x, y))
        sum += value
        squares += value * value
        across += value * (Double(x) - middle)
        down += value * (Double(y) - middle)
        weights += (Double(x) - middle) * (Double(x) - middle)
      }
    }
    let energy = squares - sum * sum / Double(side * side)
    return (energy, (across * across + down * down) / weights)
  }

  @Test(arguments: [8, 10])
  func `it knows gradients from detail`(depth: Int) {
    var dice = Dice(depth)
    let store = unsafe CTBStore()
    defer { unsafe store.deallocate() }
    let (most, base) = (1 << depth - 1, 17 << 8)
    let quantizers = unsafe AdaptiveQuantizers(
      store, hasChroma: true, bitDepth: depth, base: base)
    var counts = (smooth: 0, rough: 0, busy: 0, calm: 0)
    for round in 0..<400 {
      let noise = [0, 0, 1, 3, 20, most][round % 6]
      let slopes = (0..<6).map { _ in Double(dice.roll(-100...100)) / 40 }
      func value(_ x: Int, _ y: Int, _ plane: Int) -> UInt16 {
        let ramp = slopes[plane * 2] * Double(x - 16) + slopes[plane * 2 + 1] * Double(y - 16)
        return UInt16(max(0, min(most, most / 2 + Int(ramp.rounded()) + dice.roll(-noise...noise))))
      }
      for place in 0..<64 * 64 { unsafe store.luma[place] = value(place % 64, place / 64, 0) }
      for place in 0..<2048 {
        unsafe store.chroma[place] = value(place % 32, place % 1024 / 32, 1 + place / 1024)
      }
      let group = unsafe quantizers.group(32, 0, width: 32, height: 32)
      var (wholes, rests): ([Double], [Double]) = ([], [])
      for part in 0..<4 {
        let (x, y) = (32 + part % 2 * 16, part / 2 * 16)
        var (whole, slope) = Self.energies(16) { unsafe store.luma[(y + $1) * 64 + x + $0] }
        for plane in 0..<2 {
          let found = Self.energies(8) {
            unsafe store.chroma[plane * 1024 + (y / 2 + $1) * 32 + x / 2 + $0]
          }
          (whole, slope) = (whole + found.0, slope + found.1)
        }
        // Whole numbers in between make each of six divisions a little less.
        wholes.append(log2(max(whole, 1)) - Double(2 * (depth - 8)))
        rests.append(log2(max(whole - slope, 1)) - Double(2 * (depth - 8)))
      }
      let exact = 17 + 1.0397 * (wholes.reduce(0, +) / 4 - 14.427)
      #expect(abs(Double(group.qp) - max(0, exact)) < 0.55, "round \(round)")
      let step = Double(group.qp - 4) / 3
      // A little on either side of a bound, neither is wrong.
      if rests.allSatisfy({ abs($0 - 6) > 0.2 }) {
        let isSmooth = rests.allSatisfy { $0 < 6 }
        #expect(group.isSmooth == isSmooth, "round \(round)")
        if isSmooth { counts.smooth += 1 } else { counts.rough += 1 }
      }
      let bounds = rests.map { $0 - 11.25 - step } + [rests.reduce(0, +) / 4 - 8.5 - step]
      for (bit, over) in bounds.enumerated() where abs(over) > 0.2 {
        #expect((group.busy >> UInt8(bit) & 1 != 0) == (over > 0), "round \(round), \(bit)")
        if over > 0 { counts.busy += 1 } else { counts.calm += 1 }
      }
    }
    #expect(min(counts.smooth, counts.rough, counts.busy, counts.calm) > 20, "\(counts)")
  }
}
