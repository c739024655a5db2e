// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Decides the sample adaptive offsets of a coding tree block (ITU-T H.265, 8.7.3) by the error that they remove and
/// their cost.
///
/// The decision uses samples before deblocking, because the surrounding blocks are not available; the last column and
/// row of a block are ignored for the same reason. Both cost a tenth of a percent.
@unsafe struct OffsetDecision {
  /// The decision about a block.
  struct Choice {
    enum Source: UInt8 {
      case own, left, above
    }

    var source = Source.own
    var offsets = SampleAdaptiveOffsets()
  }

  private let tools: EncodingTools
  private let store: CTBStore
  private let picture: EncoderPicture
  private let contexts: UnsafeMutablePointer<UInt8>
  /// The counts and sums of differences by component, 96 each: for four classes of edges those of four categories, then
  /// those of 32 bands.
  private let sums: UnsafeMutablePointer<Int32>
  private let most: Int

  private static var size: Int { 96 }

  init(
    _ tools: EncodingTools, _ store: CTBStore, _ picture: EncoderPicture,
    _ contexts: UnsafeMutablePointer<UInt8>
  ) {
    unsafe self.tools = tools
    unsafe self.store = store
    unsafe self.picture = picture
    unsafe self.contexts = contexts
    unsafe most = 1 << (tools.bitDepth - 5) - 1
    unsafe sums = .allocate(capacity: 3 * Self.size)
    unsafe sums.initialize(repeating: 0, count: 3 * Self.size)
  }

  func deallocate() { unsafe sums.deallocate() }

  @inline(__always)
  private func cost(_ context: Int, _ bin: Int) -> Int64 {
    unsafe Int64(tools.rates.bins[Int(contexts[context]) &* 2 &+ bin])
  }

  // MARK: - Decision

  /// - Parameters:
  ///   - left: the offsets of the block to the left, if any; `above` are those of the block above.
  ///   - qp: the `QpY` of the block.
  func decide(
    _ x: Int, _ y: Int, qp: Int, left: SampleAdaptiveOffsets?, above: SampleAdaptiveOffsets?
  ) -> Choice {
    let count = unsafe picture.hasChroma ? 3 : 1
    for component in 0..<count { unsafe measure(component, x, y) }
    let depth = unsafe 6 * (tools.bitDepth - 8)
    _ = unsafe tools.rates.weigh(Quantizer.bitCost(qp: qp + depth))
    let scales = [
      Quantizer.errorScale(qp: qp + depth), Quantizer.errorScale(qp: ChromaQP.value(qp) + depth),
    ]

    var choice = Choice()
    var own: Int64 = 0
    if left != nil { unsafe own &+= cost(Context.saoMerge, 0) }
    if above != nil { unsafe own &+= cost(Context.saoMerge, 0) }
    unsafe own &+= best([0], scales[0], &choice.offsets)
    if count > 1 { unsafe own &+= best([1, 2], scales[1], &choice.offsets) }

    var least = own
    if let left {
      let merged = unsafe cost(Context.saoMerge, 1) &+ gain(left, count, scales)
      if merged < least {
        least = merged
        choice = Choice(source: .left, offsets: left)
      }
    }
    if let above {
      var merged = unsafe cost(Context.saoMerge, 1) &+ gain(above, count, scales)
      if left != nil { unsafe merged &+= cost(Context.saoMerge, 0) }
      if merged < least { choice = Choice(source: .above, offsets: above) }
    }
    return choice
  }

  /// Finds the best offsets of luma, or of both chroma components, which share kind and class.
  private func best(_ components: [Int], _ scale: Int64, _ offsets: inout SampleAdaptiveOffsets)
    -> Int64
  {
    let bit = unsafe Int64(tools.rates.bit)
    var least = unsafe cost(Context.saoType, 0)
    let flag = unsafe cost(Context.saoType, 1) &+ bit
    for edge in 0..<4 {
      var total = flag &+ 2 &* bit
      var found = offsets.components
      for component in components {
        var made = SampleAdaptiveOffsets.Component()
        (made.kind, made.edgeClass) = (.edge, UInt8(truncatingIfNeeded: edge))
        let from = unsafe sums + (component &* Self.size &+ edge &* 8)
        for category in 0..<4 {
          let (offset, cost) = unsafe fitted(
            from[category], from[4 &+ category], sign: category < 2 ? 1 : -1, scale)
          made.offsets[category] = offset
          total &+= cost
        }
        found[component] = made
      }
      if total < least {
        least = total
        offsets.components = found
      }
    }
    var total = flag
    var found = offsets.components
    for component in components {
      let (made, cost) = unsafe bands(component, scale)
      found[component] = made
      total &+= cost
    }
    if total < least {
      least = total
      offsets.components = found
    }
    return least
  }

  /// Finds the best offsets for four consecutive bands.
  private func bands(_ component: Int, _ scale: Int64) -> (SampleAdaptiveOffsets.Component, Int64) {
    let from = unsafe sums + (component &* Self.size &+ 32)
    var costs = InlineArray<32, Int64>(repeating: 0)
    var values = InlineArray<32, Int16>(repeating: 0)
    for band in 0..<32 {
      (values[band], costs[band]) = unsafe fitted(from[band], from[32 &+ band], sign: 0, scale)
    }
    var (first, least) = (0, Int64.max)
    for band in 0...28 {
      let cost = costs[band] &+ costs[band &+ 1] &+ costs[band &+ 2] &+ costs[band &+ 3]
      if cost < least { (first, least) = (band, cost) }
    }
    var made = SampleAdaptiveOffsets.Component()
    (made.kind, made.band) = (.band, UInt8(truncatingIfNeeded: first))
    for index in 0..<4 { made.offsets[index] = values[first &+ index] }
    return unsafe (made, least &+ 5 &* Int64(tools.rates.bit))
  }

  /// Returns the best offset of a category, with its cost.
  ///
  /// - Parameter sign: the allowed sign of offsets; 0 for both, distinguished by a bit.
  private func fitted(_ count: Int32, _ sum: Int32, sign: Int, _ scale: Int64) -> (Int16, Int64) {
    let bit = unsafe Int64(tools.rates.bit)
    guard count > 0, sign == 0 || (sum > 0) == (sign > 0) else { return (0, bit) }
    let direction = sum < 0 ? -1 : 1
    var offset = unsafe min((2 &* abs(Int(sum)) &+ Int(count)) / (2 &* Int(count)), most)
    var (best, least) = (0, bit)
    while offset > 0 {
      let bits = unsafe offset &+ (offset < most ? 1 : 0) &+ (sign == 0 ? 1 : 0)
      let error = Int64(Int(count) &* offset &* offset &- 2 &* offset &* abs(Int(sum)))
      let cost = (error &* scale) >> 16 &+ Int64(bits) &* bit
      if cost < least { (best, least) = (offset, cost) }
      offset &-= 1
    }
    return (Int16(truncatingIfNeeded: best &* direction), least)
  }

  /// Returns the change of this block's error by the offsets of another block.
  private func gain(_ offsets: SampleAdaptiveOffsets, _ count: Int, _ scales: [Int64]) -> Int64 {
    var total: Int64 = 0
    for component in 0..<count {
      let made = offsets.components[component]
      guard made.kind != .none else { continue }
      let (place, step) =
        made.kind == .edge ? (Int(made.edgeClass) &* 8, 4) : (32 &+ Int(made.band), 32)
      let from = unsafe sums + (component &* Self.size &+ place)
      var error: Int64 = 0
      for index in 0..<4 {
        let offset = Int64(made.offsets[index])
        unsafe error &+=
          Int64(from[index]) &* offset &* offset &- 2 &* offset &* Int64(from[step &+ index])
      }
      total &+= (error &* scales[component > 0 ? 1 : 0]) >> 16
    }
    return total
  }

  // MARK: - Sums

  private func measure(_ component: Int, _ x: Int, _ y: Int) {
    let shift = component > 0 ? 1 : 0
    let side = 64 >> shift
    let width = unsafe min(side, picture.width >> shift - x >> shift)
    let height = unsafe min(side, picture.height >> shift - y >> shift)
    let plane = unsafe picture.planes[component]
    let made = unsafe plane[x >> shift, y >> shift]
    let source =
      unsafe component == 0 ? store.luma : store.chroma + (component &- 1) &* 1024
    let to = unsafe sums + component &* Self.size
    unsafe to.update(repeating: 0, count: Self.size)
    let steps = [(-1, 0), (0, -1), (-1, -1), (1, -1)]
    for (edge, step) in steps.enumerated() {
      let (left, right) = step.0 == 0 ? (0, 0) : (x == 0 ? 1 : 0, 1)
      let (top, bottom) = step.1 == 0 ? (0, 0) : (y == 0 ? 1 : 0, 1)
      guard width > left &+ right, height > top &+ bottom else { continue }
      unsafe apus_offset_sums(
        tools.wide, to + edge &* 8, source + (top &* side &+ left), side,
        made + (top &* plane.stride &+ left), plane.stride, step.1 &* plane.stride &+ step.0,
        Int32(width &- left &- right), Int32(height &- top &- bottom))
    }
    let bandShift = unsafe tools.bitDepth &- 5
    for row in 0..<height {
      let line = unsafe made + row &* plane.stride
      let wanted = unsafe source + row &* side
      for column in 0..<width {
        let sample = unsafe Int(line[column])
        let band = unsafe to + (32 &+ sample &>> bandShift)
        unsafe band[0] &+= 1
        unsafe band[32] &+= Int32(wanted[column]) &- Int32(truncatingIfNeeded: sample)
      }
    }
  }
}
