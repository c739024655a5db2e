// SPDX-License-Identifier: MIT

import Testing

@testable import ApusIntra

/// The samples around a block beside a slow model: ITU-T H.265, 8.4.4.2.2.
@Suite struct ReferenceSamplesTests {
  @Test func `it puts others in the place of samples of 8 bits that are not there`() {
    check(UInt8.self, bitDepth: 8)
  }

  @Test func `it puts others in the place of samples of 10 bits that are not there`() {
    check(UInt16.self, bitDepth: 10)
  }

  private func check<Sample: FixedWidthInteger & UnsignedInteger>(
    _ type: Sample.Type, bitDepth: Int
  ) {
    var dice = Dice(bitDepth)
    let plane = unsafe PlaneMemory<Sample>(columns: 128, rows: 128)
    let references = unsafe ReferenceSamples<Sample>()
    defer {
      unsafe plane.deallocate()
      unsafe references.deallocate()
    }
    for y in 0..<128 {
      for x in 0..<128 {
        unsafe plane[x, y].pointee = Sample(dice.roll(0...(1 << bitDepth - 1)))
      }
    }
    for round in 0..<2000 {
      let side = 4 << (round % 4)
      let units = [(4, 4), (2, 2), (4, 2)][round % 3]
      var neighbours = ReferenceSamples<Sample>.Neighbours()
      (neighbours.leftUnit, neighbours.aboveUnit) = units
      (neighbours.leftUnits, neighbours.aboveUnits) = (2 * side / units.0, 2 * side / units.1)
      neighbours.left = Self.mask(neighbours.leftUnits, &dice)
      neighbours.above = Self.mask(neighbours.aboveUnits, &dice)
      neighbours.hasCorner = dice.chance(70)
      let (x, y) = (dice.roll(0...(128 - side)), dice.roll(0...(128 - side)))
      unsafe references.gather(
        plane[x, y], stride: plane.stride, side: side, neighbours, bitDepth: bitDepth)
      // From the lowest on the left up to the corner, and on to the right.
      let left = (0..<2 * side).map { index in
        neighbours.left >> UInt32(index / units.0) & 1 == 0
          ? nil : unsafe plane[x - 1, y + index].pointee
      }
      let above = (0..<2 * side).map { index in
        neighbours.above >> UInt32(index / units.1) & 1 == 0
          ? nil : unsafe plane[x + index, y - 1].pointee
      }
      let corner = neighbours.hasCorner ? unsafe plane[x - 1, y - 1].pointee : nil
      let expected = Self.substituted(left.reversed() + [corner] + above, bitDepth)
      let found =
        (0..<2 * side).reversed().map { unsafe references.plain.left[$0] }
        + [unsafe references.plain.left[-1]]
        + (0..<2 * side).map { unsafe references.plain.above[$0] }
      #expect(found == expected, "round \(round)")
      #expect(unsafe references.plain.above[-1] == expected[2 * side], "round \(round)")
    }
  }

  /// Mostly the first units, as slices have them that do not begin nearby.
  private static func mask(_ units: Int, _ dice: inout Dice) -> UInt32 {
    let all = UInt32(truncatingIfNeeded: UInt64(1) << UInt64(units) - 1)
    if dice.chance(30) { return UInt32(truncatingIfNeeded: dice.next()) & all }
    return all >> UInt32(dice.roll(0...units))
  }

  /// Each that is not there is what the one before it is, and those before the first are like the first.
  private static func substituted<Sample: FixedWidthInteger & UnsignedInteger>(
    _ samples: [Sample?], _ bitDepth: Int
  ) -> [Sample] {
    var last = samples.compactMap { $0 }.first ?? Sample(1 << (bitDepth - 1))
    return samples.map { sample in
      last = sample ?? last
      return last
    }
  }
}
