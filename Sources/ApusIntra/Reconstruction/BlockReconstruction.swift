// SPDX-License-Identifier: MIT

internal import HEVC

/// Predicts blocks of one picture and adds their residuals, in the order of the bit stream.
///
/// It contains only plain values and addresses, so that reference counting, lookups and exclusivity checks are avoided
/// between blocks. The memory belongs to `Reconstruction`.
@unsafe struct BlockReconstruction<Sample: FixedWidthInteger & UnsignedInteger> {
  private let planes: (PlaneMemory<Sample>, PlaneMemory<Sample>, PlaneMemory<Sample>)
  private let runs: UnsafeMutablePointer<UInt16>
  private let edges: UnsafeMutablePointer<UInt8>
  private let columns: Int
  /// The distance from one row of `runs` to the next.
  private let stride: Int
  private let chromaShiftX: Int
  private let chromaShiftY: Int
  private let smoothsChroma: Bool
  private let smooths: Bool
  private let smoothsStrongly: Bool
  let tools: BlockTools<Sample>

  init(
    _ parameters: CodingParameters, _ planes: [PlaneMemory<Sample>], _ grid: BlockGrid,
    _ tools: BlockTools<Sample>
  ) {
    let isGrey = unsafe planes.count == 1
    unsafe self.planes = unsafe (
      planes[0], planes[isGrey ? 0 : 1], planes[isGrey ? 0 : 2]
    )
    unsafe runs = grid.runs
    unsafe edges = grid.edges
    unsafe columns = grid.columns
    unsafe stride = grid.stride
    unsafe chromaShiftX = parameters.chromaShiftX
    unsafe chromaShiftY = parameters.chromaShiftY
    unsafe smoothsChroma = parameters.chroma == 3
    unsafe smooths = !parameters.range.intraSmoothingDisabledFlag
    unsafe smoothsStrongly = parameters.hasStrongSmoothing
    unsafe self.tools = unsafe tools
  }

  /// - Parameter run: the run of this block: the blocks of one slice and tile.
  func add(_ block: TransformBlock, _ coefficients: Span<Coefficient>, _ run: UInt16) {
    let plane = unsafe block.component == 0 ? planes.0 : block.component == 1 ? planes.1 : planes.2
    let to = unsafe plane[Int(block.x), Int(block.y)]
    let stride = unsafe plane.stride
    if block.tools.contains(.pcm) {
      unsafe copy(block, coefficients, to, stride)
    } else {
      unsafe predict(block, to, stride, run)
      if !coefficients.isEmpty || block.crossScale != 0 {
        unsafe addResidual(block, coefficients, to, stride)
      }
    }
    if block.component == 0 { unsafe mark(block, run) }
  }

  private func copy(
    _ block: TransformBlock, _ samples: Span<Coefficient>, _ to: UnsafeMutablePointer<Sample>,
    _ stride: Int
  ) {
    let log2 = Int(block.log2)
    for index in 0..<samples.count {
      let place = Int(samples[index].place)
      unsafe to[(place &>> log2) &* stride &+ place & (1 &<< log2 &- 1)] = Sample(
        truncatingIfNeeded: samples[index].value)
    }
  }

  /// Predicts a block: 8.4.4.2.1.
  private func predict(
    _ block: TransformBlock, _ to: UnsafeMutablePointer<Sample>, _ stride: Int, _ run: UInt16
  ) {
    let log2 = Int(block.log2)
    let side = 1 &<< log2
    let isLuma = block.component == 0
    let mode = Int(block.mode)
    let prediction = unsafe tools.prediction
    let references = unsafe prediction.references
    unsafe references.gather(
      to, stride: stride, side: side, neighbours(of: block, run), bitDepth: tools.bitDepth)
    var sides = unsafe references.plain
    if unsafe log2 > 2 && mode != 1 && (isLuma || smoothsChroma) && smooths {
      let distance = min(abs(mode &- 26), abs(mode &- 10))
      if mode == 0 || distance > (log2 == 3 ? 7 : log2 == 4 ? 1 : 0) {
        if unsafe smoothsStrongly && isLuma && log2 == 5
          && references.smoothStrongly(bitDepth: tools.bitDepth)
        {
          unsafe tools.strongSmoothing.pointee &+= 1
        } else {
          unsafe references.smooth(side: side)
        }
        unsafe sides = unsafe references.smooth
      }
    }
    let hasEdges = isLuma && log2 < 5
    unsafe prediction.predict(
      to, stride: stride, log2: log2, mode: mode, sides,
      edges: hasEdges && !block.tools.contains(.keepsEdges), flatEdges: hasEdges)
  }

  /// Returns the neighbours that belong to the same slice and tile and were decoded earlier: 6.4.1.
  ///
  /// The neighbours along a side lie in one coding tree block, and so do those beyond its end, of which all or none
  /// were decoded earlier, unless the picture ends among them. So it is enough to check the first and the last of them.
  @inline(__always)
  private func neighbours(of block: TransformBlock, _ run: UInt16)
    -> ReferenceSamples<Sample>.Neighbours
  {
    let shiftX = unsafe block.component > 0 ? chromaShiftX : 0
    let shiftY = unsafe block.component > 0 ? chromaShiftY : 0
    let column = (Int(block.x) &<< shiftX) &>> 2
    let row = (Int(block.y) &<< shiftY) &>> 2
    var neighbours = ReferenceSamples<Sample>.Neighbours()
    neighbours.leftUnit = 4 &>> shiftY
    neighbours.aboveUnit = 4 &>> shiftX
    neighbours.leftUnits = (2 &<< Int(block.log2)) &>> (2 &- shiftY)
    neighbours.aboveUnits = (2 &<< Int(block.log2)) &>> (2 &- shiftX)
    let (height, width) = (neighbours.leftUnits &>> 1, neighbours.aboveUnits &>> 1)
    let place = unsafe runs + (row &* stride &+ column)
    let left = unsafe place - 1
    let above = unsafe place - stride
    unsafe neighbours.hasCorner = (above - 1).pointee == run
    let ends = unsafe (
      left: left[height &* stride] == run, lowest: left[(2 &* height &- 1) &* stride] == run,
      above: above[width] == run, farthest: above[2 &* width &- 1] == run
    )
    neighbours.left = unsafe Self.units(left.pointee == run, ends.lowest, height)
    neighbours.above = unsafe Self.units(above.pointee == run, ends.farthest, width)
    if ends.left != ends.lowest {
      for unit in height..<2 &* height where unsafe left[unit &* stride] == run {
        neighbours.left |= 1 &<< UInt32(truncatingIfNeeded: unit)
      }
    }
    if ends.above != ends.farthest {
      for unit in width..<2 &* width where unsafe above[unit] == run {
        neighbours.above |= 1 &<< UInt32(truncatingIfNeeded: unit)
      }
    }
    return neighbours
  }

  /// Returns a bit for each of `count` units along a side, and for as many beyond its end.
  @inline(__always)
  private static func units(_ along: Bool, _ beyond: Bool, _ count: Int) -> UInt32 {
    let all = (1 &<< UInt32(truncatingIfNeeded: count)) &- 1
    return (along ? all : 0) | (beyond ? all : 0) &<< UInt32(truncatingIfNeeded: count)
  }

  /// Marks a luma block as available, and its edges.
  private func mark(_ block: TransformBlock, _ run: UInt16) {
    let count = 1 &<< (Int(block.log2) &- 2)
    let (column, row) = (Int(block.x) &>> 2, Int(block.y) &>> 2)
    var line = unsafe runs + (row &* stride &+ column)
    for _ in 0..<count {
      unsafe line.update(repeating: run, count: count)
      unsafe line += stride
    }
    guard (column | row) & 1 == 0 else { return }
    let half = unsafe columns &>> 1
    let cell = unsafe edges + (row &>> 1 &* half &+ column &>> 1)
    let cells = max(count &>> 1, 1)
    for index in 0..<cells {
      unsafe cell[index] |= 2
      unsafe cell[index &* half] |= 1
    }
  }
}
