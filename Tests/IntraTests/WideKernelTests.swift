// SPDX-License-Identifier: MIT

import CApusPixel
import Testing

@testable import ApusIntra

/// The decoder's kernels beside slow models: what every machine has, and those by AVX2 or NEON where a machine has them.
@Suite struct WideKernelTests {
  private static let kinds: [Int32] = apus_has_wide() != 0 ? [0, 1] : [0]

  @Test(arguments: [8, 10, 12])
  func `it transforms back as the matrix says`(depth: Int) {
    var dice = Dice(depth)
    for round in 0..<240 {
      let log2 = 2 + round % 4
      let side = 1 << log2
      let isSine = log2 == 2 && dice.chance(50)
      let (columns, rows) = (4 * dice.roll(1...side / 4), 4 * dice.roll(1...side / 4))
      let most = [40, 2000, 32767][round % 3]
      var coefficients = [Int16](repeating: 0, count: side * side)
      for _ in 0..<dice.roll(1...columns * rows) {
        let place = dice.roll(0...rows - 1) * side + dice.roll(0...columns - 1)
        coefficients[place] = Int16(dice.chance(20) ? -most - 1 : dice.roll(-most...most))
      }
      let slow = Self.slow(coefficients, log2, depth, isSine: isSine)
      for kind in Self.kinds {
        let transform = unsafe InverseTransform(bitDepth: depth, wide: kind)
        for place in coefficients.indices {
          unsafe transform.coefficients[place] = coefficients[place]
        }
        unsafe transform.transform(log2, columns: columns, rows: rows, isSine: isSine)
        let isSame = slow.indices.allSatisfy { unsafe transform.residual[$0] == slow[$0] }
        unsafe transform.deallocate()
        #expect(isSame, "round \(round), \(side) × \(side), \(columns) × \(rows), kind \(kind)")
      }
    }
  }

  /// Columns, then rows, clipped between: ITU-T H.265, 8.6.4.2.
  private static func slow(_ from: [Int16], _ log2: Int, _ depth: Int, isSine: Bool) -> [Int16] {
    let side = 1 << log2
    let sine: [[Int]] = [
      [29, 55, 74, 84], [74, 74, 0, -74], [84, -29, -74, 55], [55, -84, 74, -29],
    ]
    let matrix = (0..<side).map { row in
      (0..<side).map { column in
        isSine
          ? sine[row][column] : Int(TransformMatrix.entry(log2: log2, row: row, column: column))
      }
    }
    func rounded(_ sum: Int, _ shift: Int) -> Int {
      max(-32768, min(32767, (sum + 1 << (shift - 1)) >> shift))
    }
    var between = [Int](repeating: 0, count: side * side)
    var result = [Int16](repeating: 0, count: side * side)
    for y in 0..<side {
      for x in 0..<side {
        let sum = (0..<side).reduce(0) { $0 + matrix[$1][y] * Int(from[$1 * side + x]) }
        between[y * side + x] = rounded(sum, 7)
      }
      for x in 0..<side {
        let sum = (0..<side).reduce(0) { $0 + matrix[$1][x] * between[y * side + $1] }
        result[y * side + x] = Int16(rounded(sum, 20 - depth))
      }
    }
    return result
  }

  @Test func `it predicts samples of 8 bits as those of 16`() {
    var dice = Dice(3)
    let wide = unsafe IntraPrediction<UInt16>(bitDepth: 8)
    let kinds = unsafe Self.kinds.map { unsafe IntraPrediction<UInt8>(bitDepth: 8, wide: $0) }
    let expected = UnsafeMutablePointer<UInt16>.allocate(capacity: 1024)
    let found = UnsafeMutablePointer<UInt8>.allocate(capacity: 1024)
    defer {
      unsafe expected.deallocate()
      unsafe found.deallocate()
      unsafe wide.deallocate()
      for index in unsafe kinds.indices { unsafe kinds[index].deallocate() }
    }
    for round in 0..<4 * 35 * 4 {
      let (log2, mode, hasEdges) = (2 + round % 4, round / 4 % 35, dice.chance(50))
      let side = 1 << log2
      let isExtreme = dice.chance(20)
      for place in -1..<2 * side {
        for isLeft in [true, false] {
          let sample = isExtreme ? (dice.chance(50) ? 0 : 255) : dice.roll(0...255)
          let sides = unsafe wide.references.plain
          unsafe (isLeft ? sides.left : sides.above)[place] = UInt16(sample)
          for index in unsafe kinds.indices {
            let sides = unsafe kinds[index].references.plain
            unsafe (isLeft ? sides.left : sides.above)[place] = UInt8(sample)
          }
        }
      }
      unsafe wide.predict(
        expected, stride: side, log2: log2, mode: mode, wide.references.plain, edges: hasEdges,
        flatEdges: hasEdges)
      for index in unsafe kinds.indices {
        let kind = unsafe kinds[index]
        unsafe kind.predict(
          found, stride: side, log2: log2, mode: mode, kind.references.plain, edges: hasEdges,
          flatEdges: hasEdges)
        let isSame = (0..<side * side).allSatisfy { unsafe UInt16(found[$0]) == expected[$0] }
        #expect(isSame, "mode \(mode), \(side) × \(side), kind \(index)")
      }
    }
  }

  @Test(arguments: [8, 10, 12])
  func `it predicts along angles and by planes as the standard says`(depth: Int) {
    var dice = Dice(depth)
    let kinds = unsafe Self.kinds.map { unsafe IntraPrediction<UInt16>(bitDepth: depth, wide: $0) }
    let found = UnsafeMutablePointer<UInt16>.allocate(capacity: 1024)
    defer {
      unsafe found.deallocate()
      for index in unsafe kinds.indices { unsafe kinds[index].deallocate() }
    }
    for log2 in 2...5 {
      for mode in [0] + Array(2...34) {
        let side = 1 << log2
        let most = 1 << depth - 1
        var around = (0...4 * side).map { _ in dice.chance(20) ? most : dice.roll(0...most) }
        if dice.chance(20) { around = around.map { $0 > most / 2 ? most : 0 } }
        // From the corner on.
        let left = [around[0]] + around[1...2 * side]
        let above = [around[0]] + around[(2 * side + 1)...]
        let expected = Self.predicted(mode, log2, left, above)
        for index in unsafe kinds.indices {
          let kind = unsafe kinds[index]
          let sides = unsafe kind.references.plain
          for place in 0...2 * side {
            unsafe sides.left[place - 1] = UInt16(left[place])
            unsafe sides.above[place - 1] = UInt16(above[place])
          }
          unsafe kind.predict(
            found, stride: side, log2: log2, mode: mode, sides, edges: false, flatEdges: false)
          let isSame = expected.indices.allSatisfy { unsafe Int(found[$0]) == expected[$0] }
          #expect(isSame, "mode \(mode), \(side) × \(side), kind \(index)")
        }
      }
    }
  }

  /// ITU-T H.265, 8.4.4.2.4 and 8.4.4.2.6; both sides begin with the corner.
  private static func predicted(_ mode: Int, _ log2: Int, _ left: [Int], _ above: [Int]) -> [Int] {
    let side = 1 << log2
    return (0..<side * side).map { place in
      let (x, y) = (place % side, place / side)
      if mode == 0 {
        let across = (side - 1 - x) * left[y + 1] + (x + 1) * above[side + 1]
        let along = (side - 1 - y) * above[x + 1] + (y + 1) * left[side + 1]
        return (across + along + side) >> (log2 + 1)
      }
      let (main, other) = mode < 18 ? (left, above) : (above, left)
      let (row, column) = mode < 18 ? (x, y) : (y, x)
      let angle = Angles.angle(of: mode)
      func reference(_ index: Int) -> Int {
        index >= 0 ? main[index] : other[(index * Angles.inverse(of: mode) + 128) >> 8]
      }
      let distance = (row + 1) * angle
      let (whole, part) = (distance >> 5, distance & 31)
      let near = reference(column + whole + 1)
      guard part > 0 else { return near }
      return ((32 - part) * near + part * reference(column + whole + 2) + 16) >> 5
    }
  }

  @Test func `it adds differences and clips`() {
    guard Self.kinds.contains(1) else { return }
    var dice = Dice(4)
    for round in 0..<400 {
      let log2 = 2 + round % 4
      let (side, stride) = (1 << log2, 40)
      let samples = (0..<stride * 32).map { _ in UInt8(dice.roll(0...255)) }
      let most = round % 3 == 0 ? 32767 : 300
      let isFlat = dice.chance(50)
      var numbers = (0..<side * side).map { _ in Int16(dice.roll(-most...most)) }
      if isFlat { numbers = [Int16](repeating: numbers[0], count: side * side) }
      var (slow, fast) = (samples, samples)
      for place in 0..<side * side {
        let at = place / side * stride + place % side
        slow[at] = UInt8(max(0, min(255, Int(samples[at]) + Int(numbers[place]))))
      }
      let isDone =
        unsafe isFlat
        ? apus_add_flat_8(1, &fast, stride, Int32(numbers[0]), Int32(log2))
        : apus_add_block_8(1, &fast, stride, numbers, Int32(log2))
      #expect(isDone == 1 && fast == slow, "round \(round)")
    }
  }

  @Test func `it adds offsets where neighbours call for them`() {
    var dice = Dice(5)
    for round in 0..<300 {
      let most = round % 3 == 0 ? 3 : 255
      let samples = (0..<512).map { _ in UInt8(dice.roll(0...most)) }
      let offsets = SIMD4<Int16>(
        Int16(dice.roll(-7...7)), Int16(dice.roll(-7...7)), Int16(dice.roll(-7...7)),
        Int16(dice.roll(-7...7)))
      let (count, distance) = (dice.roll(1...130), dice.roll(-120...120))
      for kind in Self.kinds {
        var found = [UInt8](repeating: 1, count: 160)
        let done = unsafe samples.withUnsafeBufferPointer {
          guard let base = $0.baseAddress else { return 0 }
          return unsafe apus_offset_edges_8(kind, &found, base + 160, count, distance, offsets)
        }
        #expect(done == (kind == 0 ? 0 : count / 32 * 32))
        for x in 0..<done {
          let sample = Int(samples[160 + x])
          let slope = [distance, -distance].reduce(0) {
            $0 + (sample - Int(samples[160 + x + $1])).signum()
          }
          let offset = [-2: 0, -1: 1, 1: 2, 2: 3][slope].map { Int(offsets[$0]) } ?? 0
          #expect(Int(found[x]) == max(0, min(255, sample + offset)), "round \(round), \(x)")
        }
        #expect(found[done...].allSatisfy { $0 == 1 })
      }
    }
  }

  @Test func `it turns blocks of sixteen rows`() {
    var dice = Dice(6)
    let samples = (0..<1024).map { _ in UInt8(dice.roll(0...255)) }
    for kind in Self.kinds {
      var found = [UInt8](repeating: 0, count: 16 * 20)
      unsafe apus_transpose_16x16(kind, &found, 20, samples, 33)
      for place in 0..<256 {
        let (row, column) = (place / 16, place % 16)
        #expect(found[row * 20 + column] == samples[column * 33 + row], "kind \(kind)")
      }
    }
  }
}
