// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Both chroma blocks of a coding block in their coded form.
struct ChromaResult {
  /// The code `intra_chroma_pred_mode`.
  var code: UInt8 = 4
  var cb = TrialResult()
  var cr = TrialResult()
  /// The total cost, including the mode.
  var cost = Int64.max
}

/// The prediction of a coding block's chroma.
extension BlockSearch {
  /// Quantizes the chroma of a coding block in its best mode.
  ///
  /// - Parameters:
  ///   - luma: the mode of its first luma block.
  ///   - kept: a result whose trials must not be overwritten.
  func chroma(_ x: Int, _ y: Int, _ log2: Int, luma: Int, qp: ChromaQPs, _ kept: ChromaResult)
    -> ChromaResult
  {
    let size = log2 &- 1
    let (px, py) = (x &>> 1, y &>> 1)
    let neighbours = unsafe picture.neighbours(picture.isChromaThere, px, py, size)
    let codes = unsafe chromaCodes(px, py, size, luma, neighbours, qp: qp.cb)
    var best = ChromaResult()
    for index in 0..<codes.count {
      let code = codes.modes[index]
      let mode = unsafe BlockWriter.chromaMode(code, luma)
      var result = ChromaResult()
      result.code = code
      unsafe result.cost = Int64(chromaRate(code))
      result.cb = unsafe chromaBlock(
        1, px, py, size, mode, neighbours, qp: qp.cb, kept.cb.slot, best.cb.slot)
      if result.cost &+ result.cb.cost < best.cost {
        result.cr = unsafe chromaBlock(
          2, px, py, size, mode, neighbours, qp: qp.cr, kept.cr.slot, best.cr.slot)
        result.cost &+= result.cb.cost &+ result.cr.cost
        if result.cost < best.cost { best = result }
      }
    }
    return best
  }

  /// Quantizes one component in one mode, with or without a transform, whichever costs less.
  private func chromaBlock(
    _ component: Int, _ px: Int, _ py: Int, _ size: Int, _ mode: Int,
    _ neighbours: ReferenceSamples<UInt16>.Neighbours, qp: Int, _ kept: Int, _ best: Int
  ) -> TrialResult {
    let plane = unsafe picture.planes[component]
    let slot = unsafe TrialMemory.free(kept, best)
    let spare = unsafe TrialMemory.free(kept, best, slot)
    let trial = unsafe trials.chroma(component, size, slot)
    let flags = unsafe (cost(Context.cbfChroma, 0), cost(Context.cbfChroma, 1))
    unsafe tools.references.gather(
      plane[px, py], stride: plane.stride, side: 1 &<< size, neighbours, bitDepth: tools.bitDepth)
    unsafe tools.predict(
      trial.prediction, log2: size, mode: mode, tools.references.plain, edges: false)
    let source = unsafe chromaSource(component, px, py)
    guard unsafe choices.skipsTransforms, size == 2 else {
      var result = unsafe tools.quantize(
        trial, source, 32, mode: mode, qp: qp, isLuma: false, flags)
      result.slot = slot
      if unsafe choices.settlesAll {
        unsafe tools.settle(trial, &result, source, 32, qp: qp, isLuma: false)
      }
      return result
    }
    let context = Context.transformSkip &+ 1
    var usual = unsafe tools.quantize(
      trial, source, 32, mode: mode, qp: qp, isLuma: false, (flags.0, flags.1 &+ cost(context, 0)))
    usual.slot = slot
    let other = unsafe trials.chroma(component, size, spare)
    unsafe other.prediction.update(from: trial.prediction, count: 16)
    var skipped = unsafe tools.quantize(
      other, source, 32, mode: mode, qp: qp, isLuma: false, (flags.0, flags.1 &+ cost(context, 1)),
      skips: true)
    skipped.slot = spare
    return skipped.last >= 0 && skipped.cost < usual.cost ? skipped : usual
  }

  /// Reconstructs a trial in the picture.
  ///
  /// - Returns: the change of its cost.
  func keep(_ result: ChromaResult, _ x: Int, _ y: Int, _ log2: Int, qp: ChromaQPs) -> Int64 {
    guard result.cost < .max else { return 0 }
    let size = log2 &- 1
    let (px, py) = (x &>> 1, y &>> 1)
    let (cx, cy) = (x & 63, y & 63)
    unsafe picture.chromaModes[x &>> 3, y &>> 3].pointee = result.code
    var total: Int64 = 0
    for component in 1...2 {
      let plane = unsafe picture.planes[component]
      let made = component == 1 ? result.cb : result.cr
      unsafe total &+= tools.commit(
        trials.chroma(component, size, made.slot), made, plane[px, py], plane.stride,
        qp: qp[component], isLuma: false, levels: store.chromaLevels(component, cx, cy))
      unsafe store.lastChroma[(component &- 1) &* 64 &+ (cy &>> 3) &* 8 &+ cx &>> 3] = made.stored
    }
    unsafe picture.isChromaThere.fill(px &>> 2, py &>> 2, 1 &<< (size &- 2), 1)
    return total
  }

  /// Codes the chroma of a coding block whose luma is decided.
  ///
  /// - Returns: the cost.
  func chroma(_ x: Int, _ y: Int, _ log2: Int, qp: ChromaQPs) -> Int64 {
    let luma = unsafe Int(picture.modes[x &>> 2, y &>> 2].pointee)
    let result = unsafe chroma(x, y, log2, luma: luma, qp: qp, ChromaResult())
    return unsafe result.cost &+ keep(result, x, y, log2, qp: qp)
  }

  @inline(__always)
  private func chromaSource(_ component: Int, _ px: Int, _ py: Int) -> UnsafeMutablePointer<UInt16>
  {
    unsafe store.chroma + ((component &- 1) &* 1024 &+ (py & 31) &* 32 &+ px & 31)
  }

  @inline(__always)
  private func chromaRate(_ code: UInt8) -> Int32 {
    unsafe code == 4
      ? cost(Context.intraChromaPredMode, 0)
      : cost(Context.intraChromaPredMode, 1) &+ 2 &* tools.rates.bit
  }

  /// Returns the values of `intra_chroma_pred_mode` with the lowest Hadamard costs of Cb and Cr together; if there are
  /// several, the derived mode is among them.
  private func chromaCodes(
    _ px: Int, _ py: Int, _ size: Int, _ luma: Int,
    _ neighbours: ReferenceSamples<UInt16>.Neighbours, qp: Int
  ) -> RankedModes {
    let side = 1 &<< size
    let weight = Quantizer.rootCost(qp: qp)
    var costs = InlineArray<5, Int64>(repeating: 0)
    for component in 1...2 {
      let plane = unsafe picture.planes[component]
      unsafe tools.references.gather(
        plane[px, py], stride: plane.stride, side: side, neighbours, bitDepth: tools.bitDepth)
      let source = unsafe chromaSource(component, px, py)
      for code in 0..<5 {
        let mode = unsafe BlockWriter.chromaMode(UInt8(truncatingIfNeeded: code), luma)
        unsafe tools.predict(scratch, log2: size, mode: mode, tools.references.plain, edges: false)
        let satd = unsafe apus_satd(tools.wide, source, 32, scratch, side, Int32(size))
        costs[code] &+= Int64(satd) &<< (size == 2 ? 9 : 8)
      }
    }
    var ranked = unsafe RankedModes(limit: choices.chromaCandidates)
    let bit = unsafe Int64(tools.rates.bit)
    for code in [4, 0, 1, 2, 3] {
      let rate = unsafe Int64(chromaRate(UInt8(truncatingIfNeeded: code)))
      ranked.insert(code, costs[code] &+ (rate &* weight) / bit)
    }
    if unsafe choices.chromaCandidates > 1 { ranked.append(4) }
    return ranked
  }
}
