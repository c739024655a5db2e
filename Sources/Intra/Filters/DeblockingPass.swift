// SPDX-License-Identifier: MIT

/// Filters the edges of coding tree blocks in one direction: ITU-T H.265, 8.7.2.5. Luma on a grid of 8 × 8, chroma on a
/// grid of 8 × 8 of its own samples.
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

  init(
    _ parameters: CodingParameters, _ planes: [PlaneMemory<Sample>], _ grid: BlockGrid,
    _ thresholds: DeblockingThresholds, stride: Int
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
  }

  /// What limits the filter at eight lines of luma, which lie in one block on either side of the edge.
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

  /// The same for chroma: 8.7.2.5.5.
  @inline(__always)
  private func limits(_ luma: EdgeLimits, _ area: DeblockingArea, offset: Int) -> EdgeLimits {
    let index = luma.qp &+ offset
    let qp = unsafe chroma == 1 ? ChromaQP.value(index) : min(index, 51)
    var limits = luma
    limits.tc = unsafe thresholds.tc(qp &+ 2 &+ area.settings.tcOffset)
    return limits
  }

  func vertical(_ area: DeblockingArea) {
    let side = unsafe 1 &<< ctbLog2
    let (startX, startY) = unsafe (area.column &<< ctbLog2, area.row &<< ctbLog2)
    let (endX, endY) = unsafe (min(startX &+ side, width), min(startY &+ side, height))
    let grid = unsafe (8 &<< shiftX) &- 1
    var y = startY
    while y < endY {
      let map = unsafe (y &>> 3) &* stride
      var x = unsafe area.isEdgeFiltered ? startX : startX &+ 8
      while x < endX {
        let behind = map &+ x &>> 3
        if unsafe edges[behind] & 1 != 0 {
          let limits = unsafe limits(area, behind, behind &- 1)
          unsafe LumaEdge<Sample>.across(luma[x, y], stride: luma.stride, limits)
          if unsafe chroma > 0 && x & grid == 0 {
            let (cx, cy) = unsafe (x &>> shiftX, y &>> shiftY)
            unsafe ChromaEdge<Sample>.across(
              cb[cx, cy], stride: cb.stride, count: 8 &>> shiftY,
              self.limits(limits, area, offset: cbOffset))
            unsafe ChromaEdge<Sample>.across(
              cr[cx, cy], stride: cr.stride, count: 8 &>> shiftY,
              self.limits(limits, area, offset: crOffset))
          }
        }
        x &+= 8
      }
      y &+= 8
    }
  }

  func horizontal(_ area: DeblockingArea) {
    let side = unsafe 1 &<< ctbLog2
    let (startX, startY) = unsafe (area.column &<< ctbLog2, area.row &<< ctbLog2)
    let (endX, endY) = unsafe (min(startX &+ side, width), min(startY &+ side, height))
    let grid = unsafe (8 &<< shiftY) &- 1
    var y = unsafe area.isEdgeFiltered ? startY : startY &+ 8
    while y < endY {
      let map = unsafe (y &>> 3) &* stride
      let hasChroma = unsafe chroma > 0 && y & grid == 0
      var x = startX
      while x < endX {
        let behind = map &+ x &>> 3
        if unsafe edges[behind] & 2 != 0 {
          let limits = unsafe limits(area, behind, behind &- stride)
          unsafe LumaEdge<Sample>.along(luma[x, y], stride: luma.stride, limits)
          if hasChroma {
            let (cx, cy) = unsafe (x &>> shiftX, y &>> shiftY)
            unsafe ChromaEdge<Sample>.along(
              cb[cx, cy], stride: cb.stride, count: 8 &>> shiftX,
              self.limits(limits, area, offset: cbOffset))
            unsafe ChromaEdge<Sample>.along(
              cr[cx, cy], stride: cr.stride, count: 8 &>> shiftX,
              self.limits(limits, area, offset: crOffset))
          }
        }
        x &+= 8
      }
      y &+= 8
    }
  }
}
