// SPDX-License-Identifier: MIT

internal import HEVC
internal import Media

/// What decoders make of a picture that was encoded: its samples with all filters. The encoder itself needs none of it.
extension StillEncoder {
  /// Planes of samples row by row, after `encode`, as they are shown; once for a picture.
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

extension StillEncoder {
  /// How many bits the last picture was expected to need, after `encode` and before `reconstruction`: what its blocks
  /// cost without their errors.
  func expectedBits(of source: Picture) -> Int {
    let picture = unsafe coding.picture
    let blocks = unsafe SourceBlocks(source.view)
    let store = unsafe CTBStore()
    var errors: Int64 = 0
    let offset = 6 * (format.bitDepth - 8)
    for y in unsafe stride(from: 0, to: picture.height, by: 64) {
      for x in unsafe stride(from: 0, to: picture.width, by: 64) {
        unsafe blocks.copy(to: store, x, y)
        for component in unsafe 0..<(picture.hasChroma ? 3 : 1) {
          let shift = component > 0 ? 1 : 0
          let samples =
            unsafe component == 0 ? store.luma : store.chroma + (component - 1) * 1024
          var squares: Int64 = 0
          for row in unsafe 0..<min(64, picture.height - y) >> shift {
            for column in unsafe 0..<min(64, picture.width - x) >> shift {
              let own = unsafe picture.planes[component][x >> shift + column, y >> shift + row]
                .pointee
              let error = unsafe Int64(own) - Int64(samples[row * (64 >> shift) + column])
              squares += error * error
            }
          }
          let qp = component == 0 ? settings.qp : ChromaQP.value(settings.qp)
          errors += (squares * Quantizer.errorScale(qp: qp + offset)) >> 16
        }
      }
    }
    unsafe store.deallocate()
    let bit = Quantizer.bitCost(qp: settings.qp + offset)
    return unsafe Int((coding.cost - errors) / Int64(bit))
  }
}
