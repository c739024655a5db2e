// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Decides a quarter of a coding tree block: its splits, and the prediction of each block.
@unsafe struct BlockSearch {
  let tools: EncodingTools
  let store: CTBStore
  let picture: EncoderPicture
  /// The states of the context variables, which determine the costs of flags.
  let contexts: UnsafeMutablePointer<UInt8>
  let trials: TrialMemory
  let scratch: UnsafeMutablePointer<UInt16>
  let choices: SearchChoices

  /// The `qP` of both chroma components, including the offset for the bit depth.
  struct ChromaQPs {
    var cb: Int
    var cr: Int

    /// - Parameters:
    ///   - luma: the quantizer of luma, without the bit-depth offset, which is `offset`.
    ///   - finer: the value of `slice_cb_qp_offset`.
    init(luma: Int, finer: Int, offset: Int) {
      cb = ChromaQP.value(max(-offset, luma + finer)) + offset
      cr = ChromaQP.value(luma) + offset
    }

    @inline(__always)
    subscript(_ component: Int) -> Int { component == 1 ? cb : cr }
  }

  /// The `qP` of a quarter's blocks, including the offset for the bit depth.
  struct Quantizers {
    var luma: Int
    var chroma: ChromaQPs
    /// Whether luma blocks are reconstructed before their costs are compared.
    var settles: Bool
    /// Whether the quarter is a gradient without noise, which is searched more thoroughly: `QuantizerGroup`.
    var isSmooth: Bool
    /// The blocks that are split regardless of cost: `QuantizerGroup`.
    var busy: UInt8

    @inline(__always)
    func isBusy(_ x: Int, _ y: Int, _ log2: Int) -> Bool {
      guard log2 > 3 else { return false }
      let place = log2 == 5 ? 4 : (y &>> 3) & 2 | (x &>> 4) & 1
      return busy &>> UInt8(truncatingIfNeeded: place) & 1 != 0
    }
  }

  init(
    _ tools: EncodingTools, _ store: CTBStore, _ picture: EncoderPicture,
    _ contexts: UnsafeMutablePointer<UInt8>, _ choices: SearchChoices
  ) {
    unsafe self.tools = tools
    unsafe self.store = store
    unsafe self.picture = picture
    unsafe self.contexts = contexts
    unsafe self.choices = choices
    unsafe trials = TrialMemory(tools.rates)
    unsafe scratch = .allocate(capacity: 1024)
    unsafe scratch.initialize(repeating: 0, count: 1024)
  }

  func deallocate() {
    unsafe trials.deallocate()
    unsafe scratch.deallocate()
  }

  @inline(__always)
  func cost(_ context: Int, _ bin: Int) -> Int32 {
    unsafe tools.rates.bins[Int(contexts[context]) &* 2 &+ bin]
  }

  /// Decides a block, and reconstructs the result in the picture.
  ///
  /// - Returns: the lowest cost.
  func search(_ x: Int, _ y: Int, _ log2: Int, _ qps: Quantizers) -> Int64 {
    let side = 1 &<< log2
    let depth = 6 &- log2
    guard unsafe x &+ side <= picture.width, unsafe y &+ side <= picture.height else {
      return unsafe parts(x, y, log2, qps, limit: .max)
    }
    let context = unsafe Context.splitCodingUnit &+ picture.splitContext(x, y, depth)
    if qps.isBusy(x, y, log2) {
      return unsafe Int64(cost(context, 1)) &+ parts(x, y, log2, qps, limit: .max)
    }
    var whole = unsafe unit(x, y, log2, qps)
    let isCoded = whole.luma.last >= 0
    if log2 > 3 {
      unsafe whole.cost &+= Int64(cost(context, 0))
      // If there is nothing to code, smaller blocks cannot be better.
      if isCoded {
        let split = unsafe Int64(cost(context, 1))
        let parts = unsafe split &+ parts(x, y, log2, qps, limit: whole.cost &- split)
        if parts < whole.cost { return parts }
      }
    } else {
      unsafe whole.cost &+= Int64(cost(Context.partMode, 1))
      // Cheaper blocks hardly gain from four directions, unless they may skip transforms.
      let isDear =
        unsafe whole.luma.cost > choices.dear || qps.isSmooth || choices.skipsTransforms
      if isCoded, isDear, unsafe choices.partsSmallBlocks {
        let flag = unsafe Int64(cost(Context.partMode, 0))
        let (luma, chroma) = unsafe quarters(x, y, qps, limit: whole.cost &- flag, whole)
        var parts = flag &+ luma &+ (chroma?.cost ?? 0)
        if parts < whole.cost {
          if let chroma { parts &+= unsafe keep(chroma, x, y, 3, qp: qps.chroma) }
          unsafe picture.depths[x &>> 3, y &>> 3].pointee = 3
          unsafe picture.parted[x &>> 3, y &>> 3].pointee = 1
          return parts
        }
      }
    }
    whole.cost &+= unsafe keep(whole.luma, x, y, log2, qp: qps.luma)
    if unsafe choices.countsChroma {
      whole.cost &+= unsafe keep(whole.chroma, x, y, log2, qp: qps.chroma)
    }
    unsafe picture.depths.fill(x &>> 3, y &>> 3, side &>> 3, UInt8(depth))
    unsafe picture.parted.fill(x &>> 3, y &>> 3, side &>> 3, 0)
    return whole.cost
  }

  /// An unsplit coding block in its coded form.
  struct Unit {
    var luma: TrialResult
    var chroma = ChromaResult()
    var cost: Int64
  }

  private func unit(_ x: Int, _ y: Int, _ log2: Int, _ qps: Quantizers) -> Unit {
    let found = unsafe block(x, y, log2, qps, cbfContext: Context.cbfLuma &+ 1)
    var unit = Unit(luma: found.best, cost: found.best.cost)
    guard unsafe choices.countsChroma, unsafe picture.hasChroma else { return unit }
    unit.chroma = unsafe chroma(x, y, log2, luma: unit.luma.mode, qp: qps.chroma, ChromaResult())
    unit.cost &+= unit.chroma.cost
    // A direction that suits chroma better can compensate for a slightly higher cost of luma.
    if found.second.cost < unit.cost {
      let other = unsafe chroma(
        x, y, log2, luma: found.second.mode, qp: qps.chroma, unit.chroma)
      if found.second.cost &+ other.cost < unit.cost {
        unit = Unit(
          luma: found.second, chroma: other, cost: found.second.cost &+ other.cost)
      }
    }
    return unit
  }

  /// Decides the four parts of a block, as long as they cost no more than allowed.
  private func parts(_ x: Int, _ y: Int, _ log2: Int, _ qps: Quantizers, limit: Int64) -> Int64 {
    let half = 1 &<< (log2 &- 1)
    var total: Int64 = 0
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* half, y &+ (part &>> 1) &* half)
      guard unsafe px < picture.width, unsafe py < picture.height else { continue }
      unsafe total &+= search(px, py, log2 &- 1, qps)
      if total > limit { break }
    }
    return total
  }

  /// Decides four blocks of 4 × 4, as long as they cost no more than allowed, and their chroma if it counts.
  ///
  /// - Returns: the cost of luma, and chroma in its coded form.
  private func quarters(_ x: Int, _ y: Int, _ qps: Quantizers, limit: Int64, _ whole: Unit)
    -> (luma: Int64, chroma: ChromaResult?)
  {
    var total: Int64 = 0
    var first = 0
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* 4, y &+ (part &>> 1) &* 4)
      let result = unsafe block(px, py, 2, qps, cbfContext: Context.cbfLuma).best
      total &+= result.cost
      if total > limit { return (total, nil) }
      unsafe total &+= keep(result, px, py, 2, qp: qps.luma)
      if part == 0 { first = result.mode }
    }
    guard unsafe choices.countsChroma, unsafe picture.hasChroma else { return (total, nil) }
    let isSame = first == whole.luma.mode
    let chroma =
      unsafe isSame ? whole.chroma : chroma(x, y, 3, luma: first, qp: qps.chroma, whole.chroma)
    return (total, chroma)
  }

  /// Reconstructs a trial in the picture.
  ///
  /// - Returns: the change of its cost.
  private func keep(_ result: TrialResult, _ x: Int, _ y: Int, _ log2: Int, qp: Int) -> Int64 {
    let units = 1 &<< (log2 &- 2)
    let plane = unsafe picture.planes[0]
    let (cx, cy) = (x & 63, y & 63)
    let hidden = unsafe tools.commit(
      trials.luma(log2, result.slot), result, plane[x, y], plane.stride, qp: qp, isLuma: true,
      levels: store.lumaLevels(cx, cy))
    unsafe store.lastLuma[cy &>> 2 &* 16 &+ cx &>> 2] = result.stored
    unsafe picture.modes.fill(x &>> 2, y &>> 2, units, UInt8(truncatingIfNeeded: result.mode))
    unsafe picture.isLumaThere.fill(x &>> 2, y &>> 2, units, 1)
    return hidden
  }
}
