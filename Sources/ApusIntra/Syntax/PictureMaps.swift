// SPDX-License-Identifier: MIT

/// The data of a picture's coding blocks that later blocks and the filters need.
///
/// One entry for each 8 × 8 luma samples, the smallest coding block, over whole coding tree blocks; prediction modes
/// for each 4 × 4.
struct PictureMaps {
  /// The number of entries in a row.
  private(set) var stride = 0
  /// The run of blocks of one slice and tile that a block belongs to; 0 if nothing is decoded yet.
  var runs: [UInt16] = []
  /// The values of `CtDepth`.
  var depths: [UInt8] = []
  /// The values of `QpY`.
  var qps: [Int8] = []
  /// The samples that the filters must keep, marked with 1: lossless blocks, and PCM for which filters are disabled.
  var unfiltered: [UInt8] = []
  /// The values of `IntraPredModeY`, in rows of `2 * stride`.
  var modes: [UInt8] = []
  /// The slice of each coding tree block, in raster order: an index into `slices`, or -1.
  var ctbSlices: [Int32] = []
  var slices: [SliceFilterSettings] = []
  var offsets: [SampleAdaptiveOffsets] = []
  var hasUnfiltered = false
  /// Whether any block of a component has sample adaptive offsets.
  var hasOffsets = SIMD4<UInt8>.zero

  /// Allocates the maps for a picture, and clears the previous contents.
  mutating func begin(_ layout: CTBLayout, ctbLog2: Int) {
    stride = layout.columns << (ctbLog2 - 3)
    let count = stride * (layout.rows << (ctbLog2 - 3))
    if runs.count == count {
      for index in runs.indices { runs[index] = 0 }
      for index in unfiltered.indices { unfiltered[index] = 0 }
    } else {
      runs = [UInt16](repeating: 0, count: count)
      depths = [UInt8](repeating: 0, count: count)
      qps = [Int8](repeating: 0, count: count)
      unfiltered = depths
      modes = [UInt8](repeating: 0, count: count * 4)
    }
    ctbSlices = [Int32](repeating: -1, count: layout.count)
    offsets = [SampleAdaptiveOffsets](repeating: SampleAdaptiveOffsets(), count: layout.count)
    slices = []
    (hasUnfiltered, hasOffsets) = (false, .zero)
  }

  /// The data that filters need for a row of coding tree blocks: a copy that can be passed to another thread.
  struct Row {
    fileprivate let index: Int
    fileprivate let qps: [Int8]
    fileprivate let unfiltered: [UInt8]
    fileprivate let ctbSlices: [Int32]
    fileprivate let offsets: [SampleAdaptiveOffsets]
    fileprivate let hasUnfiltered: Bool
    fileprivate let hasOffsets: SIMD4<UInt8>
    fileprivate let slices: [SliceFilterSettings]
  }

  func row(_ index: Int, _ parameters: CodingParameters) -> Row {
    let units = unitsInRow(parameters)
    let columns = parameters.layout.columns
    let (places, addresses) = (
      index * units..<(index + 1) * units, index * columns..<(index + 1) * columns
    )
    return Row(
      index: index, qps: Array(qps[places]), unfiltered: Array(unfiltered[places]),
      ctbSlices: Array(ctbSlices[addresses]), offsets: Array(offsets[addresses]),
      hasUnfiltered: hasUnfiltered, hasOffsets: hasOffsets, slices: slices)
  }

  /// Adopts a row of coding tree blocks from the maps of another thread, as far as filters need it.
  mutating func takeOver(_ row: Row, _ parameters: CodingParameters) {
    let place = row.index * unitsInRow(parameters)
    for unit in row.qps.indices {
      qps[place + unit] = row.qps[unit]
      unfiltered[place + unit] = row.unfiltered[unit]
    }
    let address = row.index * parameters.layout.columns
    for column in row.ctbSlices.indices {
      ctbSlices[address + column] = row.ctbSlices[column]
      offsets[address + column] = row.offsets[column]
    }
    if row.hasUnfiltered { hasUnfiltered = true }
    hasOffsets |= row.hasOffsets
    if slices.count < row.slices.count { slices = row.slices }
  }

  /// Returns the number of entries in a row of coding tree blocks.
  private func unitsInRow(_ parameters: CodingParameters) -> Int {
    stride << (parameters.ctbLog2 - 3)
  }

  /// Fills a square, whose side is a power of two up to 16, with a value.
  static func fill<Value>(
    _ map: inout [Value], stride: Int, x: Int, y: Int, side: Int, _ value: Value
  ) {
    let start = y &* stride &+ x
    // With known lengths, so that memory is written inline and not by a function for any length.
    switch side {
    case 1: map[start] = value
    case 2: fill(&map, stride, start, 2, value)
    case 4: fill(&map, stride, start, 4, value)
    case 8: fill(&map, stride, start, 8, value)
    default: fill(&map, stride, start, 16, value)
    }
  }

  @inline(__always)
  private static func fill<Value>(
    _ map: inout [Value], _ stride: Int, _ start: Int, _ side: Int, _ value: Value
  ) {
    var values = map.mutableSpan
    var start = start
    for _ in 0..<side {
      var row = values._mutatingExtracting(start..<start &+ side)
      for index in 0..<side { row[index] = value }
      start &+= stride
    }
  }
}
