// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEVC

/// The decoded form of an encoded picture: its samples after all filters. The encoder itself does not need it.
extension StillEncoder {
  /// Returns the displayed planes row by row, after `encode`; once for each picture.
  func reconstruction() throws(MediaError) -> [[UInt16]] {
    let parameters = try CodingParameters(sets.sps, sets.pps, pixelLimit: .max)
    var maps = PictureMaps()
    maps.begin(parameters.layout, ctbLog2: parameters.ctbLog2)
    maps.slices = [SliceFilterSettings(filtersAcross: true)]
    for index in maps.ctbSlices.indices { maps.ctbSlices[index] = 0 }
    for (index, offsets) in unsafe coding.offsets.enumerated() {
      maps.offsets[index] = offsets
      for component in 0..<3 where offsets.components[component].kind != .none {
        maps.hasOffsets[component] = 1
      }
    }
    let grid = BlockGrid()
    grid.begin(columns: parameters.layout.columns * 16, rows: parameters.layout.rows * 16)
    for y in 0..<parameters.height / 8 {
      for x in 0..<parameters.width / 8 { describe(x, y, &maps, grid) }
    }
    let picture = unsafe coding.picture
    let planes = unsafe (0..<(picture.hasChroma ? 3 : 1)).map { unsafe picture.planes[$0] }
    let deblocking = unsafe DeblockingFilter(parameters, maps, planes, grid)
    unsafe deblocking.run()
    unsafe deblocking.deallocate()
    var result: [[UInt16]] = []
    for index in unsafe planes.indices {
      var plane = unsafe planes[index]
      var filtered: PlaneMemory<UInt16>?
      if maps.hasOffsets[index] != 0 {
        let memory = unsafe PlaneMemory<UInt16>(
          columns: plane.stride, rows: (parameters.layout.rows * 64) >> (index > 0 ? 1 : 0))
        unsafe OffsetFilter(parameters, maps, index, plane, memory).run()
        unsafe (filtered, plane) = (memory, memory)
      }
      var samples: [UInt16] = []
      for row in 0..<format.height(ofPlane: index) {
        for column in 0..<format.width(ofPlane: index) {
          unsafe samples.append(plane[column, row].pointee)
        }
      }
      unsafe filtered?.deallocate()
      result.append(samples)
    }
    return result
  }

  private func describe(_ x: Int, _ y: Int, _ maps: inout PictureMaps, _ grid: BlockGrid) {
    let picture = unsafe coding.picture
    maps.qps[y * maps.stride + x] = unsafe Int8(picture.qps[x, y].pointee)
    let units = unsafe 8 >> Int(picture.depths[x, y].pointee)
    let half = grid.columns / 2
    if x % units == 0 { unsafe grid.edges[y * half + x] |= 1 }
    if y % units == 0 { unsafe grid.edges[y * half + x] |= 2 }
  }
}
