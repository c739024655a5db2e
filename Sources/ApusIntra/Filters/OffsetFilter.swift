// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Sample adaptive offset of one component: ITU-T H.265, 8.7.3. It reads deblocked samples and writes to another plane,
/// because every sample is compared with the original values of its neighbours.
@unsafe struct OffsetFilter<Sample: FixedWidthInteger & UnsignedInteger> {
  private let parameters: CodingParameters
  private let maps: PictureMaps
  private let component: Int
  private let from: PlaneMemory<Sample>
  private let to: PlaneMemory<Sample>
  private let shiftX: Int
  private let shiftY: Int
  private let width: Int
  private let height: Int
  /// Whether wide kernels are used; see `Vector.wide`.
  private let wide: Int32

  init(
    _ parameters: CodingParameters, _ maps: PictureMaps, _ component: Int,
    _ from: PlaneMemory<Sample>, _ to: PlaneMemory<Sample>, wide: Int32 = Vector.wide
  ) {
    unsafe self.wide = wide
    unsafe self.parameters = parameters
    unsafe self.maps = maps
    unsafe self.component = component
    unsafe self.from = unsafe from
    unsafe self.to = unsafe to
    unsafe shiftX = component > 0 ? parameters.chromaShiftX : 0
    unsafe shiftY = component > 0 ? parameters.chromaShiftY : 0
    unsafe width = parameters.width >> (component > 0 ? parameters.chromaShiftX : 0)
    unsafe height = parameters.height >> (component > 0 ? parameters.chromaShiftY : 0)
  }

  /// A coding tree block of the plane.
  private struct Area {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  func run() { for row in 0..<(unsafe parameters.layout.rows) { unsafe run(row) } }

  /// Filters a row of coding tree blocks; it reads one more line above and below.
  func run(_ row: Int) {
    let layout = unsafe parameters.layout
    let log2 = unsafe parameters.ctbLog2
    for column in 0..<layout.columns {
      let block = row * layout.columns + column
      let (x, y) = unsafe ((column << log2) >> shiftX, (row << log2) >> shiftY)
      let area = unsafe Area(
        x: x, y: y, width: min((1 << log2) >> shiftX, width - x),
        height: min((1 << log2) >> shiftY, height - y))
      let offsets = unsafe maps.offsets[block].components[component]
      switch offsets.kind {
      case .none: unsafe copy(area)
      case .band: unsafe band(area, offsets)
      case .edge: unsafe edge(area, offsets, BlockedSides(parameters, maps, block))
      }
      if unsafe maps.hasUnfiltered && offsets.kind != .none { unsafe restore(area) }
    }
  }

  private func copy(_ area: Area) {
    for y in area.y..<area.y + area.height {
      unsafe to[area.x, y].update(from: from[area.x, y], count: area.width)
    }
  }

  /// Restores lossless blocks and PCM, whose samples must not change.
  private func restore(_ area: Area) {
    for y in area.y..<area.y + area.height {
      let row = unsafe ((y << shiftY) >> 3) * maps.stride
      for x in area.x..<area.x + area.width
      where unsafe maps.unfiltered[row + (x << shiftX) >> 3] != 0 {
        unsafe to[x, y].pointee = from[x, y].pointee
      }
    }
  }

  private func band(_ area: Area, _ offsets: SampleAdaptiveOffsets.Component) {
    let depth = unsafe parameters.bitDepth
    let most = (1 &<< depth) &- 1
    unsafe withUnsafeTemporaryAllocation(of: Sample.self, capacity: most &+ 1) { table in
      for sample in 0...most {
        let index = (sample &>> (depth &- 5) &- Int(offsets.band)) & 31
        let offset = index < 4 ? Int(offsets.offsets[index]) : 0
        unsafe table[sample] = Sample(truncatingIfNeeded: max(0, min(most, sample &+ offset)))
      }
      for y in area.y..<area.y + area.height {
        let source = unsafe from[area.x, y]
        let target = unsafe to[area.x, y]
        for x in 0..<area.width { unsafe target[x] = table[Int(source[x]) & most] }
      }
    }
  }

  private func edge(
    _ area: Area, _ offsets: SampleAdaptiveOffsets.Component, _ blocked: BlockedSides
  ) {
    let (stepX, stepY) = unsafe Self.steps[Int(offsets.edgeClass) & 3]
    let distance = unsafe stepY &* from.stride &+ stepX
    for y in area.y..<area.y + area.height {
      let source = unsafe from[area.x, y]
      let target = unsafe to[area.x, y]
      if unsafe stepY != 0 && (y == 0 || y == height - 1) {
        unsafe target.update(from: source, count: area.width)
        continue
      }
      unsafe row(source, target, area.width, distance, offsets.offsets)
      // There are no neighbours beyond the edges of the picture, and slices and tiles may exclude theirs.
      if stepX != 0 {
        if area.x == 0 { unsafe target[0] = source[0] }
        let last = area.width - 1
        if unsafe area.x + area.width == width { unsafe target[last] = source[last] }
      }
      guard !blocked.isEmpty else { continue }
      let isFirst = y == area.y
      let isLast = y == area.y + area.height - 1
      for x in isFirst || isLast ? Array(0..<area.width) : [0, area.width - 1]
      where blocked.stops(x, isFirst: isFirst, isLast: isLast, area.width, stepX, stepY) {
        unsafe target[x] = source[x]
      }
    }
  }

  /// Filters a row, with 8 or 32 samples at a time.
  @inline(__always)
  private func row(
    _ source: UnsafeMutablePointer<Sample>, _ target: UnsafeMutablePointer<Sample>, _ width: Int,
    _ distance: Int, _ offsets: SIMD4<Int16>
  ) {
    let most = unsafe SIMD8<Int16>(
      repeating: Int16(truncatingIfNeeded: (1 &<< parameters.bitDepth) &- 1))
    let zero = SIMD8<Int16>.zero
    let one = SIMD8<Int16>(repeating: 1)
    let valley = SIMD8<Int16>(repeating: -2)
    let (first, second) = (SIMD8(repeating: offsets[0]), SIMD8(repeating: offsets[1]))
    let (third, fourth) = (SIMD8(repeating: offsets[2]), SIMD8(repeating: offsets[3]))
    var x = 0
    if Sample.self == UInt8.self {
      let from = unsafe UnsafeMutableRawPointer(source).assumingMemoryBound(to: UInt8.self)
      let to = unsafe UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt8.self)
      x = unsafe apus_offset_edges_8(wide, to, from, width, distance, offsets)
    }
    while x < width {
      let sample = unsafe SIMD8<Int16>(truncatingIfNeeded: Vector.load(source + x))
      let before = unsafe SIMD8<Int16>(
        truncatingIfNeeded: Vector.load(source + (x &+ distance)))
      let behind = unsafe SIMD8<Int16>(
        truncatingIfNeeded: Vector.load(source + (x &- distance)))
      // The `edgeIdx` of Table 8-13, from -2 in a valley to 2 on a peak.
      let up = apus_greater(before, sample) &+ apus_greater(behind, sample)
      let slope = up &- apus_greater(sample, before) &- apus_greater(sample, behind)
      let low = apus_equal(slope, valley) & first | apus_equal(slope, 0 &- one) & second
      let high = apus_equal(slope, one) & third | apus_equal(slope, 0 &- valley) & fourth
      let sum = apus_most(apus_least(sample &+ (low | high), most), zero)
      if x &+ 8 <= width {
        unsafe Vector.store(SIMD8<UInt16>(truncatingIfNeeded: sum), target + x)
      } else {
        for lane in 0..<width &- x {
          unsafe target[x &+ lane] = Sample(truncatingIfNeeded: sum[lane])
        }
      }
      x &+= 8
    }
  }

  /// The `hPos` and `vPos` of the first neighbour; the second is opposite: Table 8-13.
  private static var steps: [(Int, Int)] { [(-1, 0), (0, -1), (-1, -1), (1, -1)] }
}
