// SPDX-License-Identifier: MIT

/// The syntax of `sao()`: ITU-T H.265, 7.3.8.3.
extension SliceDataReader {
  mutating func sampleAdaptiveOffsets(_ address: Int, _ data: Span<UInt8>) {
    maps.offsets[address] = SampleAdaptiveOffsets()
    guard slice.hasLumaOffsets || slice.hasChromaOffsets else { return }
    let columns = parameters.layout.columns
    for (isThere, other) in [
      (address % columns > 0, address - 1), (address >= columns, address - columns),
    ]
    where isThere && maps.ctbSlices[other] == maps.ctbSlices[address]
      && parameters.layout.tiles[other] == parameters.layout.tiles[address]
    {
      if bin(Context.saoMerge, data) != 0 {
        usage.mergedOffsets += 1
        maps.offsets[address] = maps.offsets[other]
        return
      }
    }
    var offsets = SampleAdaptiveOffsets()
    for component in 0..<(parameters.chroma == 0 ? 1 : 3)
    where component == 0 ? slice.hasLumaOffsets : slice.hasChromaOffsets {
      if component == 2 {
        // Cr has the kind and class of Cb.
        offsets.components[2].kind = offsets.components[1].kind
        offsets.components[2].edgeClass = offsets.components[1].edgeClass
      } else if bin(Context.saoType, data) != 0 {
        offsets.components[component].kind = bypass(data) != 0 ? .edge : .band
      }
      read(&offsets.components[component], component, data)
      if offsets.components[component].kind != .none { maps.hasOffsets[component] = 1 }
    }
    maps.offsets[address] = offsets
  }

  private mutating func read(
    _ offsets: inout SampleAdaptiveOffsets.Component, _ component: Int, _ data: Span<UInt8>
  ) {
    guard offsets.kind != .none else { return }
    let most = (1 << (min(parameters.bitDepth, 10) - 5)) - 1
    let shift = Int16(component == 0 ? parameters.saoShiftLuma : parameters.saoShiftChroma)
    for index in 0..<4 {
      var magnitude = 0
      while magnitude < most, bypass(data) != 0 { magnitude += 1 }
      offsets.offsets[index] = Int16(magnitude)
    }
    if offsets.kind == .band {
      usage.bandOffsets += 1
      for index in 0..<4 where offsets.offsets[index] != 0 && bypass(data) != 0 {
        offsets.offsets[index] = -offsets.offsets[index]
      }
      offsets.band = UInt8(bypass(5, data))
    } else {
      usage.edgeOffsets += 1
      offsets.offsets[2] = -offsets.offsets[2]
      offsets.offsets[3] = -offsets.offsets[3]
      if component < 2 { offsets.edgeClass = UInt8(bypass(2, data)) }
    }
    offsets.offsets = offsets.offsets &<< SIMD4(repeating: shift)
  }
}
