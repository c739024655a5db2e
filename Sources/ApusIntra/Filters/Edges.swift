// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The limits of the filter at an edge.
struct EdgeLimits {
  /// The average of `QpP` and `QpQ`.
  var qp: Int
  var beta: Int16
  var tc: Int16
  /// The maximum sample value.
  var most: Int16
  /// Whether the samples before the edge are kept.
  var keepsBefore = false
  var keepsBehind = false

  init(qp: Int, beta: Int16, tc: Int16, most: Int16) {
    (self.qp, self.beta, self.tc, self.most) = (qp, beta, tc, most)
  }
}

/// Eight lines of luma samples across an edge: ITU-T H.265, 8.7.2.5.3, 8.7.2.5.6 and 8.7.2.5.7.
@unsafe enum LumaEdge<Sample: FixedWidthInteger & UnsignedInteger> {
  /// Filters a vertical edge, whose lines are rows.
  ///
  /// - Parameter start: the first sample after it.
  static func across(_ start: UnsafeMutablePointer<Sample>, stride: Int, _ limits: EdgeLimits) {
    unsafe withUnsafeTemporaryAllocation(of: Sample.self, capacity: 64) { columns in
      guard let turned = columns.baseAddress else { return }
      unsafe transpose(start - 4, stride, to: turned, 8)
      var samples = unsafe EdgeSamples(turned, 8)
      guard samples.filter(limits) else { return }
      unsafe samples.store(turned, 8)
      unsafe transpose(turned, 8, to: start - 4, stride)
    }
  }

  /// Filters a horizontal edge, whose lines are columns.
  static func along(_ start: UnsafeMutablePointer<Sample>, stride: Int, _ limits: EdgeLimits) {
    var samples = unsafe EdgeSamples(start - 4 &* stride, stride)
    if samples.filter(limits) { unsafe samples.store(start - 4 &* stride, stride) }
  }

  @inline(__always)
  private static func transpose(
    _ from: UnsafeMutablePointer<Sample>, _ fromStride: Int,
    to: UnsafeMutablePointer<Sample>, _ toStride: Int
  ) {
    if Sample.self == UInt8.self {
      let source = unsafe UnsafeMutableRawPointer(from).assumingMemoryBound(to: UInt8.self)
      let target = unsafe UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt8.self)
      unsafe apus_transpose_8(target, toStride, source, fromStride)
    } else {
      let source = unsafe UnsafeMutableRawPointer(from).assumingMemoryBound(to: UInt16.self)
      let target = unsafe UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt16.self)
      unsafe apus_transpose_16(target, toStride, source, fromStride)
    }
  }
}

/// Lines of chroma samples across an edge: 8.7.2.5.8.
@unsafe enum ChromaEdge<Sample: FixedWidthInteger & UnsignedInteger> {
  /// Filters a vertical edge in four rows of both planes, for samples of 8 bits.
  @inline(__always)
  static func across(
    _ cb: UnsafeMutablePointer<Sample>, _ cr: UnsafeMutablePointer<Sample>, stride: Int,
    _ first: EdgeLimits, _ second: EdgeLimits
  ) {
    guard first.tc | second.tc > 0 else { return }
    unsafe apus_chroma_across_8(
      UnsafeMutableRawPointer(cb).assumingMemoryBound(to: UInt8.self),
      UnsafeMutableRawPointer(cr).assumingMemoryBound(to: UInt8.self), stride,
      tc(first, second), first.keepsBefore ? 0 : -1, first.keepsBehind ? 0 : -1)
  }

  /// Filters a horizontal edge in four columns.
  @inline(__always)
  static func along(
    _ cb: UnsafeMutablePointer<Sample>, _ cr: UnsafeMutablePointer<Sample>, stride: Int,
    _ first: EdgeLimits, _ second: EdgeLimits
  ) {
    guard first.tc | second.tc > 0 else { return }
    unsafe apus_chroma_along_8(
      UnsafeMutableRawPointer(cb).assumingMemoryBound(to: UInt8.self),
      UnsafeMutableRawPointer(cr).assumingMemoryBound(to: UInt8.self), stride,
      tc(first, second), first.keepsBefore ? 0 : -1, first.keepsBehind ? 0 : -1)
  }

  @inline(__always)
  private static func tc(_ first: EdgeLimits, _ second: EdgeLimits) -> SIMD8<Int16> {
    let (cb, cr) = (first.tc, second.tc)
    return SIMD8(cb, cb, cb, cb, cr, cr, cr, cr)
  }

  @inline(__always)
  static func across(
    _ start: UnsafeMutablePointer<Sample>, stride: Int, count: Int, _ limits: EdgeLimits
  ) {
    unsafe filter(start, 1, stride, count, limits)
  }

  @inline(__always)
  static func along(
    _ start: UnsafeMutablePointer<Sample>, stride: Int, count: Int, _ limits: EdgeLimits
  ) {
    unsafe filter(start, stride, 1, count, limits)
  }

  @inline(__always)
  private static func filter(
    _ start: UnsafeMutablePointer<Sample>, _ across: Int, _ along: Int, _ count: Int,
    _ limits: EdgeLimits
  ) {
    let tc = Int32(limits.tc)
    let most = Int32(limits.most)
    guard tc > 0 else { return }
    var at = unsafe start
    for _ in 0..<count {
      let p1 = unsafe Int32(at[-2 &* across])
      let p0 = unsafe Int32(at[0 &- across])
      let q0 = unsafe Int32(at[0])
      let q1 = unsafe Int32(at[across])
      let step = max(0 &- tc, min(tc, ((q0 &- p0) &* 4 &+ p1 &- q1 &+ 4) &>> 3))
      if !limits.keepsBefore {
        unsafe at[0 &- across] = Sample(truncatingIfNeeded: max(0, min(most, p0 &+ step)))
      }
      if !limits.keepsBehind {
        unsafe at[0] = Sample(truncatingIfNeeded: max(0, min(most, q0 &- step)))
      }
      unsafe at += along
    }
  }
}
