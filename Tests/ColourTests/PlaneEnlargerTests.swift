// SPDX-License-Identifier: MIT

import ApusColour
import Testing

@Suite struct PlaneEnlargerTests {
  /// Enlarges a plane whose rows begin further apart than they are wide.
  private static func enlarged<Sample: FixedWidthInteger & UnsignedInteger>(
    _ source: [Sample], _ from: (width: Int, height: Int), _ to: (width: Int, height: Int),
    largest: Int
  ) -> [Sample] {
    let padding = 3
    var padded: [Sample] = []
    for row in 0..<from.height {
      padded += source[row * from.width..<(row + 1) * from.width]
      padded += Array(repeating: 7, count: padding)
    }
    var target = [Sample](repeating: 0, count: to.width * to.height)
    unsafe PlaneEnlarger(from: from, to: to).enlarge(
      padded, into: &target, strides: (from.width + padding, to.width), largest: largest)
    return target
  }

  /// Expected values: Pillow 13.0.0, `Image.resize((30, 25), Image.BICUBIC)` of floats.
  @Test func `it interpolates as Pillow does, away from the edges`() {
    let source = (0..<10).flatMap { y in (0..<12).map { x in UInt16((x * 37 + y * 91) % 251) } }
    let large = Self.enlarged(source, (12, 10), (30, 25), largest: 1023)
    let expected: [[Double]] = [
      [118.581, 136.458, 156.13, 174.12, 189.636, 204.339],
      [167.568, 160.559, 140.189, 133.299, 146.5, 165.515],
      [219.857, 173.438, 89.168, 42.868, 53.165, 79.837],
      [223.185, 164.9, 61.071, 2.703, 12.045, 41.086],
    ]
    for (y, row) in expected.enumerated() {
      for (x, value) in row.enumerated() {
        let found = Double(large[(8 + y) * 30 + 8 + x])
        #expect(abs(found - value) <= 0.51, "\(x), \(y)")
      }
    }
  }

  @Test func `it stays within the range of samples`() {
    let source: [UInt8] = [10, 200, 30, 90, 250, 0, 128, 64, 77, 180, 5, 240]
    // Pillow's values of floats beyond the range are -9 and 263.
    let large = Self.enlarged(source, (12, 1), (30, 1), largest: 255)
    let middle: [UInt8] = [168, 75, 26, 39, 79, 144, 229, 240, 127, 12, 17, 92, 129, 103, 68]
    #expect(Array(large[4..<19]) == middle)
  }

  @Test func `it keeps a plane of the same size and one of one value`() {
    let source = (0..<35).map { UInt8($0 * 7) }
    #expect(Self.enlarged(source, (5, 7), (5, 7), largest: 255) == source)
    let flat = [UInt8](repeating: 201, count: 6)
    #expect(Set(Self.enlarged(flat, (3, 2), (17, 11), largest: 255)) == [201])
    #expect(Set(Self.enlarged([9 as UInt8], (1, 1), (4, 4), largest: 255)) == [9])
  }
}
