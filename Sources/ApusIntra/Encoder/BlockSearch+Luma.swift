// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The prediction of a luma block.
extension BlockSearch {
  /// Finds the best directions of a block and quantizes their residuals: the best one and, if chroma counts, the
  /// second.
  func block(_ x: Int, _ y: Int, _ log2: Int, _ qps: Quantizers, cbfContext: Int)
    -> (best: TrialResult, second: TrialResult)
  {
    let qp = qps.luma
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
    let rates = unsafe modeRates()
    let limits = unsafe choices.limits(log2, isSmooth: qps.isSmooth)
    var ranked = unsafe directions(x, y, log2, qp: qp, likely, rates, limit: limits.count)
    if unsafe limits.count > 1 || choices.candidates > 1 { ranked.append(likely.0) }
    if unsafe choices.triesAllLikely {
      ranked.append(likely.1)
      ranked.append(likely.2)
    }
    let source = unsafe store.luma + ((y & 63) &* 64 &+ x & 63)
    let flags = unsafe (cost(cbfContext, 0), cost(cbfContext, 1))
    let skips = unsafe choices.skipsTransforms && log2 == 2
    var best = TrialResult()
    var second = TrialResult()
    let bound = ranked.costs[0] &+ (ranked.costs[0] &* limits.tolerance) >> 6
    for index in 0..<ranked.count {
      // The costs of the most probable modes, which are included in any case, do not count here.
      if ranked.costs[index] > bound, ranked.costs[index] < .max { continue }
      let mode = Int(ranked.modes[index])
      let bits = Int64(rates.rate(mode, likely))
      for attempt in 0..<(skips ? 2 : 1) {
        let slot = unsafe TrialMemory.free(best.slot, second.slot)
        let trial = unsafe trials.luma(log2, slot)
        unsafe tools.predict(
          trial.prediction, log2: log2, mode: mode, sides(mode, log2), edges: log2 < 5)
        var more: Int32 = 0
        if skips { more = unsafe cost(Context.transformSkip, attempt) }
        var result = unsafe tools.quantize(
          trial, source, 64, mode: mode, qp: qp, isLuma: true, (flags.0, flags.1 &+ more),
          skips: attempt == 1)
        guard attempt == 0 || result.last >= 0 else { continue }
        result.cost &+= bits
        result.slot = slot
        if unsafe choices.settlesAll {
          // Reconstruction never changes costs by more than an eighth.
          guard second.slot < 0 || result.cost &- second.cost < second.cost >> 3 else { continue }
          unsafe tools.settle(trial, &result, source, 64, qp: qp, isLuma: true)
        }
        if result.cost < best.cost {
          // Two ways to code one direction do not count as two directions.
          if best.mode != mode { second = best }
          best = result
        } else if result.cost < second.cost, mode != best.mode {
          second = result
        }
      }
    }
    guard qps.settles, unsafe !choices.settlesAll, best.slot >= 0 else { return (best, second) }
    unsafe tools.settle(trials.luma(log2, best.slot), &best, source, 64, qp: qp, isLuma: true)
    guard second.slot >= 0 else { return (best, second) }
    unsafe tools.settle(
      trials.luma(log2, second.slot), &second, source, 64, qp: qp, isLuma: true)
    return best.cost <= second.cost ? (best, second) : (second, best)
  }

  /// Returns the references that a mode uses: 8.4.4.2.3.
  @inline(__always)
  func sides(_ mode: Int, _ log2: Int) -> ReferenceSamples<UInt16>.Sides {
    let references = unsafe tools.references
    guard log2 > 2, mode != 1 else { return unsafe references.plain }
    let distance = min(abs(mode &- 26), abs(mode &- 10))
    let isSmooth = mode == 0 || distance > (log2 == 3 ? 7 : log2 == 4 ? 1 : 0)
    return unsafe isSmooth ? references.smooth : references.plain
  }

  // MARK: - Directions

  /// The bits of a mode, depending on whether it is one of the three most probable.
  struct ModeRates {
    var first: Int32
    var other: Int32
    var rest: Int32

    @inline(__always)
    func rate(_ mode: Int, _ likely: (Int, Int, Int)) -> Int32 {
      mode == likely.0 ? first : mode == likely.1 || mode == likely.2 ? other : rest
    }
  }

  func modeRates() -> ModeRates {
    let isLikely = unsafe cost(Context.prevIntraLumaPred, 1)
    let bit = unsafe tools.rates.bit
    return unsafe ModeRates(
      first: isLikely &+ bit, other: isLikely &+ 2 &* bit,
      rest: cost(Context.prevIntraLumaPred, 0) &+ 5 &* bit)
  }

  /// Finds the directions with the lowest Hadamard costs: planes and every fourth angle, then those between the best
  /// one and its neighbours.
  private func directions(
    _ x: Int, _ y: Int, _ log2: Int, qp: Int, _ likely: (Int, Int, Int), _ rates: ModeRates,
    limit: Int
  ) -> RankedModes {
    let weight = Quantizer.rootCost(qp: qp)
    let bit = unsafe Int64(tools.rates.bit)
    let wide = unsafe tools.wide
    let side = 1 &<< log2
    let place = (y & 63) &* 64 &+ x & 63
    let source = unsafe store.luma + place
    let turned = unsafe store.turned + ((x & 63) &* 64 &+ y & 63)
    var ranked = RankedModes(limit: limit)

    @inline(__always)
    func weigh(_ mode: Int, _ satd: Int32) -> Int64 {
      let scaled = Int64(satd) &<< (log2 == 2 ? 9 : 8)
      let rate = Int64(rates.rate(mode, likely))
      let cost = scaled &+ (rate &* weight) / bit
      ranked.insert(mode, cost)
      return cost
    }
    var (angle, least) = (0, Int64.max)
    @inline(__always)
    func attempt(_ mode: Int) {
      let sides = unsafe sides(mode, log2)
      let isUpper = mode >= 18
      let main = unsafe isUpper ? sides.above : sides.left
      unsafe tools.extend(main, by: isUpper ? sides.left : sides.above, mode, side)
      let cost = unsafe weigh(
        mode,
        apus_satd_angle(
          wide, isUpper ? source : turned, 64, main - 1, Int32(Angles.angle(of: mode)), Int32(log2))
      )
      if cost < least { (angle, least) = (mode, cost) }
    }

    let smooth = unsafe sides(0, log2)
    unsafe apus_predict_planar(wide, scratch, side, smooth.left, smooth.above, Int32(log2))
    _ = unsafe weigh(0, apus_satd(wide, source, 64, scratch, side, Int32(log2)))
    let plain = unsafe tools.references.plain
    unsafe tools.flat(scratch, log2, plain.left, plain.above, edges: log2 < 5)
    _ = unsafe weigh(1, apus_satd(wide, source, 64, scratch, side, Int32(log2)))

    var tried: UInt64 = 0
    var mode = 2
    while mode < 35 {
      attempt(mode)
      tried |= 1 &<< UInt64(mode)
      mode &+= 4
    }
    for step in [2, 1] {
      let middle = angle
      for mode in [middle &- step, middle &+ step] where mode >= 2 && mode <= 34 {
        attempt(mode)
        tried |= 1 &<< UInt64(mode)
      }
    }
    for mode in [likely.0, likely.1, likely.2] where mode > 1 && tried &>> UInt64(mode) & 1 == 0 {
      attempt(mode)
    }
    return ranked
  }
}

/// A few modes sorted by cost, the cheapest first.
struct RankedModes {
  private(set) var modes = InlineArray<10, UInt8>(repeating: 0)
  private(set) var costs = InlineArray<10, Int64>(repeating: .max)
  private(set) var count = 0
  private let limit: Int

  /// - Parameter limit: the maximum number of modes, at most 7.
  init(limit: Int) { self.limit = limit }

  @inline(__always)
  mutating func insert(_ mode: Int, _ cost: Int64) {
    guard cost < costs[limit &- 1] else { return }
    var place = min(count, limit &- 1)
    while place > 0, costs[place &- 1] > cost {
      (costs[place], modes[place]) = (costs[place &- 1], modes[place &- 1])
      place &-= 1
    }
    (costs[place], modes[place]) = (cost, UInt8(truncatingIfNeeded: mode))
    count = min(count &+ 1, limit)
  }

  /// Adds a mode that is not included yet, regardless of its cost.
  mutating func append(_ mode: Int) {
    for index in 0..<count where modes[index] == mode { return }
    modes[count] = UInt8(truncatingIfNeeded: mode)
    count &+= 1
  }
}
