// SPDX-License-Identifier: MIT

/// The coded spectrum of one channel (`individual_channel_stream()`): ISO/IEC 14496-3, 4.4.2.7. Only its length and its
/// validity are of interest, so values are read and dropped.
struct AACChannelStream {
  /// The windows of a frame (`ics_info()`), which two channels may share.
  struct Windows {
    var isShort = false
    var bandCount = 0
    /// The number of windows in each group.
    var groups = [1]

    init(_ bits: inout AACBits, _ bands: AACBands) throws(AACMismatch) {
      // `ics_reserved_bit`.
      guard try !bits.flag() else { throw AACMismatch() }
      isShort = try bits.read(2) == 2
      try bits.skip(1)
      guard isShort else {
        bandCount = try bits.read(6)
        // `predictor_data_present`, which AAC-LC does not allow.
        guard bandCount < bands.long.count, try !bits.flag() else { throw AACMismatch() }
        return
      }
      bandCount = try bits.read(4)
      guard bandCount < bands.short.count else { throw AACMismatch() }
      for _ in 0..<7 {
        if try bits.flag() { groups[groups.count - 1] += 1 } else { groups.append(1) }
      }
    }
  }

  /// Bands of one group with the same codebook.
  private struct Section {
    var codebook: Int
    var group: Int
    var bands: Range<Int>
  }

  private static let (zero, reserved, noise, intensity) = (0, 12, 13, 14)

  private let windows: Windows
  private var sections: [Section] = []

  /// - Parameters:
  ///   - shared: the windows of both channels of a pair; `nil` if the channel has its own.
  ///   - isSecond: whether it is the second channel of a pair, which alone can have intensity stereo.
  init(_ bits: inout AACBits, _ bands: AACBands, shared: Windows?, isSecond: Bool)
    throws(AACMismatch)
  {
    let gain = try bits.read(8)
    if let shared { windows = shared } else { windows = try Windows(&bits, bands) }
    try readSections(&bits, isSecond: isSecond)
    try readScaleFactors(&bits, gain: gain)
    if try bits.flag() { try readPulses(&bits) }
    if try bits.flag() { try readNoiseShaping(&bits) }
    // `gain_control_data_present`, which AAC-LC does not allow.
    guard try !bits.flag() else { throw AACMismatch() }
    for section in sections { try readLines(of: section, &bits, bands) }
  }

  private mutating func readSections(_ bits: inout AACBits, isSecond: Bool) throws(AACMismatch) {
    let width = windows.isShort ? 3 : 5
    let escape = 1 << width - 1
    for group in windows.groups.indices {
      var band = 0
      while band < windows.bandCount {
        let codebook = try bits.read(4)
        var length = 0
        var part = try bits.read(width)
        while part == escape {
          length += part
          part = try bits.read(width)
        }
        length += part
        guard length > 0, band + length <= windows.bandCount, codebook != Self.reserved,
          codebook < Self.intensity || isSecond
        else { throw AACMismatch() }
        sections.append(Section(codebook: codebook, group: group, bands: band..<band + length))
        band += length
      }
    }
  }

  private func readScaleFactors(_ bits: inout AACBits, gain: Int) throws(AACMismatch) {
    var factor = gain
    var hasNoise = false
    for section in sections where section.codebook != Self.zero {
      for _ in section.bands {
        if section.codebook == Self.noise, !hasNoise {
          hasNoise = true
          try bits.skip(9)
          continue
        }
        let index = try AACCodebook.scaleFactors.index(&bits)
        guard section.codebook < Self.reserved else { continue }
        factor += AACCodebook.scaleFactorDifferences[index]
        guard 0...255 ~= factor else { throw AACMismatch() }
      }
    }
  }

  private func readPulses(_ bits: inout AACBits) throws(AACMismatch) {
    guard !windows.isShort else { throw AACMismatch() }
    let count = try bits.read(2) + 1
    try bits.skip(6 + count * 9)
  }

  /// Reads `tns_data()`, with the limits of AAC-LC.
  private func readNoiseShaping(_ bits: inout AACBits) throws(AACMismatch) {
    let isShort = windows.isShort
    for _ in 0..<(isShort ? 8 : 1) {
      let filters = try bits.read(isShort ? 1 : 2)
      guard filters > 0 else { continue }
      let resolution = try bits.read(1) + 3
      for _ in 0..<filters {
        try bits.skip(isShort ? 4 : 6)
        let order = try bits.read(isShort ? 3 : 5)
        guard order <= 12 else { throw AACMismatch() }
        guard order > 0 else { continue }
        try bits.skip(1)
        let isCompressed = try bits.flag()
        try bits.skip(order * (resolution - (isCompressed ? 1 : 0)))
      }
    }
  }

  private func readLines(of section: Section, _ bits: inout AACBits, _ bands: AACBands)
    throws(AACMismatch)
  {
    guard section.codebook != Self.zero, section.codebook < Self.reserved else { return }
    let starts = windows.isShort ? bands.short : bands.long
    let width = starts[section.bands.upperBound] - starts[section.bands.lowerBound]
    let codebook = AACCodebook.spectral[section.codebook]
    var left = width * windows.groups[section.group]
    while left > 0 {
      let index = try codebook.index(&bits)
      left -= codebook.lines
      guard !codebook.extras.isEmpty else { continue }
      let (escapes, signs) = Int(codebook.extras[index]).quotientAndRemainder(
        dividingBy: codebook.lines + 1)
      try bits.skip(signs)
      for _ in 0..<escapes { try readEscape(&bits) }
    }
  }

  /// Reads an escape sequence for a value above 15: 4.6.3.3.
  private func readEscape(_ bits: inout AACBits) throws(AACMismatch) {
    var width = 4
    while try bits.flag() {
      width += 1
      guard width <= 12 else { throw AACMismatch() }
    }
    try bits.skip(width)
  }
}
