// SPDX-License-Identifier: MIT

import CApusPixel
import Testing

@testable import ApusIntra

/// The encoder's kernels beside slow models.
@Suite struct EncoderKernelTests {
  /// 0 for what every machine has, 1 for AVX2 where it is there.
  private static let kinds: [Int32] = apus_has_wide() != 0 ? [0, 1] : [0]

  private static func random(_ count: Int, most: Int, _ dice: inout Dice) -> [UInt16] {
    let isExtreme = dice.chance(30)
    return (0..<count).map { _ in
      UInt16(isExtreme ? (dice.chance(50) ? 0 : most) : dice.roll(0...most))
    }
  }

  @Test(arguments: [8, 10])
  func `it transforms as the matrix says`(depth: Int) {
    var dice = Dice(depth)
    let factors = ForwardTransform.factors()
    for round in 0..<200 {
      let log2 = 2 + round % 4
      let isSine = log2 == 2 && dice.chance(50)
      let side = 1 << log2
      let most = 1 << depth - 1
      let isExtreme = dice.chance(40)
      let isFlat = dice.chance(20)
      let differences = (0..<side * side).map { _ in
        Int16(
          isFlat ? most : isExtreme ? (dice.chance(50) ? most : -most) : dice.roll(-most...most))
      }
      let slow = Self.slow(differences, log2, depth, isSine: isSine)
      for kind in Self.kinds {
        var fast = [Int16](repeating: 0, count: side * side)
        unsafe factors.withUnsafeBufferPointer { matrix in
          guard let first = matrix.baseAddress else { return }
          unsafe apus_transform(
            kind, &fast, differences, first + (isSine ? 4 : log2 - 2) * 512, Int32(log2),
            Int32(depth))
        }
        #expect(fast == slow, "round \(round), kind \(kind)")
      }
    }
  }

  /// Columns, then rows, rounded between; turned, as the kernel hands them over.
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
    for k in 0..<side {
      for x in 0..<side {
        let sum = (0..<side).reduce(0) { $0 + matrix[k][$1] * Int(from[$1 * side + x]) }
        between[k * side + x] = rounded(sum, log2 + depth - 8)
      }
    }
    var result = [Int16](repeating: 0, count: side * side)
    for k in 0..<side {
      for u in 0..<side {
        let sum = (0..<side).reduce(0) { $0 + matrix[u][$1] * between[k * side + $1] }
        result[u * side + k] = Int16(rounded(sum, log2 + 5))
      }
    }
    return result
  }

  @Test(arguments: [8, 10])
  func `it adds up Hadamard costs as a slow sum does`(depth: Int) {
    var dice = Dice(depth + 1)
    for round in 0..<80 {
      let log2 = 2 + round % 4
      let side = 1 << log2
      let most = 1 << depth - 1
      let one = Self.random(side * side, most: most, &dice)
      let other = Self.random(side * side, most: most, &dice)
      let block = log2 == 2 ? 4 : 8
      var sum = 0
      for y in stride(from: 0, to: side, by: block) {
        for x in stride(from: 0, to: side, by: block) {
          for row in 0..<block {
            for column in 0..<block {
              var value = 0
              for i in 0..<block * block {
                let place = (y + i / block) * side + x + i % block
                let sign =
                  ((row & (i / block)).nonzeroBitCount + (column & (i % block)).nonzeroBitCount) & 1
                value += (sign == 0 ? 1 : -1) * (Int(one[place]) - Int(other[place]))
              }
              sum += abs(value)
            }
          }
        }
      }
      for kind in Self.kinds {
        let cost = unsafe apus_satd(kind, one, side, other, side, Int32(log2))
        #expect(Int(cost) == (sum / 2 + 1) >> 1, "round \(round), kind \(kind)")
      }
    }
  }

  @Test(arguments: [8, 10])
  func `it predicts as the decoder does`(depth: Int) {
    var dice = Dice(depth + 2)
    let prediction = unsafe IntraPrediction<UInt16>(bitDepth: depth)
    let kinds = unsafe (
      EncodingTools(bitDepth: depth, isPortable: true),
      EncodingTools(bitDepth: depth, isPortable: false)
    )
    let block = UnsafeMutablePointer<UInt16>.allocate(capacity: 2048)
    defer {
      unsafe block.deallocate()
      unsafe prediction.deallocate()
      unsafe kinds.0.deallocate()
      unsafe kinds.1.deallocate()
    }
    for log2 in 2...5 {
      let side = 1 << log2
      for mode in 0..<35 {
        let around = Self.random(4 * side + 1, most: 1 << depth - 1, &dice)
        for index in 0..<2 {
          let kind = unsafe index == 0 ? kinds.0 : kinds.1
          for which in 0..<2 {
            let sides = unsafe which == 0 ? prediction.references.plain : kind.references.plain
            for place in 0..<2 * side {
              unsafe sides.left[place] = around[place]
              unsafe sides.above[place] = around[2 * side + place]
            }
            unsafe sides.left[-1] = around[4 * side]
            unsafe sides.above[-1] = around[4 * side]
          }
          unsafe prediction.predict(
            block, stride: side, log2: log2, mode: mode, prediction.references.plain,
            edges: log2 < 5, flatEdges: log2 < 5)
          unsafe kind.predict(
            block + 1024, log2: log2, mode: mode, kind.references.plain, edges: log2 < 5)
          let isSame = (0..<side * side).allSatisfy { unsafe block[$0] == block[1024 + $0] }
          #expect(isSame, "mode \(mode), \(side) × \(side)")
          guard mode > 1 else { continue }
          // The cost of an angle is that of its prediction without smooth edges.
          let source = Self.random(side * side, most: 1 << depth - 1, &dice)
          unsafe kind.predict(
            block, log2: log2, mode: mode, kind.references.plain, edges: false)
          let main = unsafe mode < 18 ? kind.references.plain.left : kind.references.plain.above
          var turned = source
          if mode < 18 {
            for place in source.indices {
              turned[place & (side - 1) * side + place >> log2] = source[place]
            }
          }
          let fused = unsafe apus_satd_angle(
            kind.wide, turned, side, main - 1, Int32(Angles.angle(of: mode)), Int32(log2))
          let plain = unsafe apus_satd(kind.wide, source, side, block, side, Int32(log2))
          #expect(fused == plain, "mode \(mode), \(side) × \(side)")
        }
      }
    }
  }

  @Test(arguments: [8, 10])
  func `it adds up what offsets could mend as a slow sum does`(depth: Int) {
    var dice = Dice(depth + 2)
    let most = 1 << depth - 1
    for round in 0..<60 {
      let (width, height) = (dice.roll(1...64), dice.roll(1...64))
      let stride = 96
      let made = Self.random(stride * 70, most: round % 3 == 0 ? 3 : most, &dice)
      let source = Self.random(64 * 64 + 16, most: most, &dice)
      for (across, down) in [(-1, 0), (0, -1), (-1, -1), (1, -1)] {
        let start = 2 * stride + 8
        var slow = [Int32](repeating: 0, count: 8)
        for y in 0..<height {
          for x in 0..<width {
            let place = start + y * stride + x
            let (sample, step) = (Int(made[place]), down * stride + across)
            let slope = [step, -step].reduce(0) { $0 + (sample - Int(made[place + $1])).signum() }
            guard let category = [-2: 0, -1: 1, 1: 2, 2: 3][slope] else { continue }
            slow[category] += 1
            slow[4 + category] += Int32(Int(source[y * 64 + x]) - sample)
          }
        }
        for kind in Self.kinds {
          var fast = [Int32](repeating: 0, count: 8)
          unsafe made.withUnsafeBufferPointer { samples in
            guard let first = samples.baseAddress else { return }
            unsafe apus_offset_sums(
              kind, &fast, source, 64, first + start, stride, down * stride + across, Int32(width),
              Int32(height))
          }
          #expect(fast == slow, "round \(round), kind \(kind)")
        }
      }
    }
  }
}
