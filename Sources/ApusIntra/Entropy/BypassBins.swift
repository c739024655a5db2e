// SPDX-License-Identifier: MIT

/// Bypass bins, 21 of which are decoded at a time: signs and remaining levels need few bits each, and asking the engine
/// for each would take as long as decoding with contexts.
struct BypassBins {
  private var bins: UInt32
  /// The bins starting with the highest bit, with those already taken shifted out.
  private var left: UInt32
  private var used: Int32 = 0

  private static let count: Int32 = 21

  @inline(__always)
  init(_ engine: inout ArithmeticDecoder, _ reciprocals: Span<UInt32>) {
    bins = engine.peek(Self.count, reciprocals)
    left = bins &<< 11
  }

  /// Takes the first `count` bins, at most 16, as the low bits.
  @inline(__always)
  mutating func take(_ count: Int32) -> UInt32 {
    let bits = UInt32(truncatingIfNeeded: count)
    let taken = (left &>> 16) &>> (16 &- bits)
    left = left &<< bits
    used = count
    return taken
  }

  /// Decodes `mpm_idx`, which needs one or two bins, or `rem_intra_luma_pred_mode`, which needs five: the bins are
  /// sufficient for four parts.
  @inline(__always)
  mutating func modeIndex(isPredicted: Bool) -> UInt8 {
    let first = left &>> 31
    let likely = first &+ (first & left &>> 30)
    let length = isPredicted ? 1 &+ first : 5
    let index = isPredicted ? likely : left &>> 27
    left = left &<< length
    used = used &+ Int32(truncatingIfNeeded: length)
    return UInt8(truncatingIfNeeded: index)
  }

  /// Informs the engine of the number of bins taken.
  @inline(__always)
  func finish(_ engine: inout ArithmeticDecoder, _ data: Span<UInt8>) {
    engine.use(used, of: bins, data)
  }

  /// Decodes `coeff_abs_level_remaining` (9.3.3.11); `nil` if its prefix is too long.
  @inline(__always)
  mutating func remaining(
    _ rice: Int32, _ engine: inout ArithmeticDecoder, _ data: Span<UInt8>,
    _ reciprocals: Span<UInt32>
  ) -> Int32? {
    var ones = Int32(truncatingIfNeeded: (~left | 1).leadingZeroBitCount)
    var length = ones < 4 ? ones &+ 1 &+ rice : 2 &* ones &- 2 &+ rice
    if used &+ length > Self.count {
      engine.use(used, of: bins, data)
      bins = engine.peek(Self.count, reciprocals)
      left = bins &<< 11
      used = 0
      ones = Int32(truncatingIfNeeded: (~left | 1).leadingZeroBitCount)
      length = ones < 4 ? ones &+ 1 &+ rice : 2 &* ones &- 2 &+ rice
    }
    guard length <= Self.count else {
      let (value, after) = Self.long(rice, engine, data, reciprocals)
      engine = after
      bins = engine.peek(Self.count, reciprocals)
      left = bins &<< 11
      used = 0
      return value
    }
    let prefix = UInt32(truncatingIfNeeded: ones)
    let shift = UInt32(truncatingIfNeeded: rice)
    left = left &<< (prefix &+ 1)
    used = used &+ length
    if prefix < 4 {
      let value = prefix &<< shift &+ (left &>> 1) &>> (31 &- shift)
      left = left &<< shift
      return Int32(truncatingIfNeeded: value)
    }
    let bits = prefix &- 3 &+ shift
    let value = ((1 &<< (prefix &- 3)) &+ 2) &<< shift &+ left &>> (32 &- bits)
    left = left &<< bits
    return Int32(truncatingIfNeeded: value)
  }

  /// Decodes a value of more than 21 bins, and returns it with the decoder: passed by value, so that the decoder stays
  /// in registers elsewhere.
  @inline(never)
  private static func long(
    _ rice: Int32, _ decoder: ArithmeticDecoder, _ data: Span<UInt8>, _ reciprocals: Span<UInt32>
  ) -> (Int32?, ArithmeticDecoder) {
    var engine = decoder
    var prefix = 0
    while prefix <= 32, engine.bypass(data) != 0 { prefix += 1 }
    guard prefix <= 32 else { return (nil, engine) }
    var bits = prefix < 4 ? Int(rice) : prefix - 3 + Int(rice)
    var value = prefix < 4 ? prefix << Int(rice) : ((1 << (prefix - 3)) + 2) << Int(rice)
    var suffix = 0
    while bits > 0 {
      let step = min(bits, 16)
      suffix = suffix << step | engine.bypass(step, data, reciprocals)
      bits -= step
    }
    value += suffix
    // Levels are clipped to 16 bits in any case.
    return (Int32(truncatingIfNeeded: min(value, 1 << 20)), engine)
  }
}
