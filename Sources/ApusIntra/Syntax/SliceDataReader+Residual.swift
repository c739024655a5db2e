// SPDX-License-Identifier: MIT

internal import HEVC

/// The syntax of `residual_coding()`: ITU-T H.265, 7.3.8.11, with the scaling of 8.6.4.
extension SliceDataReader {
  /// Reads the coefficients of a block, scales them and adds them to `coefficients`.
  mutating func residual(_ block: inout TransformBlock, _ data: Span<UInt8>) {
    // Moved out of `self` instead of copied, because a copy is reference counted.
    var factors: [UInt8] = []
    swap(&factors, &scalingFactors)
    residual(&block, data, factors.span)
    swap(&factors, &scalingFactors)
  }

  @inline(never)
  private mutating func residual(
    _ block: inout TransformBlock, _ data: Span<UInt8>, _ factors: Span<UInt8>
  ) {
    var engine = self.engine
    var held: [Coefficient] = []
    swap(&held, &coefficients)
    var coefficients = held.mutableSpan
    // Spans with a length known to the compiler, and indices masked by it, so that it drops the checks.
    let reciprocals = self.reciprocals
    let inverse = reciprocals.span.extracting(0..<512)
    let scanEntries = scans.entries
    let table = scanEntries.span.extracting(0..<4096)
    let stateEntries = states
    let states = stateEntries.span.extracting(0..<128)
    let log2 = Int(block.log2)
    let component = Int(block.component)
    let isLuma = component == 0
    let mode = Int(block.mode)

    let isSkipped =
      parameters.hasTransformSkip && !isBypass && log2 <= parameters.maxTransformSkipLog2
      && bin(&engine, Context.transformSkip &+ (isLuma ? 0 : 1), data, states) != 0
    note(&block, isSkipped: isSkipped, mode: mode)

    let scan = Self.scanIndex(log2, isLuma: isLuma, mode, chroma: parameters.chroma)
    var (lastX, lastY) = (0, 0)
    (lastX, lastY, engine) = lastPosition(engine, log2, isLuma: isLuma, data, inverse, states)
    if scan == Scans.vertical { swap(&lastX, &lastY) }

    // The position of the last coefficient in the scans.
    let subBlockScan = (log2 == 5 ? 3 : scan &* 4 &+ log2 &- 2) &* 64
    let steps = Scans.steps &+ (scan &* 4 &+ log2 &- 2) &* 16
    let lastBlock = (lastY &>> 2) &<< (log2 &- 2) &+ lastX &>> 2
    let lastSubBlock = Int(table[(Scans.inverse &+ subBlockScan &+ lastBlock) & 4095])
    let lastPlace = (lastY & 3) &* 4 &+ lastX & 3
    let lastInSubBlock = Int(table[(Scans.inverse &+ (scan &* 4 &+ 2) &* 64 &+ lastPlace) & 4095])

    let scaling = Scaling(
      qp: scaledQPs[component], log2: log2, bitDepth: parameters.bitDepth)
    let factors = factors.extracting(0..<ScalingFactors.count)
    let factorBase = ((log2 &- 2) &* 3 &+ component) &* 1024
    let usesFactors = hasScalingFactors && !(isSkipped && log2 > 2)
    let isDirect = isSkipped || isBypass
    let hidesSigns =
      parameters.hidesSigns && !isBypass && !(isSkipped && block.tools.contains(.implicitRDPCM))
    let usesStatistics = parameters.range.persistentRiceAdaptationEnabledFlag
    let statistic = (isLuma ? 2 : 0) &+ (isDirect ? 1 : 0)
    let significant = Context.significant &+ (isLuma ? 0 : 27)
    let usesSkipContext = isDirect && parameters.range.transformSkipContextEnabledFlag

    // A border of one sub-block on the right and below, so that neighbours always exist.
    var coded = InlineArray<128, UInt8>(repeating: 0)
    var found = InlineArray<16, UInt8>(repeating: 0)
    var levels = InlineArray<16, Int32>(repeating: 0)
    var greater1 = 1
    let start = coefficientCount
    var count = start
    var (maxColumn, maxRow) = (0, 0)

    var index = lastSubBlock
    while index >= 0 {
      let column = Int(table[(subBlockScan &+ index) & 4095])
      let row = Int(table[(Scans.rows &+ subBlockScan &+ index) & 4095])
      let neighbours =
        Int(
          coded[(row &* 10 &+ column &+ 1) & 127] | coded[((row &+ 1) &* 10 &+ column) & 127] &<< 1)
      var isInferred = false
      if index < lastSubBlock, index > 0 {
        let context = Context.codedSubBlock &+ (neighbours != 0 ? 1 : 0) &+ (isLuma ? 0 : 2)
        if bin(&engine, context, data, states) == 0 {
          index &-= 1
          continue
        }
        isInferred = true
      }
      coded[(row &* 10 &+ column) & 127] = 1

      // The significant coefficients.
      var place = 15
      var number = 0
      if index == lastSubBlock {
        found[0] = UInt8(truncatingIfNeeded: lastInSubBlock)
        number = 1
        place = lastInSubBlock &- 1
      }
      var base = significant
      let pattern: Int
      if log2 == 2 {
        pattern = Scans.significance &+ scan &* 80 &+ 64
      } else {
        pattern = Scans.significance &+ scan &* 80 &+ neighbours &* 16
        if isLuma {
          base &+= (index > 0 ? 3 : 0) &+ (log2 == 3 ? (scan == 0 ? 9 : 15) : 21)
        } else {
          base &+= log2 == 3 ? 9 : 12
        }
      }
      if usesSkipContext {
        let context = Context.significantSkipped &+ (isLuma ? 0 : 1)
        while place > 0 {
          let bin = bin(&engine, context, data, states)
          found[number & 15] = UInt8(truncatingIfNeeded: place)
          number &+= bin
          place &-= 1
        }
        if place == 0 {
          if (isInferred && number == 0) || bin(&engine, context, data, states) != 0 {
            found[number & 15] = 0
            number &+= 1
          }
        }
      } else {
        let offsets = table.extracting(pattern..<pattern &+ 16)
        while place > 0 {
          let context = base &+ Int(offsets[place & 15])
          let bin = bin(&engine, context, data, states)
          found[number & 15] = UInt8(truncatingIfNeeded: place)
          number &+= bin
          place &-= 1
        }
        if place == 0 {
          if isInferred, number == 0 {
            found[0] = 0
            number = 1
          } else {
            let context =
              index == 0 ? significant : base &+ Int(table[(pattern) & 4095])
            if bin(&engine, context, data, states) != 0 {
              found[number & 15] = 0
              number &+= 1
            }
          }
        }
      }
      if number == 0 {
        index &-= 1
        continue
      }

      // Their magnitudes: two flags for the first ones, and the rest without contexts.
      var set = index == 0 || !isLuma ? 0 : 2
      if index != lastSubBlock, greater1 == 0 { set &+= 1 }
      greater1 = 1
      let context1 = Context.greater1 &+ (isLuma ? 0 : 16) &+ set &* 4
      // A bit for each coefficient greater than 1, without a branch, which would be unpredictable.
      var greater: UInt32 = 0
      // Only the lowest bit of the sum of all levels counts.
      var sum = UInt32(truncatingIfNeeded: number)
      let flagged = min(number, 8)
      var entry = 0
      while entry < flagged {
        let bin = bin(&engine, context1 &+ greater1, data, states)
        greater |= UInt32(truncatingIfNeeded: bin &<< entry)
        // From 1 to 2 to 3, and permanently to 0 after the first one.
        greater1 = (0b11_11_10_00 &>> (2 &* greater1)) & 3 & (bin &- 1)
        levels[entry & 15] = Int32(truncatingIfNeeded: 1 &+ bin)
        sum = sum &+ UInt32(truncatingIfNeeded: bin)
        entry &+= 1
      }
      // The coefficients for which more data follows.
      var open = greater & (greater &- 1)
      if greater != 0 {
        let first = greater.trailingZeroBitCount & 15
        let context2 = Context.greater2 &+ (isLuma ? 0 : 4) &+ set
        let bin = bin(&engine, context2, data, states)
        levels[first] = levels[first] &+ Int32(truncatingIfNeeded: bin)
        sum = sum &+ UInt32(truncatingIfNeeded: bin)
        open |= UInt32(truncatingIfNeeded: bin &<< first)
      }
      if number > 8 {
        entry = 8
        while entry < number {
          levels[entry & 15] = 1
          entry &+= 1
        }
        open |= ((1 &<< UInt32(truncatingIfNeeded: number)) &- 1) & ~255
      }

      let isHidden =
        hidesSigns && Int(found[0]) &- Int(found[(number &- 1) & 15]) > 3
      let signCount = Int32(truncatingIfNeeded: number) &- (isHidden ? 1 : 0)
      var bins = BypassBins(&engine, inverse)
      var signs = bins.take(signCount) &<< (isHidden ? 1 : 0)
      if open != 0 {
        var rice: Int32 = usesStatistics ? Int32(statistics[statistic] >> 2) : 0
        var isFirst = true
        while open != 0 {
          let entry = open.trailingZeroBitCount & 15
          open &= open &- 1
          guard let rest = bins.remaining(rice, &engine, data, inverse) else {
            damage = "holds a coefficient beyond 32 bits"
            self.engine = engine
            swap(&held, &self.coefficients)
            return
          }
          let level = levels[entry] &+ rest
          levels[entry] = level
          if level > 32768 { damage = "holds a coefficient beyond 16 bits" }
          sum = sum &+ UInt32(truncatingIfNeeded: rest)
          if level > 3 &<< rice {
            rice = usesStatistics ? min(rice &+ 1, 24) : min(rice &+ 1, 4)
          }
          if usesStatistics, isFirst {
            usage.persistentRice += 1
            adapt(statistic, to: rest)
          }
          isFirst = false
        }
      }
      bins.finish(&engine, data)

      // Their values.
      if isHidden {
        usage.hiddenSigns &+= 1
        signs |= sum & 1
      }
      // The sign of the next one is always the highest bit.
      signs = signs &<< UInt32(truncatingIfNeeded: 32 &- number)
      let corner = (row &<< 2) &<< log2 &+ (column &<< 2)
      maxColumn = max(maxColumn, column)
      maxRow = max(maxRow, row)
      let places = table.extracting(steps..<steps &+ 16)
      var values = coefficients._mutatingExtracting(count..<count &+ number)
      entry = 0
      while entry < number {
        let isNegative = Int32(bitPattern: signs) &>> 31
        signs = signs &<< 1
        let place = corner &+ Int(places[Int(found[entry & 15] & 15)])
        let level = (levels[entry & 15] ^ isNegative) &- isNegative
        let value: Int16
        if isBypass {
          value = Int16(clamping: level)
        } else if usesFactors {
          value = scaling.value(
            level, factor: Int(factors[(factorBase &+ place) & (ScalingFactors.count &- 1)]))
        } else {
          value = scaling.value(level, factor: 16)
        }
        values[entry] = Coefficient(place: UInt16(truncatingIfNeeded: place), value: value)
        entry &+= 1
      }
      count &+= number
      index &-= 1
    }
    self.engine = engine
    swap(&held, &self.coefficients)
    block.firstCoefficient = Int32(truncatingIfNeeded: start)
    block.coefficientCount = Int32(truncatingIfNeeded: count &- start)
    block.lastColumn = UInt8(truncatingIfNeeded: maxColumn &* 4 &+ 3)
    block.lastRow = UInt8(truncatingIfNeeded: maxRow &* 4 &+ 3)
    coefficientCount = count
  }

  /// Counts the tools that the block uses.
  @inline(__always)
  private mutating func note(_ block: inout TransformBlock, isSkipped: Bool, mode: Int) {
    switch block.log2 {
    case 2: usage.blocks4 &+= 1
    case 3: usage.blocks8 &+= 1
    case 4: usage.blocks16 &+= 1
    default: usage.blocks32 &+= 1
    }
    if hasScalingFactors { usage.scalingLists &+= 1 }
    if isSkipped {
      block.tools.insert(.transformSkip)
      usage.transformSkip &+= 1
      if block.log2 > 2 { usage.largeTransformSkip &+= 1 }
    }
    if isBypass { block.tools.insert(.bypass) }
    guard isSkipped || isBypass else { return }
    if parameters.range.implicitRDPCMEnabledFlag, mode == 10 || mode == 26 {
      block.tools.insert(.implicitRDPCM)
      usage.implicitRDPCM &+= 1
    }
    if parameters.range.transformSkipRotationEnabledFlag, block.log2 == 2 {
      block.tools.insert(.rotation)
      usage.rotation &+= 1
    }
  }

  /// Returns `scanIdx`: 7.4.9.11.
  @inline(__always)
  private static func scanIndex(_ log2: Int, isLuma: Bool, _ mode: Int, chroma: Int) -> Int {
    guard log2 == 2 || (log2 == 3 && (isLuma || chroma == 3)) else {
      return Scans.diagonal
    }
    if mode >= 6, mode <= 14 { return Scans.vertical }
    return mode >= 22 && mode <= 30 ? Scans.horizontal : Scans.diagonal
  }

  /// Reads `LastSignificantCoeffX` and `Y`, and returns them with the decoder.
  @inline(__always)
  private mutating func lastPosition(
    _ decoder: ArithmeticDecoder, _ log2: Int, isLuma: Bool, _ data: Span<UInt8>,
    _ inverse: Span<UInt32>, _ states: Span<UInt64>
  ) -> (Int, Int, ArithmeticDecoder) {
    var engine = decoder
    let offset = isLuma ? 3 &* (log2 &- 2) &+ (log2 &- 1) &>> 2 : 15
    let shift = isLuma ? (log2 &+ 1) &>> 2 : log2 &- 2
    let most = 2 &* log2 &- 1
    var (x, y) = (0, 0)
    while x < most, bin(&engine, Context.lastXPrefix &+ offset &+ x &>> shift, data, states) != 0 {
      x &+= 1
    }
    while y < most, bin(&engine, Context.lastYPrefix &+ offset &+ y &>> shift, data, states) != 0 {
      y &+= 1
    }
    if x > 3 {
      let bits = x &>> 1 &- 1
      x = (2 &+ x & 1) &<< bits &+ engine.bypass(bits, data, inverse)
    }
    if y > 3 {
      let bits = y &>> 1 &- 1
      y = (2 &+ y & 1) &<< bits &+ engine.bypass(bits, data, inverse)
    }
    return (x, y, engine)
  }

  /// Updates `StatCoeff`: 9.3.3.11, after the first remaining level of a sub-block.
  private mutating func adapt(_ statistic: Int, to rest: Int32) {
    let quarter = Int32(statistics[statistic] >> 2)
    if rest >= 3 << quarter {
      statistics[statistic] = min(statistics[statistic] + 1, 96)
    } else if 2 * rest < 1 << quarter, statistics[statistic] > 0 {
      statistics[statistic] -= 1
    }
  }
}

/// Multiplies levels by their factors: 8.6.4.2.
private struct Scaling {
  private let scale: Int
  private let shift: Int
  private let rounding: Int

  @inline(__always)
  init(qp: Int, log2: Int, bitDepth: Int) {
    let steps: InlineArray<6, Int> = [40, 45, 51, 57, 64, 72]
    scale = steps[qp % 6] << (qp / 6)
    shift = bitDepth + log2 - 5
    rounding = 1 << (shift - 1)
  }

  @inline(__always)
  func value(_ level: Int32, factor: Int) -> Int16 {
    Int16(clamping: (Int(Int16(clamping: level)) &* scale &* factor &+ rounding) &>> shift)
  }
}
