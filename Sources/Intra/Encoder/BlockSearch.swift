// SPDX-License-Identifier: MIT

internal import CPixel

/// Decides a quarter of a coding tree block: how it is split, and how each block is predicted.
@unsafe struct BlockSearch {
  let tools: EncodingTools
  let store: CTBStore
  let picture: EncoderPicture
  /// What the flags cost: states of the context variables.
  let contexts: UnsafeMutablePointer<UInt8>
  /// The trials of luma blocks, by log2 - 2.
  private let trials: InlineArray<4, BlockTrial>
  private let chromaTrials: InlineArray<4, BlockTrial>
  /// The trial of a block of 4 × 4 without a transform.
  private let skipping: BlockTrial
  private let scratch: UnsafeMutablePointer<UInt16>
  let choices: SearchChoices

  init(
    _ tools: EncodingTools, _ store: CTBStore, _ picture: EncoderPicture,
    _ contexts: UnsafeMutablePointer<UInt8>, _ choices: SearchChoices
  ) {
    unsafe self.tools = tools
    unsafe self.store = store
    unsafe self.picture = picture
    unsafe self.contexts = contexts
    unsafe self.choices = choices
    let rates = unsafe tools.rates
    unsafe trials = InlineArray { unsafe BlockTrial(log2: $0 + 2, rates) }
    unsafe chromaTrials = InlineArray { unsafe BlockTrial(log2: $0 + 2, rates) }
    unsafe skipping = BlockTrial(log2: 2, rates)
    unsafe scratch = .allocate(capacity: 1024)
    unsafe scratch.initialize(repeating: 0, count: 1024)
  }

  func deallocate() {
    for index in 0..<4 {
      unsafe trials[index].deallocate()
      unsafe chromaTrials[index].deallocate()
    }
    unsafe skipping.deallocate()
    unsafe scratch.deallocate()
  }

  @inline(__always)
  private func cost(_ context: Int, _ bin: Int) -> Int32 {
    unsafe tools.rates.bins[Int(contexts[context]) &* 2 &+ bin]
  }

  // MARK: - Luma

  /// - Parameter qp: `qP`, with the offset of the bit depth.
  /// - Returns: what the best way costs.
  func search(_ x: Int, _ y: Int, _ log2: Int, qp: Int) -> Int64 {
    let side = 1 &<< log2
    let depth = 6 &- log2
    guard unsafe x &+ side <= picture.width, unsafe y &+ side <= picture.height else {
      return unsafe parts(x, y, log2, qp: qp, limit: .max)
    }
    let trial = unsafe trials[log2 &- 2]
    let context = unsafe Context.splitCodingUnit &+ picture.splitContext(x, y, depth)
    var whole = unsafe block(trial, x, y, qp: qp, cbfContext: Context.cbfLuma &+ 1)
    if log2 > 3 {
      unsafe whole.cost &+= Int64(cost(context, 0))
      // Where nothing is left to code, nothing smaller would be better.
      if whole.last >= 0 {
        let split = unsafe Int64(cost(context, 1))
        let parts = unsafe split &+ parts(x, y, log2, qp: qp, limit: whole.cost &- split)
        if parts < whole.cost { return parts }
      }
    } else {
      unsafe whole.cost &+= Int64(cost(Context.partMode, 1))
      // Eleven squared steps: cheaper blocks hardly gain by four directions, unless they may go without transforms.
      let isDear = unsafe whole.cost > 720_896 || choices.skipsTransforms
      if whole.last >= 0, isDear, unsafe choices.partsSmallBlocks {
        let flag = unsafe Int64(cost(Context.partMode, 0))
        let parts = unsafe flag &+ quarters(x, y, qp: qp, limit: whole.cost &- flag)
        if parts < whole.cost {
          unsafe picture.depths[x &>> 3, y &>> 3].pointee = 3
          unsafe picture.parted[x &>> 3, y &>> 3].pointee = 1
          return parts
        }
      }
    }
    whole.cost &+= unsafe keep(trial, whole, x, y, qp: qp)
    unsafe picture.depths.fill(x &>> 3, y &>> 3, side &>> 3, UInt8(depth))
    unsafe picture.parted.fill(x &>> 3, y &>> 3, side &>> 3, 0)
    return whole.cost
  }

  /// The four blocks that a block is split into, as far as they cost no more than allowed.
  private func parts(_ x: Int, _ y: Int, _ log2: Int, qp: Int, limit: Int64) -> Int64 {
    let half = 1 &<< (log2 &- 1)
    var total: Int64 = 0
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* half, y &+ (part &>> 1) &* half)
      guard unsafe px < picture.width, unsafe py < picture.height else { continue }
      unsafe total &+= search(px, py, log2 &- 1, qp: qp)
      if total > limit { break }
    }
    return total
  }

  /// Decides four blocks of 4 × 4.
  private func quarters(_ x: Int, _ y: Int, qp: Int, limit: Int64) -> Int64 {
    var total: Int64 = 0
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* 4, y &+ (part &>> 1) &* 4)
      let result = unsafe block(trials[0], px, py, qp: qp, cbfContext: Context.cbfLuma)
      total &+= result.cost
      if total > limit { break }
      let trial = unsafe result.skipsTransform ? skipping : trials[0]
      total &+= unsafe keep(trial, result, px, py, qp: qp)
    }
    return total
  }

  /// Makes a trial what the picture holds.
  ///
  /// - Returns: what that changes of its cost.
  private func keep(_ trial: BlockTrial, _ result: TrialResult, _ x: Int, _ y: Int, qp: Int)
    -> Int64
  {
    let units = unsafe 1 &<< (trial.log2 &- 2)
    let plane = unsafe picture.planes[0]
    let (cx, cy) = (x & 63, y & 63)
    let hidden = unsafe tools.commit(
      trial, result, plane[x, y], plane.stride, qp: qp, isLuma: true,
      levels: store.lumaLevels(cx, cy))
    unsafe store.lastLuma[cy &>> 2 &* 16 &+ cx &>> 2] = result.stored
    unsafe picture.modes.fill(x &>> 2, y &>> 2, units, UInt8(truncatingIfNeeded: result.mode))
    unsafe picture.isLumaThere.fill(x &>> 2, y &>> 2, units, 1)
    return hidden
  }

  /// The best direction of a block, and what it leaves, quantized.
  private func block(_ trial: BlockTrial, _ x: Int, _ y: Int, qp: Int, cbfContext: Int)
    -> TrialResult
  {
    let log2 = unsafe trial.log2
    let plane = unsafe picture.planes[0]
    let references = unsafe tools.references
    unsafe references.gather(
      plane[x, y], stride: plane.stride, side: 1 &<< log2,
      picture.neighbours(picture.isLumaThere, x, y, log2), bitDepth: tools.bitDepth)
    if log2 == 5 {
      if unsafe !references.smoothStrongly(bitDepth: tools.bitDepth) {
        unsafe references.smooth(side: 32)
      }
    } else if log2 > 2 {
      unsafe references.smooth(side: 1 &<< log2)
    }
    let likely = unsafe picture.likelyModes(x, y)
    let (mode, bits) = unsafe direction(x, y, log2, qp: qp, likely)
    unsafe tools.predict(
      trial.prediction, log2: log2, mode: mode, sides(mode, log2), edges: log2 < 5)
    let source = unsafe store.luma + ((y & 63) &* 64 &+ x & 63)
    let flags = unsafe (cost(cbfContext, 0), cost(cbfContext, 1))
    var result = unsafe residual(trial, source, 64, mode: mode, qp: qp, isLuma: true, flags)
    result.cost &+= Int64(bits)
    return result
  }

  /// What a prediction leaves, quantized with or without a transform, whichever costs less.
  private func residual(
    _ trial: BlockTrial, _ source: UnsafeMutablePointer<UInt16>, _ stride: Int, mode: Int, qp: Int,
    isLuma: Bool, _ flags: (Int32, Int32)
  ) -> TrialResult {
    guard unsafe choices.skipsTransforms && trial.log2 == 2 else {
      return unsafe tools.quantize(
        trial, source, stride, mode: mode, qp: qp, isLuma: isLuma, flags)
    }
    let context = Context.transformSkip &+ (isLuma ? 0 : 1)
    let usual = unsafe tools.quantize(
      trial, source, stride, mode: mode, qp: qp, isLuma: isLuma,
      (flags.0, flags.1 &+ cost(context, 0)))
    unsafe skipping.prediction.update(from: trial.prediction, count: 16)
    let skipped = unsafe tools.quantize(
      skipping, source, stride, mode: mode, qp: qp, isLuma: isLuma,
      (flags.0, flags.1 &+ cost(context, 1)), skips: true)
    return skipped.last >= 0 && skipped.cost < usual.cost ? skipped : usual
  }

  /// Returns which references a mode is predicted from: 8.4.4.2.3.
  @inline(__always)
  private func sides(_ mode: Int, _ log2: Int) -> ReferenceSamples<UInt16>.Sides {
    let references = unsafe tools.references
    guard log2 > 2, mode != 1 else { return unsafe references.plain }
    let distance = min(abs(mode &- 26), abs(mode &- 10))
    let isSmooth = mode == 0 || distance > (log2 == 3 ? 7 : log2 == 4 ? 1 : 0)
    return unsafe isSmooth ? references.smooth : references.plain
  }

  // MARK: - Directions

  /// Bits of a mode, by whether it is one of the three that are likely.
  private struct ModeBits {
    var first: Int32
    var other: Int32
    var rest: Int32
  }

  /// Finds the direction with the least Hadamard cost: planes and every fourth angle, then those between the best and
  /// its neighbours.
  private func direction(_ x: Int, _ y: Int, _ log2: Int, qp: Int, _ likely: (Int, Int, Int))
    -> (mode: Int, cost: Int32)
  {
    let isLikely = unsafe cost(Context.prevIntraLumaPred, 1)
    let bits = unsafe ModeBits(
      first: isLikely &+ Quantizer.bitCost, other: isLikely &+ 2 &* Quantizer.bitCost,
      rest: cost(Context.prevIntraLumaPred, 0) &+ 5 &* Quantizer.bitCost)
    let weight = Quantizer.rootCost(qp: qp)
    let wide = unsafe tools.wide
    let side = 1 &<< log2
    let place = (y & 63) &* 64 &+ x & 63
    let source = unsafe store.luma + place
    let turned = unsafe store.turned + ((x & 63) &* 64 &+ y & 63)
    var (best, least) = (0, Int64.max)

    func rate(_ mode: Int) -> Int32 {
      mode == likely.0
        ? bits.first : mode == likely.1 || mode == likely.2 ? bits.other : bits.rest
    }
    @inline(__always)
    func weigh(_ mode: Int, _ satd: Int32) {
      let scaled = Int64(satd) &<< (log2 == 2 ? 9 : 8)
      let cost = scaled &+ (Int64(rate(mode)) &* weight) / Int64(Quantizer.bitCost)
      if cost < least { (best, least) = (mode, cost) }
    }
    @inline(__always)
    func attempt(_ mode: Int) {
      let sides = unsafe sides(mode, log2)
      let isUpper = mode >= 18
      let main = unsafe isUpper ? sides.above : sides.left
      unsafe tools.extend(main, by: isUpper ? sides.left : sides.above, mode, side)
      unsafe weigh(
        mode,
        apus_satd_angle(
          wide, isUpper ? source : turned, 64, main - 1, Int32(Angles.angle(of: mode)), Int32(log2))
      )
    }

    let smooth = unsafe sides(0, log2)
    unsafe apus_predict_planar(wide, scratch, side, smooth.left, smooth.above, Int32(log2))
    unsafe weigh(0, apus_satd(wide, source, 64, scratch, side, Int32(log2)))
    let plain = unsafe tools.references.plain
    unsafe tools.flat(scratch, log2, plain.left, plain.above, edges: log2 < 5)
    unsafe weigh(1, apus_satd(wide, source, 64, scratch, side, Int32(log2)))

    let (before, leastBefore) = (best, least)
    least = .max
    var mode = 2
    while mode < 35 {
      attempt(mode)
      mode &+= 4
    }
    for step in [2, 1] {
      let middle = best
      if middle &- step >= 2 { attempt(middle &- step) }
      if middle &+ step <= 34 { attempt(middle &+ step) }
    }
    if leastBefore <= least { (best, least) = (before, leastBefore) }
    let angle = best
    for mode in [likely.0, likely.1, likely.2] where mode > 1 && abs(mode &- angle) > 0 {
      attempt(mode)
    }
    return (best, rate(best))
  }

  // MARK: - Chroma

  /// Codes the chroma of a coding block whose luma is decided.
  ///
  /// - Returns: what it costs.
  func chroma(_ x: Int, _ y: Int, _ log2: Int, qp: Int) -> Int64 {
    let luma = unsafe Int(picture.modes[x &>> 2, y &>> 2].pointee)
    let size = log2 &- 1
    let side = 1 &<< size
    let (px, py) = (x &>> 1, y &>> 1)
    let (cx, cy) = (x & 63, y & 63)
    let trial = unsafe chromaTrials[size &- 2]
    let neighbours = unsafe picture.neighbours(picture.isChromaThere, px, py, size)
    let code = unsafe chromaCode(px, py, size, luma, neighbours, qp: qp)
    let mode = unsafe BlockWriter.chromaMode(code, luma)
    unsafe picture.chromaModes[x &>> 3, y &>> 3].pointee = code
    let flags = unsafe (cost(Context.cbfChroma, 0), cost(Context.cbfChroma, 1))
    var total = unsafe Int64(chromaRate(code))
    for component in 1...2 {
      let plane = unsafe picture.planes[component]
      unsafe tools.references.gather(
        plane[px, py], stride: plane.stride, side: side, neighbours, bitDepth: tools.bitDepth)
      unsafe tools.predict(
        trial.prediction, log2: size, mode: mode, tools.references.plain, edges: false)
      let result = unsafe residual(
        trial, chromaSource(component, cx, cy), 32, mode: mode, qp: qp, isLuma: false, flags)
      total &+= result.cost
      unsafe total &+= tools.commit(
        result.skipsTransform ? skipping : trial, result, plane[px, py], plane.stride, qp: qp,
        isLuma: false,
        levels: store.chromaLevels(component, cx, cy))
      unsafe store.lastChroma[(component &- 1) &* 64 &+ (cy &>> 3) &* 8 &+ cx &>> 3] =
        result.stored
    }
    unsafe picture.isChromaThere.fill(px &>> 2, py &>> 2, side &>> 2, 1)
    return total
  }

  @inline(__always)
  private func chromaSource(_ component: Int, _ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt16> {
    unsafe store.chroma + ((component &- 1) &* 1024 &+ (y &>> 1) &* 32 &+ x &>> 1)
  }

  @inline(__always)
  private func chromaRate(_ code: UInt8) -> Int32 {
    unsafe code == 4
      ? cost(Context.intraChromaPredMode, 0)
      : cost(Context.intraChromaPredMode, 1) &+ 2 &* Quantizer.bitCost
  }

  /// `intra_chroma_pred_mode` with the least Hadamard cost of Cb and Cr together.
  private func chromaCode(
    _ px: Int, _ py: Int, _ size: Int, _ luma: Int,
    _ neighbours: ReferenceSamples<UInt16>.Neighbours, qp: Int
  ) -> UInt8 {
    let side = 1 &<< size
    let weight = Quantizer.rootCost(qp: qp)
    var costs = InlineArray<5, Int64>(repeating: 0)
    for component in 1...2 {
      let plane = unsafe picture.planes[component]
      unsafe tools.references.gather(
        plane[px, py], stride: plane.stride, side: side, neighbours, bitDepth: tools.bitDepth)
      let source = unsafe chromaSource(component, px &<< 1 & 63, py &<< 1 & 63)
      for code in 0..<5 {
        let mode = unsafe BlockWriter.chromaMode(UInt8(truncatingIfNeeded: code), luma)
        unsafe tools.predict(scratch, log2: size, mode: mode, tools.references.plain, edges: false)
        let satd = unsafe apus_satd(tools.wide, source, 32, scratch, side, Int32(size))
        costs[code] &+= Int64(satd) &<< (size == 2 ? 9 : 8)
      }
    }
    var best = 4
    for code in 0..<5 {
      let rate = unsafe Int64(chromaRate(UInt8(truncatingIfNeeded: code)))
      costs[code] &+= (rate &* weight) / Int64(Quantizer.bitCost)
    }
    for code in 0..<4 where costs[code] < costs[best] { best = code }
    return UInt8(truncatingIfNeeded: best)
  }
}

/// How far the search goes.
struct SearchChoices: Hashable, Sendable {
  /// Whether blocks of 8 × 8 may be predicted in four parts.
  var partsSmallBlocks = true
  /// Whether blocks of 4 × 4 are tried without a transform, too.
  var skipsTransforms = false
}
