// SPDX-License-Identifier: MIT

/// The coding quadtree and its coding units: ITU-T H.265, 7.3.8.4 and 7.3.8.5.
extension SliceDataReader {
  mutating func codingQuadtree(
    _ x: Int, _ y: Int, _ log2: Int, _ depth: Int, _ data: Span<UInt8>
  ) {
    let side = 1 &<< log2
    let unit = (y &>> 3) &* maps.stride &+ x &>> 3
    let isSplit: Bool
    if x &+ side <= parameters.width, y &+ side <= parameters.height,
      log2 > parameters.minCodingBlockLog2
    {
      var deeper = 0
      if x > 0, maps.runs[unit &- 1] == run, Int(maps.depths[unit &- 1]) > depth { deeper &+= 1 }
      if y > 0, maps.runs[unit &- maps.stride] == run,
        Int(maps.depths[unit &- maps.stride]) > depth
      {
        deeper &+= 1
      }
      isSplit = bin(Context.splitCodingUnit &+ deeper, data) != 0
    } else {
      isSplit = log2 > parameters.minCodingBlockLog2
    }
    if parameters.hasQPDelta, log2 >= parameters.qpDeltaGroupLog2 {
      (isQPDeltaCoded, qpDelta) = (false, 0)
      (groupX, groupY) = (x, y)
      previousQP = qp
    }
    if slice.hasChromaQPOffsets, log2 >= parameters.chromaQPOffsetGroupLog2 {
      isChromaQPOffsetCoded = false
    }
    guard isSplit else { return codingUnit(x, y, log2, depth, data) }
    let half = side &>> 1
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* half, y &+ (part &>> 1) &* half)
      if px < parameters.width, py < parameters.height {
        codingQuadtree(px, py, log2 &- 1, depth &+ 1, data)
      }
    }
  }

  private mutating func codingUnit(
    _ x: Int, _ y: Int, _ log2: Int, _ depth: Int, _ data: Span<UInt8>
  ) {
    isBypass = parameters.hasTransquantBypass && bin(Context.transquantBypass, data) != 0
    if isBypass { usage.bypass &+= 1 }
    let isParted = log2 == parameters.minCodingBlockLog2 && bin(Context.partMode, data) == 0
    if isParted { usage.parted &+= 1 }
    var isPCM = false
    if !isParted, let pcm = parameters.pcm, pcm.log2Sizes.contains(log2) {
      isPCM = engine.terminate(data)
      if isPCM, !engine.isAligned(in: data) { damage = "lacks the alignment before PCM samples" }
    }
    // The first quantization group in a slice begins with the prediction from neighbours, with or without a delta.
    if !isQPDeltaCoded { predictQP() }
    if isPCM, let pcm = parameters.pcm {
      PictureMaps.fill(
        &maps.modes, stride: maps.stride &* 2, x: x &>> 2, y: y &>> 2, side: 1 &<< (log2 &- 2), 1)
      pcmSamples(x, y, log2, pcm, data)
    } else {
      predictionModes(x, y, log2, isParted: isParted, data)
      let hasChroma = parameters.chroma > 0
      let parent = TransformNode(
        x: x, y: y, baseX: x, baseY: y, log2: log2, depth: 0, part: 0, cb: hasChroma ? 3 : 0,
        cr: hasChroma ? 3 : 0, isParted: isParted)
      transformTree(parent, data)
    }
    let (unitX, unitY, units) = (x &>> 3, y &>> 3, 1 &<< (log2 &- 3))
    let stride = maps.stride
    PictureMaps.fill(&maps.runs, stride: stride, x: unitX, y: unitY, side: units, run)
    PictureMaps.fill(&maps.depths, stride: stride, x: unitX, y: unitY, side: units, UInt8(depth))
    PictureMaps.fill(
      &maps.qps, stride: stride, x: unitX, y: unitY, side: units, Int8(truncatingIfNeeded: qp))
    if isBypass || (isPCM && parameters.pcm?.isUnfiltered == true) {
      PictureMaps.fill(&maps.unfiltered, stride: stride, x: unitX, y: unitY, side: units, 1)
      maps.hasUnfiltered = true
    }
  }

  // MARK: - Prediction modes

  /// Reads `prev_intra_luma_pred_flag` to `intra_chroma_pred_mode`, and derives the modes: 8.4.2 and 8.4.3.
  private mutating func predictionModes(
    _ x: Int, _ y: Int, _ log2: Int, isParted: Bool, _ data: Span<UInt8>
  ) {
    let parts = isParted ? 4 : 1
    let side = (1 &<< log2) &>> (isParted ? 1 : 0)
    var predicted = 0
    for part in 0..<parts { predicted |= bin(Context.prevIntraLumaPred, data) &<< part }
    let indices = modeIndices(parts, predicted, data)
    let stride = maps.stride &* 2
    let unit = (y &>> 3) &* maps.stride &+ x &>> 3
    let hasLeft = x > 0 && maps.runs[unit &- 1] == run
    // Modes of the row of coding tree blocks above are not used.
    let hasAbove =
      y & ((1 &<< parameters.ctbLog2) &- 1) != 0 && maps.runs[unit &- maps.stride] == run
    for part in 0..<parts {
      let (px, py) = (x &+ (part & 1) &* side, y &+ (part &>> 1) &* side)
      let place = (py &>> 2) &* stride &+ px &>> 2
      let left = hasLeft || part & 1 != 0 ? Int(maps.modes[place &- 1]) : 1
      let above = hasAbove || part > 1 ? Int(maps.modes[place &- stride]) : 1
      let mode = Self.lumaMode(
        left, above, isPredicted: predicted &>> part & 1 != 0, Int(indices[part]))
      PictureMaps.fill(
        &maps.modes, stride: stride, x: px &>> 2, y: py &>> 2, side: side &>> 2, UInt8(mode))
    }
    guard parameters.chroma > 0 else { return }
    for part in 0..<(parameters.chroma == 3 ? parts : 1) {
      var code = 4
      if bin(Context.intraChromaPredMode, data) != 0 { code = bypass(2, data) }
      let (px, py) = (x &+ (part & 1) &* side, y &+ (part &>> 1) &* side)
      let luma = Int(maps.modes[(py &>> 2) &* stride &+ px &>> 2])
      chromaModeCodes[part] = UInt8(code)
      chromaModes[part] = UInt8(Self.chromaMode(code, luma, chroma: parameters.chroma))
    }
  }

  /// Reads `mpm_idx` or `rem_intra_luma_pred_mode` of a number of parts.
  ///
  /// - Parameter predicted: the `prev_intra_luma_pred_flag` of each part, in the low bits.
  private mutating func modeIndices(_ parts: Int, _ predicted: Int, _ data: Span<UInt8>)
    -> InlineArray<4, UInt8>
  {
    var indices = InlineArray<4, UInt8>(repeating: 0)
    let table = reciprocals
    var bins = BypassBins(&engine, table.span)
    for part in 0..<parts {
      indices[part] = bins.modeIndex(isPredicted: predicted &>> part & 1 != 0)
    }
    bins.finish(&engine, data)
    return indices
  }

  /// Returns `IntraPredModeY`: 8.4.2. It has no branches, because they would be unpredictable.
  @inline(__always)
  private static func lumaMode(_ left: Int, _ above: Int, isPredicted: Bool, _ index: Int) -> Int {
    let areAlike = left == above
    let isAngular = left > 1
    let hasPlanar = left &* above == 0
    let hasFlat = (left &- 1) &* (above &- 1) == 0
    let next = isAngular ? 2 &+ (left &+ 29) & 31 : 1
    let previous = isAngular ? 2 &+ (left &- 1) & 31 : 26
    let other = hasPlanar ? (hasFlat ? 26 : 1) : 0
    let first = areAlike ? (isAngular ? left : 0) : left
    let second = areAlike ? next : above
    let third = areAlike ? previous : other
    let likely = index == 0 ? first : index == 1 ? second : third
    // The other modes are numbered without these three, starting with the lowest.
    let (low, high) = (min(first, second), max(first, second))
    let (least, greatest) = (min(low, third), max(high, third))
    let middle = max(low, min(high, third))
    var mode = index
    mode &+= mode >= least ? 1 : 0
    mode &+= mode >= middle ? 1 : 0
    mode &+= mode >= greatest ? 1 : 0
    return isPredicted ? likely : mode
  }

  /// Returns `IntraPredModeC`: Tables 8-2 and 8-3.
  private static func chromaMode(_ code: Int, _ luma: Int, chroma: Int) -> Int {
    var mode = luma
    if code < 4 {
      let named = code == 0 ? 0 : code == 1 ? 26 : code == 2 ? 10 : 1
      mode = named == luma ? 34 : named
    }
    return chroma == 2 ? Int(modes422[mode]) : mode
  }

  /// The chroma modes of 4:2:2, whose samples are twice as far apart in one direction: Table 8-3 (`process422`), in the
  /// version of 2014 and later: modes 11 and 14 become 12 and 17.
  private static let modes422: [UInt8] = [
    0, 1, 2, 2, 2, 2, 3, 5, 7, 8, 10, 12, 13, 15, 17, 18, 19, 20,
    21, 22, 23, 23, 24, 24, 25, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31,
  ]

  // MARK: - PCM

  /// Reads `pcm_sample()`: 7.3.8.7.
  private mutating func pcmSamples(
    _ x: Int, _ y: Int, _ log2: Int, _ pcm: CodingParameters.PCM, _ data: Span<UInt8>
  ) {
    usage.pcm += 1
    var bits = BitCursor(at: engine.nextByte)
    for component in 0..<(parameters.chroma == 0 ? 1 : 3) {
      let isChroma = component > 0
      let shiftX = isChroma ? parameters.chromaShiftX : 0
      let shiftY = isChroma ? parameters.chromaShiftY : 0
      let depth = isChroma ? pcm.bitDepthChroma : pcm.bitDepthLuma
      let side = (1 << log2) >> shiftX
      // In 4:2:2 there are two squares, one below the other.
      for square in 0..<(shiftX - shiftY + 1) {
        var block = TransformBlock()
        block.x = UInt16(x >> shiftX)
        block.y = UInt16((y >> shiftY) + square * side)
        block.log2 = UInt8(log2 - shiftX)
        block.component = UInt8(component)
        block.tools = .pcm
        block.firstCoefficient = Int32(coefficientCount)
        block.coefficientCount = Int32(side * side)
        for place in 0..<side * side {
          let sample = bits.read(depth, data) << (parameters.bitDepth - depth)
          coefficients[coefficientCount] = Coefficient(
            place: UInt16(place), value: Int16(truncatingIfNeeded: sample))
          coefficientCount += 1
        }
        append(block)
      }
    }
    engine.start(at: bits.nextByte, in: data)
  }

  mutating func append(_ block: TransformBlock) {
    blocks[blockCount] = block
    blockCount += 1
  }

  private struct BitCursor {
    private var position: Int

    init(at byte: Int) { position = byte * 8 }

    var nextByte: Int { (position + 7) >> 3 }

    /// Reads bits, which are zeros after the end.
    mutating func read(_ count: Int, _ data: Span<UInt8>) -> Int {
      var value = 0
      for _ in 0..<count {
        let byte = position >> 3
        let bit = byte < data.count ? Int(data[byte] >> UInt8(7 - position & 7)) & 1 : 0
        value = value << 1 | bit
        position += 1
      }
      return value
    }
  }
}
