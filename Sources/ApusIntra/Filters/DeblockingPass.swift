// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Filters the edges of coding tree blocks in one direction: ITU-T H.265, 8.7.2.5. Luma is filtered on a grid of 8 × 8,
/// chroma on a grid of 8 × 8 chroma samples.
@unsafe struct DeblockingPass<Sample: FixedWidthInteger & UnsignedInteger> {
  private let luma: PlaneMemory<Sample>
  private let cb: PlaneMemory<Sample>
  private let cr: PlaneMemory<Sample>
  private let thresholds: DeblockingThresholds
  private let edges: UnsafeMutablePointer<UInt8>
  /// The stride of maps of 8 × 8 samples.
  private let stride: Int
  private let width: Int
  private let height: Int
  private let ctbLog2: Int
  private let chroma: Int
  private let shiftX: Int
  private let shiftY: Int
  private let cbOffset: Int
  private let crOffset: Int
  private let most: Int16
  /// Whether two edges are filtered at once; see `Vector.wide`.
  private let wide: Int32

  init(
    _ parameters: CodingParameters, _ planes: [PlaneMemory<Sample>], _ grid: BlockGrid,
    _ thresholds: DeblockingThresholds, stride: Int, wide: Int32 = Vector.wide
  ) {
    unsafe luma = unsafe planes[0]
    unsafe cb = unsafe planes[planes.count == 1 ? 0 : 1]
    unsafe cr = unsafe planes[planes.count == 1 ? 0 : 2]
    unsafe self.thresholds = unsafe thresholds
    unsafe edges = grid.edges
    unsafe self.stride = stride
    unsafe width = parameters.width
    unsafe height = parameters.height
    unsafe ctbLog2 = parameters.ctbLog2
    unsafe chroma = parameters.chroma
    unsafe shiftX = parameters.chromaShiftX
    unsafe shiftY = parameters.chromaShiftY
    unsafe cbOffset = parameters.cbQPOffset
    unsafe crOffset = parameters.crQPOffset
    unsafe most = Int16(truncatingIfNeeded: (1 &<< parameters.bitDepth) &- 1)
    unsafe self.wide = Sample.self == UInt8.self ? wide : 0
  }

  /// Returns the limits of the filter for eight lines of luma, which lie in one block on either side of the edge.
  @inline(__always)
  private func limits(_ area: DeblockingArea, _ behind: Int, _ before: Int) -> EdgeLimits {
    let qp = unsafe (Int(area.qps[behind]) &+ Int(area.qps[before]) &+ 1) &>> 1
    var limits = unsafe EdgeLimits(
      qp: qp, beta: thresholds.beta(qp &+ area.settings.betaOffset),
      tc: thresholds.tc(qp &+ 2 &+ area.settings.tcOffset), most: most)
    if let unfiltered = unsafe area.unfiltered {
      limits.keepsBehind = unsafe unfiltered[behind] != 0
      limits.keepsBefore = unsafe unfiltered[before] != 0
    }
    return limits
  }

  /// Returns the limits for chroma: 8.7.2.5.5.
  @inline(__always)
  private func limits(_ luma: EdgeLimits, _ area: DeblockingArea, offset: Int) -> EdgeLimits {
    let index = luma.qp &+ offset
    let qp = unsafe chroma == 1 ? ChromaQP.value(index) : min(index, 51)
    var limits = luma
    limits.tc = unsafe thresholds.tc(qp &+ 2 &+ area.settings.tcOffset)
    return limits
  }

  @inline(__always)
  private func acrossChroma(
    _ lumaX: Int, _ lumaY: Int, _ luma: EdgeLimits, _ area: DeblockingArea
  ) {
    guard unsafe chroma > 0 && lumaX & ((8 &<< shiftX) &- 1) == 0 else { return }
    let (x, y) = unsafe (lumaX &>> shiftX, lumaY &>> shiftY)
    let first = unsafe limits(luma, area, offset: cbOffset)
    let second = unsafe limits(luma, area, offset: crOffset)
    if unsafe Sample.self == UInt8.self && shiftY == 1 {
      unsafe ChromaEdge<Sample>.across(cb[x, y], cr[x, y], stride: cb.stride, first, second)
    } else {
      let count = unsafe 8 &>> shiftY
      unsafe ChromaEdge<Sample>.across(cb[x, y], stride: cb.stride, count: count, first)
      unsafe ChromaEdge<Sample>.across(cr[x, y], stride: cr.stride, count: count, second)
    }
  }

  @inline(__always)
  private func alongChroma(
    _ lumaX: Int, _ lumaY: Int, _ luma: EdgeLimits, _ area: DeblockingArea
  ) {
    guard unsafe chroma > 0 && lumaY & ((8 &<< shiftY) &- 1) == 0 else { return }
    let (x, y) = unsafe (lumaX &>> shiftX, lumaY &>> shiftY)
    let first = unsafe limits(luma, area, offset: cbOffset)
    let second = unsafe limits(luma, area, offset: crOffset)
    if unsafe Sample.self == UInt8.self && shiftX == 1 {
      unsafe ChromaEdge<Sample>.along(cb[x, y], cr[x, y], stride: cb.stride, first, second)
    } else {
      let count = unsafe 8 &>> shiftX
      unsafe ChromaEdge<Sample>.along(cb[x, y], stride: cb.stride, count: count, first)
      unsafe ChromaEdge<Sample>.along(cr[x, y], stride: cr.stride, count: count, second)
    }
  }

  func vertical(_ area: DeblockingArea) {
    let side = unsafe 1 &<< ctbLog2
    let (startX, startY) = unsafe (area.column &<< ctbLog2, area.row &<< ctbLog2)
    let (endX, endY) = unsafe (min(startX &+ side, width), min(startY &+ side, height))
    var y = startY
    while y < endY {
      let map = unsafe (y &>> 3) &* stride
      let isPair = unsafe wide != 0 && y &+ 8 < endY
      var x = unsafe area.isEdgeFiltered ? startX : startX &+ 8
      while x < endX {
        let behind = map &+ x &>> 3
        if isPair {
          unsafe acrossPair(x, y, behind, area)
        } else if unsafe edges[behind] & 1 != 0 {
          let limits = unsafe limits(area, behind, behind &- 1)
          unsafe LumaEdge<Sample>.across(luma[x, y], stride: luma.stride, limits)
          unsafe acrossChroma(x, y, limits, area)
        }
        x &+= 8
      }
      y &+= isPair ? 16 : 8
    }
  }

  func horizontal(_ area: DeblockingArea) {
    let side = unsafe 1 &<< ctbLog2
    let (startX, startY) = unsafe (area.column &<< ctbLog2, area.row &<< ctbLog2)
    let (endX, endY) = unsafe (min(startX &+ side, width), min(startY &+ side, height))
    var y = unsafe area.isEdgeFiltered ? startY : startY &+ 8
    while y < endY {
      let map = unsafe (y &>> 3) &* stride
      var x = startX
      while x < endX {
        let behind = map &+ x &>> 3
        let isPair = unsafe wide != 0 && x &+ 8 < endX
        if isPair {
          unsafe alongPair(x, y, behind, area)
        } else if unsafe edges[behind] & 2 != 0 {
          let limits = unsafe limits(area, behind, behind &- stride)
          unsafe LumaEdge<Sample>.along(luma[x, y], stride: luma.stride, limits)
          unsafe alongChroma(x, y, limits, area)
        }
        x &+= isPair ? 16 : 8
      }
      y &+= 8
    }
  }

  // MARK: - Two edges of eight lines, side by side, of samples of 8 bits

  @inline(__always)
  private func acrossPair(_ x: Int, _ y: Int, _ behind: Int, _ area: DeblockingArea) {
    let below = unsafe behind &+ stride
    let (isFirst, isSecond) = unsafe (edges[behind] & 1 != 0, edges[below] & 1 != 0)
    guard isFirst || isSecond else { return }
    let first = unsafe limits(area, behind, behind &- 1)
    let second = unsafe limits(area, below, below &- 1)
    _ = unsafe apus_luma_across_8(
      wide, bytes(luma[x, y]), luma.stride, Self.pair(first, isFirst, second, isSecond))
    if isFirst { unsafe acrossChroma(x, y, first, area) }
    if isSecond { unsafe acrossChroma(x, y &+ 8, second, area) }
  }

  @inline(__always)
  private func alongPair(_ x: Int, _ y: Int, _ behind: Int, _ area: DeblockingArea) {
    let next = behind &+ 1
    let (isFirst, isSecond) = unsafe (edges[behind] & 2 != 0, edges[next] & 2 != 0)
    guard isFirst || isSecond else { return }
    let first = unsafe limits(area, behind, behind &- stride)
    let second = unsafe limits(area, next, next &- stride)
    _ = unsafe apus_luma_along_8(
      wide, bytes(luma[x, y]), luma.stride, Self.pair(first, isFirst, second, isSecond))
    if isFirst { unsafe alongChroma(x, y, first, area) }
    if isSecond { unsafe alongChroma(x &+ 8, y, second, area) }
  }

  /// Returns the limits for two edges, one of which may be absent.
  @inline(__always)
  private static func pair(
    _ first: EdgeLimits, _ isFirst: Bool, _ second: EdgeLimits, _ isSecond: Bool
  ) -> SIMD8<Int16> {
    SIMD8(
      isFirst ? first.beta : 0, first.tc, first.keepsBefore ? 0 : -1, first.keepsBehind ? 0 : -1,
      isSecond ? second.beta : 0, second.tc, second.keepsBefore ? 0 : -1,
      second.keepsBehind ? 0 : -1)
  }

  @inline(__always)
  private func bytes(_ samples: UnsafeMutablePointer<Sample>) -> UnsafeMutablePointer<UInt8> {
    unsafe UnsafeMutableRawPointer(samples).assumingMemoryBound(to: UInt8.self)
  }
}
