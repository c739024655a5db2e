// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The tables and scratch memory of an encoder, and its operations on single blocks.
@unsafe struct EncodingTools {
  /// Whether wide kernels are used; see `Vector.wide`.
  let wide: Int32
  let bitDepth: Int
  let most: Int16
  let references: ReferenceSamples<UInt16>
  let rates: LevelRates
  /// The entries of `Scans`.
  let scans: UnsafeMutablePointer<UInt8>
  private let inverse: InverseTransform
  /// The factors of the forward transforms by log2 − 2, 512 each; the sine transform comes after them.
  private let factors: UnsafeMutablePointer<Int16>
  /// The offsets at which sub-blocks begin in a transposed block, by scan and log2 − 2, 64 each.
  private let corners: UnsafeMutablePointer<UInt16>
  private let turned: UnsafeMutablePointer<UInt16>
  private let residual: UnsafeMutablePointer<Int16>
  private let coefficients: UnsafeMutablePointer<Int16>

  init(bitDepth: Int, isPortable: Bool) {
    unsafe wide = isPortable ? 0 : apus_has_wide()
    unsafe self.bitDepth = bitDepth
    unsafe most = Int16((1 << bitDepth) - 1)
    unsafe references = ReferenceSamples()
    let entries = Scans()
    unsafe rates = LevelRates(entries)
    unsafe scans = .allocate(capacity: entries.entries.count)
    for index in entries.entries.indices {
      unsafe (scans + index).initialize(to: entries.entries[index])
    }
    unsafe inverse = InverseTransform(bitDepth: bitDepth)
    unsafe factors = .allocate(capacity: 5 * 512)
    unsafe factors.initialize(repeating: 0, count: 5 * 512)
    for (index, value) in ForwardTransform.factors().enumerated() { unsafe factors[index] = value }
    unsafe corners = .allocate(capacity: 3 * 4 * 64)
    unsafe corners.initialize(repeating: 0, count: 3 * 4 * 64)
    for scan in 0..<3 {
      for log2 in 2...5 {
        let order = (log2 == 5 ? 3 : scan * 4 + log2 - 2) * 64
        for group in 0..<1 << (2 * (log2 - 2)) {
          let column = Int(entries.entries[order + group])
          let row = Int(entries.entries[Scans.rows + order + group])
          unsafe corners[(scan * 4 + log2 - 2) * 64 + group] = UInt16(column * 4 << log2 + row * 4)
        }
      }
    }
    unsafe turned = .allocate(capacity: 1024 + 32)
    unsafe turned.initialize(repeating: 0, count: 1024 + 32)
    unsafe residual = .allocate(capacity: 2048)
    unsafe residual.initialize(repeating: 0, count: 2048)
    unsafe coefficients = residual + 1024
  }

  func deallocate() {
    unsafe references.deallocate()
    unsafe rates.deallocate()
    unsafe inverse.deallocate()
    unsafe scans.deallocate()
    unsafe factors.deallocate()
    unsafe corners.deallocate()
    unsafe turned.deallocate()
    unsafe residual.deallocate()
  }

  // MARK: - Prediction

  /// Predicts a block into contiguous rows: 8.4.4.2.6.
  func predict(
    _ to: UnsafeMutablePointer<UInt16>, log2: Int, mode: Int,
    _ sides: ReferenceSamples<UInt16>.Sides, edges: Bool
  ) {
    let side = 1 &<< log2
    let (left, above) = unsafe (sides.left, sides.above)
    switch mode {
    case 0: unsafe apus_predict_planar(wide, to, side, left, above, Int32(log2))
    case 1: unsafe flat(to, log2, left, above, edges: edges)
    case 18...:
      unsafe extend(above, by: left, mode, side)
      unsafe apus_predict_angle(
        wide, to, side, above - 1, Int32(Angles.angle(of: mode)), Int32(log2))
      guard mode == 26, edges else { return }
      for row in 0..<side {
        unsafe to[row &* side] = clipped(
          Int32(above[0]) &+ (Int32(left[row]) &- Int32(left[-1])) >> 1)
      }
    default:
      unsafe extend(left, by: above, mode, side)
      unsafe apus_predict_angle(
        wide, turned, side, left - 1, Int32(Angles.angle(of: mode)), Int32(log2))
      unsafe turn(turned, to, log2)
      guard mode == 10, edges else { return }
      for column in 0..<side {
        unsafe to[column] = clipped(
          Int32(left[0]) &+ (Int32(above[column]) &- Int32(above[-1])) >> 1)
      }
    }
  }

  /// Extends a reference beyond the corner, if the angle needs it: 8.4.4.2.6.
  @inline(__always)
  func extend(
    _ main: UnsafeMutablePointer<UInt16>, by other: UnsafeMutablePointer<UInt16>, _ mode: Int,
    _ side: Int
  ) {
    guard mode > 10, mode < 26 else { return }
    let last = (side &* Angles.angle(of: mode)) >> 5
    guard last < -1 else { return }
    let inverse = Angles.inverse(of: mode)
    var index = -1
    while index >= last {
      unsafe main[index &- 1] = other[-1 &+ (index &* inverse &+ 128) >> 8]
      index &-= 1
    }
  }

  @inline(__always)
  private func clipped(_ value: Int32) -> UInt16 {
    unsafe UInt16(truncatingIfNeeded: max(0, min(Int32(most), value)))
  }

  func turn(_ from: UnsafeMutablePointer<UInt16>, _ to: UnsafeMutablePointer<UInt16>, _ log2: Int) {
    let side = 1 &<< log2
    guard log2 > 2 else {
      for row in 0..<4 {
        for column in 0..<4 { unsafe to[row &* 4 &+ column] = from[column &* 4 &+ row] }
      }
      return
    }
    var row = 0
    while row < side {
      var column = 0
      while column < side {
        unsafe apus_transpose_16(
          to + (row &* side &+ column), side, from + (column &* side &+ row), side)
        column &+= 8
      }
      row &+= 8
    }
  }

  func flat(
    _ to: UnsafeMutablePointer<UInt16>, _ log2: Int, _ left: UnsafeMutablePointer<UInt16>,
    _ above: UnsafeMutablePointer<UInt16>, edges: Bool
  ) {
    let side = 1 &<< log2
    var sum = Int32(side)
    for index in 0..<side { sum = unsafe sum &+ Int32(left[index]) &+ Int32(above[index]) }
    let mean = sum &>> Int32(log2 &+ 1)
    unsafe to.update(repeating: UInt16(truncatingIfNeeded: mean), count: side &* side)
    guard edges else { return }
    let corner = unsafe Int32(left[0]) &+ 2 &* mean &+ Int32(above[0]) &+ 2
    unsafe to[0] = UInt16(truncatingIfNeeded: corner &>> 2)
    for index in 1..<side {
      unsafe to[index] = UInt16(truncatingIfNeeded: (Int32(above[index]) &+ 3 &* mean &+ 2) &>> 2)
      unsafe to[index &* side] = UInt16(
        truncatingIfNeeded: (Int32(left[index]) &+ 3 &* mean &+ 2) &>> 2)
    }
  }

  /// Returns `scanIdx` in 4:2:0: 7.4.9.11.
  @inline(__always)
  static func scan(_ log2: Int, isLuma: Bool, _ mode: Int) -> Int {
    guard log2 == 2 || (log2 == 3 && isLuma) else { return Scans.diagonal }
    if mode >= 6, mode <= 14 { return Scans.vertical }
    return mode >= 22 && mode <= 30 ? Scans.horizontal : Scans.diagonal
  }

  // MARK: - Levels

  /// Quantizes the residual of a prediction.
  ///
  /// - Parameters:
  ///   - flags: the cost of the coded block flag, 0 and then 1, including the syntax elements that follow it.
  ///   - skips: whether the transform is skipped, for a block of 4 × 4.
  func quantize(
    _ trial: BlockTrial, _ source: UnsafeMutablePointer<UInt16>, _ stride: Int, mode: Int, qp: Int,
    isLuma: Bool, _ flags: (Int32, Int32), skips: Bool = false
  ) -> TrialResult {
    let log2 = unsafe trial.log2
    let side = 1 &<< log2
    var result = TrialResult()
    result.mode = mode
    result.skipsTransform = skips
    result.scan = unsafe Self.scan(log2, isLuma: isLuma, mode)
    let quantizer = unsafe Quantizer(qp: qp, log2: log2, bitDepth: bitDepth)
    unsafe apus_difference(wide, residual, source, stride, trial.prediction, side, Int32(log2))
    if skips {
      // Scaled like the result of a transform: 8.6.4.2, in reverse.
      let shift = unsafe Int16(truncatingIfNeeded: 13 &- bitDepth)
      for place in 0..<16 {
        unsafe coefficients[(place & 3) &* 4 &+ place &>> 2] = residual[place] &<< shift
      }
    } else {
      let matrix = unsafe factors + (isLuma && log2 == 2 ? 4 : log2 &- 2) &* 512
      unsafe apus_transform(wide, coefficients, residual, matrix, Int32(log2), Int32(bitDepth))
    }
    let decision = unsafe trial.decision
    var error: Int64 = 0
    let last = unsafe apus_quantize(
      wide, decision.nearest, decision.rests, decision.masks, decision.signs, coefficients,
      corners + (result.scan &* 4 &+ log2 &- 2) &* 64, 1 &<< Int32(2 &* log2 &- 4), Int32(side),
      Int32(result.scan), quantizer.scale, quantizer.shift, quantizer.least, &error)
    result.cost = error &+ Int64(flags.0)
    result.error = error
    guard last >= 0 else { return result }
    result.lastGroup = Int(last)
    let outcome = unsafe decision.decide(
      block(result, log2, isLuma: isLuma, flag: flags.1 &- flags.0), trial.levels)
    result.last = outcome.last
    result.hidden = outcome.hidden
    result.cost &+= outcome.energy &+ outcome.cost
    return result
  }

  /// Hides the signs of a block, and adds the cost of hiding them.
  func hide(_ trial: BlockTrial, _ result: inout TrialResult, isLuma: Bool) {
    guard result.last >= 0 else { return }
    let log2 = unsafe trial.log2
    unsafe result.cost &+= trial.decision.hide(
      block(result, log2, isLuma: isLuma, flag: 0), trial.levels, last: result.last, hides: true)
    unsafe result.cost &+= Int64(result.hidden) &* trial.decision.savedByHiding
    result.isHidden = true
  }

  @inline(__always)
  private func block(_ result: TrialResult, _ log2: Int, isLuma: Bool, flag: Int32)
    -> LevelDecision.Block
  {
    let order = (log2 == 5 ? 3 : result.scan &* 4 &+ log2 &- 2) &* 64
    return unsafe LevelDecision.Block(
      log2: log2, isLuma: isLuma, scan: result.scan, places: UnsafePointer(scans + order),
      inside: UnsafePointer(scans + (Scans.places &+ result.scan &* 16)), last: result.lastGroup,
      flag: flag)
  }

  /// Reconstructs the samples of a block, and counts their errors instead of those of its coefficients. Samples are
  /// integers: with fine quantizers, most of the error is rounded away, or is only rounding.
  func settle(
    _ trial: BlockTrial, _ result: inout TrialResult, _ source: UnsafeMutablePointer<UInt16>,
    _ stride: Int, qp: Int, isLuma: Bool
  ) {
    let log2 = unsafe trial.log2
    let side = 1 &<< log2
    if !result.isHidden { unsafe hide(trial, &result, isLuma: isLuma) }
    unsafe result.cost &-= coefficientError(trial, result)
    unsafe reconstruct(trial, result, trial.made, side, qp: qp, isLuma: isLuma)
    let squares = unsafe Int64(apus_squares(wide, source, stride, trial.made, side, Int32(log2)))
    result.cost &+= (squares &* Quantizer.errorScale(qp: qp)) >> 16
    result.isSettled = true
  }

  /// Returns the error of the coefficients of a block whose signs are hidden.
  func coefficientError(_ trial: BlockTrial, _ result: TrialResult) -> Int64 {
    let decision = unsafe trial.decision
    var error = result.error
    var group = result.lastGroup
    while group >= 0 {
      let isCoded = group <= result.last &>> 4
      let levels = unsafe trial.levels + group &* 16
      let (near, rests) = unsafe (decision.nearest + group &* 16, decision.rests + group &* 16)
      let quantized = unsafe UInt32(decision.masks[group])
      // For sub-blocks that are quantized to zero, that is all, unless hiding a sign created a level.
      var found = unsafe quantized == 0 ? 0 : quantized | (isCoded ? apus_found(levels) : 0)
      while found != 0 {
        let n = found.trailingZeroBitCount
        found &= found &- 1
        let level = unsafe isCoded ? abs(Int64(levels[n])) : 0
        let rest = unsafe Int64(rests[n])
        let left = unsafe rest &+ (Int64(near[n]) &- level) &<< 8
        error &+= left &* left
        if unsafe near[n] == 0 { error &-= rest &* rest }
      }
      group &-= 1
    }
    return error
  }

  /// Reconstructs a block according to its trial, and keeps its levels.
  ///
  /// - Returns: the change of its cost by hiding signs.
  func commit(
    _ trial: BlockTrial, _ result: TrialResult, _ to: UnsafeMutablePointer<UInt16>, _ stride: Int,
    qp: Int, isLuma: Bool, levels: UnsafeMutablePointer<Int16>
  ) -> Int64 {
    let side = unsafe 1 &<< trial.log2
    var hiding = result
    hiding.cost = 0
    if !result.isHidden { unsafe hide(trial, &hiding, isLuma: isLuma) }
    if result.last >= 0 {
      unsafe levels.update(from: trial.levels, count: (result.last | 15) &+ 1)
    }
    if result.isSettled {
      for row in 0..<side {
        unsafe (to + row &* stride).update(from: trial.made + row &* side, count: side)
      }
    } else {
      unsafe reconstruct(trial, result, to, stride, qp: qp, isLuma: isLuma)
    }
    return hiding.cost
  }

  /// Reconstructs the samples of a block whose signs are hidden.
  private func reconstruct(
    _ trial: BlockTrial, _ result: TrialResult, _ to: UnsafeMutablePointer<UInt16>, _ stride: Int,
    qp: Int, isLuma: Bool
  ) {
    let log2 = unsafe trial.log2
    let side = 1 &<< log2
    guard result.last >= 0 else {
      for row in 0..<side {
        unsafe (to + row &* stride).update(from: trial.prediction + row &* side, count: side)
      }
      return
    }
    let quantizer = unsafe Quantizer(qp: qp, log2: log2, bitDepth: bitDepth)
    let order = unsafe scans + (log2 == 5 ? 3 : result.scan &* 4 &+ log2 &- 2) &* 64
    let steps = unsafe scans + (Scans.steps &+ (result.scan &* 4 &+ log2 &- 2) &* 16)
    let coefficients = unsafe inverse.coefficients
    var (columns, rows) = (0, 0)
    var group = result.last &>> 4
    while group >= 0 {
      let from = unsafe trial.levels + group &* 16
      var found = unsafe apus_found(from)
      if found != 0 {
        let (column, row) = unsafe (Int(order[group]), Int(order[Scans.rows &+ group]))
        (columns, rows) = (max(columns, column), max(rows, row))
        let corner = unsafe coefficients + (row &* 4 &<< log2 &+ column &* 4)
        while found != 0 {
          let n = found.trailingZeroBitCount
          found &= found &- 1
          unsafe corner[Int(steps[n])] = quantizer.coefficient(Int(from[n]))
        }
      }
      group &-= 1
    }
    if result.skipsTransform {
      let shift = unsafe 20 &- bitDepth
      for place in 0..<16 {
        let scaled = unsafe Int(coefficients[place]) &<< 7 &+ 1 &<< (shift &- 1)
        unsafe inverse.residual[place] = Int16(truncatingIfNeeded: scaled &>> shift)
      }
    } else {
      unsafe inverse.transform(
        log2, columns: columns &* 4 &+ 4, rows: rows &* 4 &+ 4, isSine: isLuma && log2 == 2)
    }
    for row in 0..<rows &* 4 &+ 4 {
      unsafe (coefficients + row &<< log2).update(repeating: 0, count: columns &* 4 &+ 4)
    }
    unsafe apus_reconstruct(
      wide, to, stride, trial.prediction, side, inverse.residual, Int32(log2), most)
  }
}
