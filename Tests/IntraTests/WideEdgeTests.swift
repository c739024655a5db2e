// SPDX-License-Identifier: MIT

import CApusPixel
import Testing

@testable import ApusIntra

/// Edges that are filtered side by side, beside those that are filtered one by one.
@Suite struct WideEdgeTests {
  private static let stride = 48
  private static let start = 16 * stride + 16

  /// Samples that differ little on either side of an edge in the middle.
  private static func samples(_ isVertical: Bool, _ dice: inout Dice) -> [UInt8] {
    let spread = [1, 3, 8, 30, 255][dice.roll(0...4)]
    let (base, step) = (dice.roll(0...255), dice.roll(-40...40))
    return (0..<stride * stride).map { place in
      let isBehind = (isVertical ? place % stride : place / stride) >= 16
      return UInt8(max(0, min(255, base + dice.roll(0...spread) + (isBehind ? step : 0))))
    }
  }

  private static func limits(_ dice: inout Dice) -> EdgeLimits {
    var limits = EdgeLimits(
      qp: 30, beta: Int16([0, 6, 20, 38, 64][dice.roll(0...4)]),
      tc: Int16([0, 1, 3, 9, 24][dice.roll(0...4)]), most: 255)
    (limits.keepsBefore, limits.keepsBehind) = (dice.chance(15), dice.chance(15))
    return limits
  }

  @Test(arguments: [true, false])
  func `it filters two edges of luma at once`(isVertical: Bool) {
    guard apus_has_wide() != 0 else { return }
    var dice = Dice(isVertical ? 1 : 2)
    var changed = 0
    for round in 0..<2000 {
      let samples = Self.samples(isVertical, &dice)
      let (first, second) = (Self.limits(&dice), Self.limits(&dice))
      var (slow, fast) = (samples, samples)
      for (index, limits) in [first, second].enumerated() {
        unsafe slow.withUnsafeMutableBufferPointer {
          guard let base = $0.baseAddress else { return }
          let edge = unsafe base + Self.start + 8 * index * (isVertical ? Self.stride : 1)
          if isVertical {
            unsafe LumaEdge<UInt8>.across(edge, stride: Self.stride, limits)
          } else {
            unsafe LumaEdge<UInt8>.along(edge, stride: Self.stride, limits)
          }
        }
      }
      let both = SIMD8(
        first.beta, first.tc, first.keepsBefore ? 0 : -1, first.keepsBehind ? 0 : -1,
        second.beta, second.tc, second.keepsBefore ? 0 : -1, second.keepsBehind ? 0 : -1)
      unsafe fast.withUnsafeMutableBufferPointer {
        guard let base = $0.baseAddress else { return }
        let isDone =
          unsafe isVertical
          ? apus_luma_across_8(1, base + Self.start, Self.stride, both)
          : apus_luma_along_8(1, base + Self.start, Self.stride, both)
        #expect(isDone == 1)
      }
      #expect(fast == slow, "round \(round)")
      if slow != samples { changed += 1 }
    }
    #expect(changed > 200)
  }

  @Test(arguments: [true, false])
  func `it filters both planes of chroma at once`(isVertical: Bool) {
    var dice = Dice(isVertical ? 3 : 4)
    var changed = 0
    for round in 0..<2000 {
      let planes = [Self.samples(isVertical, &dice), Self.samples(isVertical, &dice)]
      let first = Self.limits(&dice)
      var second = first
      second.tc = Int16([0, 1, 3, 9, 24][dice.roll(0...4)])
      var slow = planes
      for (index, limits) in [first, second].enumerated() {
        unsafe slow[index].withUnsafeMutableBufferPointer {
          guard let base = $0.baseAddress else { return }
          if isVertical {
            unsafe ChromaEdge<UInt8>.across(
              base + Self.start, stride: Self.stride, count: 4, limits)
          } else {
            unsafe ChromaEdge<UInt8>.along(
              base + Self.start, stride: Self.stride, count: 4, limits)
          }
        }
      }
      var (one, other) = (planes[0], planes[1])
      unsafe one.withUnsafeMutableBufferPointer { one in
        unsafe other.withUnsafeMutableBufferPointer { other in
          guard let cb = one.baseAddress, let cr = other.baseAddress else { return }
          if isVertical {
            unsafe ChromaEdge<UInt8>.across(
              cb + Self.start, cr + Self.start, stride: Self.stride, first, second)
          } else {
            unsafe ChromaEdge<UInt8>.along(
              cb + Self.start, cr + Self.start, stride: Self.stride, first, second)
          }
        }
      }
      #expect([one, other] == slow, "round \(round)")
      if slow != planes { changed += 1 }
    }
    #expect(changed > 1000)
  }
}
