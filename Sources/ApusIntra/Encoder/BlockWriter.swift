// SPDX-License-Identifier: MIT

/// Writes a coding tree block as decided: ITU-T H.265, 7.3.8.4 to 7.3.8.10.
@unsafe struct BlockWriter {
  let picture: EncoderPicture
  let store: CTBStore
  let contexts: UnsafeMutablePointer<UInt8>
  let levels: LevelWriter
  let hasQPDelta: Bool
  /// The value `6 * (bitDepth - 8)`.
  let qpOffset: Int
  var engine = unsafe ArithmeticEncoder()
  /// The `QpY` of the previous coding block.
  var qp = 0
  private var previousQP = 0
  private var isQPDeltaCoded = false
  private var groupX = 0
  private var groupY = 0

  init(
    _ picture: EncoderPicture, _ store: CTBStore, _ contexts: UnsafeMutablePointer<UInt8>,
    _ levels: LevelWriter, hasQPDelta: Bool, qpOffset: Int
  ) {
    unsafe self.picture = picture
    unsafe self.store = store
    unsafe self.contexts = contexts
    unsafe self.levels = levels
    unsafe self.hasQPDelta = hasQPDelta
    unsafe self.qpOffset = qpOffset
  }

  @inline(__always)
  mutating func bin(_ context: Int, _ value: Int) {
    unsafe engine.encode(value, contexts + context)
  }

  mutating func tree(_ x: Int, _ y: Int, _ log2: Int) {
    let side = 1 &<< log2
    let depth = 6 &- log2
    var isSplit = log2 > 3
    if unsafe x &+ side <= picture.width, unsafe y &+ side <= picture.height, log2 > 3 {
      isSplit = unsafe Int(picture.depths[x &>> 3, y &>> 3].pointee) > depth
      unsafe bin(Context.splitCodingUnit &+ picture.splitContext(x, y, depth), isSplit ? 1 : 0)
    }
    if unsafe hasQPDelta, log2 >= 5 {
      unsafe isQPDeltaCoded = false
      unsafe (groupX, groupY) = (x, y)
      unsafe previousQP = qp
    }
    guard isSplit else { return unsafe unit(x, y, log2) }
    let half = side &>> 1
    for part in 0..<4 {
      let (px, py) = (x &+ (part & 1) &* half, y &+ (part &>> 1) &* half)
      if unsafe px < picture.width, unsafe py < picture.height { unsafe tree(px, py, log2 &- 1) }
    }
  }

  private mutating func unit(_ x: Int, _ y: Int, _ log2: Int) {
    let isParted = unsafe log2 == 3 && picture.parted[x &>> 3, y &>> 3].pointee != 0
    if log2 == 3 { unsafe bin(Context.partMode, isParted ? 0 : 1) }
    if unsafe hasQPDelta, unsafe !isQPDeltaCoded { unsafe qp = predictedQP() }
    unsafe modes(x, y, isParted: isParted)
    let (cx, cy) = (x & 63, y & 63)
    var (cb, cr) = (-1, -1)
    if unsafe picture.hasChroma {
      let place = (cy &>> 3) &* 8 &+ cx &>> 3
      (cb, cr) = unsafe (Int(store.lastChroma[place]), Int(store.lastChroma[place &+ 64]))
      unsafe bin(Context.cbfChroma, cb >= 0 ? 1 : 0)
      unsafe bin(Context.cbfChroma, cr >= 0 ? 1 : 0)
    }
    let hasChroma = cb >= 0 || cr >= 0
    if isParted {
      for part in 0..<4 {
        unsafe luma(x &+ (part & 1) &* 4, y &+ (part &>> 1) &* 4, 2, depth: 1, hasChroma: hasChroma)
      }
    } else {
      unsafe luma(x, y, log2, depth: 0, hasChroma: hasChroma)
    }
    if hasChroma {
      let luma = unsafe Int(picture.modes[x &>> 2, y &>> 2].pointee)
      let scan = unsafe EncodingTools.scan(
        log2 &- 1, isLuma: false,
        Self.chromaMode(picture.chromaModes[x &>> 3, y &>> 3].pointee, luma))
      for (component, last) in [(1, cb), (2, cr)] where last >= 0 {
        unsafe levels.write(
          store.chromaLevels(component, cx, cy), stored: last, log2: log2 &- 1, isLuma: false,
          scan: scan, to: &engine)
      }
    }
    unsafe picture.qps.fill(
      x &>> 3, y &>> 3, 1 &<< (log2 &- 3), UInt8(truncatingIfNeeded: qp))
  }

  /// Returns `IntraPredModeC` in 4:2:0: Table 8-2.
  @inline(__always)
  static func chromaMode(_ code: UInt8, _ luma: Int) -> Int {
    guard code < 4 else { return luma }
    let named = code == 0 ? 0 : code == 1 ? 26 : code == 2 ? 10 : 1
    return named == luma ? 34 : named
  }

  private mutating func luma(_ x: Int, _ y: Int, _ log2: Int, depth: Int, hasChroma: Bool) {
    let (cx, cy) = (x & 63, y & 63)
    let last = unsafe Int(store.lastLuma[(cy &>> 2) &* 16 &+ cx &>> 2])
    unsafe bin(Context.cbfLuma &+ (depth == 0 ? 1 : 0), last >= 0 ? 1 : 0)
    if last >= 0 || hasChroma { unsafe writeQPDelta() }
    guard last >= 0 else { return }
    let mode = unsafe Int(picture.modes[x &>> 2, y &>> 2].pointee)
    unsafe levels.write(
      store.lumaLevels(cx, cy), stored: last, log2: log2, isLuma: true,
      scan: EncodingTools.scan(log2, isLuma: true, mode), to: &engine)
  }

  /// Writes `prev_intra_luma_pred_flag` to `intra_chroma_pred_mode`: 7.3.8.5.
  private mutating func modes(_ x: Int, _ y: Int, isParted: Bool) {
    let parts = isParted ? 4 : 1
    var codes = InlineArray<4, Int>(repeating: 0)
    for part in 0..<parts {
      let (px, py) = (x &+ (part & 1) &* 4, y &+ (part &>> 1) &* 4)
      let likely = unsafe picture.likelyModes(px, py)
      let mode = unsafe Int(picture.modes[px &>> 2, py &>> 2].pointee)
      // A negative code is one of the most probable modes.
      codes[part] =
        mode == likely.0
        ? -1
        : mode == likely.1
          ? -2
          : mode == likely.2
            ? -3
            : mode &- (mode > likely.0 ? 1 : 0) &- (mode > likely.1 ? 1 : 0)
              &- (mode > likely.2 ? 1 : 0)
      unsafe bin(Context.prevIntraLumaPred, codes[part] < 0 ? 1 : 0)
    }
    for part in 0..<parts {
      switch codes[part] {
      case -1: unsafe engine.bypass(0, 1)
      case -2: unsafe engine.bypass(2, 2)
      case -3: unsafe engine.bypass(3, 2)
      default: unsafe engine.bypass(UInt32(truncatingIfNeeded: codes[part]), 5)
      }
    }
    guard unsafe picture.hasChroma else { return }
    let code = unsafe picture.chromaModes[x &>> 3, y &>> 3].pointee
    unsafe bin(Context.intraChromaPredMode, code < 4 ? 1 : 0)
    if code < 4 { unsafe engine.bypass(UInt32(code), 2) }
  }

  // MARK: - Quantizers

  /// Returns `qPY_PRED`: 8.6.1.
  private func predictedQP() -> Int {
    let unit = unsafe picture.qps[groupX &>> 3, groupY &>> 3]
    let left = unsafe groupX & 63 != 0 ? Int((unit - 1).pointee) : previousQP
    let above = unsafe groupY & 63 != 0 ? Int((unit - picture.qps.stride).pointee) : previousQP
    return (left &+ above &+ 1) &>> 1
  }

  /// Writes `cu_qp_delta_abs` and its sign, before the first coefficients of a group.
  private mutating func writeQPDelta() {
    guard unsafe hasQPDelta, unsafe !isQPDeltaCoded else { return }
    unsafe isQPDeltaCoded = true
    let chosen = unsafe Int(picture.chosenQPs[groupX &>> 5, groupY &>> 5].pointee)
    var delta = unsafe chosen &- predictedQP()
    // The difference wraps around, so that half of all steps reach every quantizer.
    let count = unsafe 52 &+ qpOffset
    if unsafe delta > 25 &+ qpOffset / 2 { delta &-= count }
    if unsafe delta < -26 &- qpOffset / 2 { delta &+= count }
    unsafe qp = chosen
    let magnitude = abs(delta)
    for index in 0..<min(magnitude, 5) { unsafe bin(Context.cuQPDelta &+ (index > 0 ? 1 : 0), 1) }
    if magnitude < 5 {
      unsafe bin(Context.cuQPDelta &+ (magnitude > 0 ? 1 : 0), 0)
    } else {
      var (rest, order) = (magnitude &- 5, 0)
      while rest >= 1 &<< order {
        unsafe engine.bypass(1, 1)
        rest &-= 1 &<< order
        order &+= 1
      }
      unsafe engine.bypass(0, 1)
      if order > 0 { unsafe engine.bypass(UInt32(truncatingIfNeeded: rest), order) }
    }
    if magnitude > 0 { unsafe engine.bypass(delta < 0 ? 1 : 0, 1) }
  }
}
