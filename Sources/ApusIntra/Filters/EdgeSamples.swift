// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Four samples on either side of an edge, eight lines at once, and the filter for them: ITU-T H.265, 8.7.2.5.3,
/// 8.7.2.5.6 and 8.7.2.5.7. Decisions are made for four lines together.
struct EdgeSamples {
  private typealias Lines = SIMD8<Int16>

  private let p3: Lines
  private var p2: Lines
  private var p1: Lines
  private var p0: Lines
  private var q0: Lines
  private var q1: Lines
  private var q2: Lines
  private let q3: Lines

  /// - Parameter from: the samples farthest before the edge; the following ones are `stride` apart.
  @inline(__always)
  @unsafe init<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafeMutablePointer<Sample>, _ stride: Int
  ) {
    p3 = unsafe Lines(truncatingIfNeeded: Vector.load(from))
    p2 = unsafe Lines(truncatingIfNeeded: Vector.load(from + stride))
    p1 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 2 &* stride))
    p0 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 3 &* stride))
    q0 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 4 &* stride))
    q1 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 5 &* stride))
    q2 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 6 &* stride))
    q3 = unsafe Lines(truncatingIfNeeded: Vector.load(from + 7 &* stride))
  }

  /// Writes back the samples that may have changed.
  @inline(__always)
  @unsafe func store<Sample: FixedWidthInteger & UnsignedInteger>(
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int
  ) {
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: p2), to + stride)
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: p1), to + 2 &* stride)
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: p0), to + 3 &* stride)
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: q0), to + 4 &* stride)
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: q1), to + 5 &* stride)
    unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: q2), to + 6 &* stride)
  }

  @inline(__always)
  private static func distance(_ a: Lines, _ b: Lines) -> Lines {
    apus_most(a &- b, b &- a)
  }

  @inline(__always)
  private static func clip(_ value: Lines, _ around: Lines, _ reach: Lines) -> Lines {
    apus_least(apus_most(value, around &- reach), around &+ reach)
  }

  @inline(__always)
  private static func choose(_ mask: Lines, _ one: Lines, _ other: Lines) -> Lines {
    one & mask | other & ~mask
  }

  /// Returns all ones in the lines of each half to which a decision applies.
  @inline(__always)
  private static func mask(_ first: Bool, _ last: Bool) -> Lines {
    Lines(
      lowHalf: SIMD4(repeating: first ? -1 : 0), highHalf: SIMD4(repeating: last ? -1 : 0))
  }

  /// Returns whether anything may have changed.
  @inline(__always)
  mutating func filter(_ limits: EdgeLimits) -> Bool {
    let bendP = Self.distance(p2 &+ p0, p1 &+ p1)
    let bendQ = Self.distance(q2 &+ q0, q1 &+ q1)
    let bend = bendP &+ bendQ
    let beta = limits.beta
    let isFirst = bend[0] &+ bend[3] < beta
    let isLast = bend[4] &+ bend[7] < beta
    guard isFirst || isLast else { return false }
    let tc = Lines(repeating: limits.tc)
    // A line is flat: dSam of 8.7.2.5.6.
    let slope = Self.distance(p3, p0) &+ Self.distance(q0, q3)
    let step = Self.distance(p0, q0)
    let flat =
      apus_greater(Lines(repeating: beta &>> 2), bend &+ bend)
      & apus_greater(Lines(repeating: beta &>> 3), slope)
      & apus_greater(Lines(repeating: (5 &* limits.tc &+ 1) &>> 1), step)
    let isFirstStrong = isFirst && flat[0] & flat[3] != 0
    let isLastStrong = isLast && flat[4] & flat[7] != 0
    let old = self
    if isFirstStrong || isLastStrong {
      strong(Self.mask(isFirstStrong, isLastStrong), tc &+ tc)
    }
    if (isFirst && !isFirstStrong) || (isLast && !isLastStrong) {
      let mask = Self.mask(isFirst && !isFirstStrong, isLast && !isLastStrong)
      let limit = (beta &+ beta &>> 1) &>> 3
      old.weak(
        mask, tc, Lines(repeating: limits.most),
        wideP: Self.mask(bendP[0] &+ bendP[3] < limit, bendP[4] &+ bendP[7] < limit),
        wideQ: Self.mask(bendQ[0] &+ bendQ[3] < limit, bendQ[4] &+ bendQ[7] < limit), &self)
    }
    if limits.keepsBefore { (p2, p1, p0) = (old.p2, old.p1, old.p0) }
    if limits.keepsBehind { (q2, q1, q0) = (old.q2, old.q1, old.q0) }
    return true
  }

  @inline(__always)
  private mutating func strong(_ mask: Lines, _ reach: Lines) {
    let (four, two) = (Lines(repeating: 4), Lines(repeating: 2))
    let middle = p0 &+ q0
    let newP0 = (p2 &+ p1 &+ p1 &+ middle &+ middle &+ q1 &+ four) &>> 3
    let newP1 = (p2 &+ p1 &+ middle &+ two) &>> 2
    let outerP: Lines = p3 &+ p3 &+ p2 &+ p2
    let newP2 = (outerP &+ p2 &+ p1 &+ middle &+ four) &>> 3
    let newQ0 = (q2 &+ q1 &+ q1 &+ middle &+ middle &+ p1 &+ four) &>> 3
    let newQ1 = (q2 &+ q1 &+ middle &+ two) &>> 2
    let outerQ: Lines = q3 &+ q3 &+ q2 &+ q2
    let newQ2 = (outerQ &+ q2 &+ q1 &+ middle &+ four) &>> 3
    p0 = Self.choose(mask, Self.clip(newP0, p0, reach), p0)
    p1 = Self.choose(mask, Self.clip(newP1, p1, reach), p1)
    p2 = Self.choose(mask, Self.clip(newP2, p2, reach), p2)
    q0 = Self.choose(mask, Self.clip(newQ0, q0, reach), q0)
    q1 = Self.choose(mask, Self.clip(newQ1, q1, reach), q1)
    q2 = Self.choose(mask, Self.clip(newQ2, q2, reach), q2)
  }

  @inline(__always)
  private func weak(
    _ mask: Lines, _ tc: Lines, _ most: Lines, wideP: Lines, wideQ: Lines,
    _ new: inout EdgeSamples
  ) {
    let zero = Lines.zero
    let gap = q0 &- p0
    let twist = q1 &- p1
    // (9 × gap - 3 × twist + 8) >> 4, in steps that fit: 8 × gap is 16 × (gap >> 1) plus a remainder.
    let rest = gap &- twist &- twist &- twist &+ (gap & 1) &* 8 &+ 8
    var step = gap &>> 1 &+ rest &>> 4
    let isSmall = apus_greater(tc &* 10, apus_most(step, zero &- step))
    step = Self.clip(step, zero, tc)
    let mask = mask & isSmall
    let half = tc &>> 1
    let changeP = Self.clip(((p2 &+ p0 &+ 1) &>> 1 &- p1 &+ step) &>> 1, zero, half)
    let changeQ = Self.clip(((q2 &+ q0 &+ 1) &>> 1 &- q1 &- step) &>> 1, zero, half)
    new.p0 = Self.choose(mask, apus_most(zero, apus_least(most, p0 &+ step)), new.p0)
    new.q0 = Self.choose(mask, apus_most(zero, apus_least(most, q0 &- step)), new.q0)
    let (p, q) = (mask & wideP, mask & wideQ)
    new.p1 = Self.choose(p, apus_most(zero, apus_least(most, p1 &+ changeP)), new.p1)
    new.q1 = Self.choose(q, apus_most(zero, apus_least(most, q1 &+ changeQ)), new.q1)
  }
}
