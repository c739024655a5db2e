// SPDX-License-Identifier: MIT

/// The first context variable of each syntax element, for slices of type I: ITU-T H.265, Table 9-4.
enum Context {
  static let saoMerge = 0
  static let saoType = 1
  static let splitCodingUnit = 2
  static let transquantBypass = 5
  static let partMode = 6
  static let prevIntraLumaPred = 7
  static let intraChromaPredMode = 8
  static let splitTransform = 9
  static let cbfLuma = 12
  static let cbfChroma = 14
  static let cuQPDelta = 19
  static let transformSkip = 21
  static let lastXPrefix = 23
  static let lastYPrefix = 41
  static let codedSubBlock = 59
  static let significant = 63
  /// The contexts of significance for blocks without a transform: luma, then chroma.
  static let significantSkipped = 105
  static let greater1 = 107
  static let greater2 = 131
  static let chromaQPOffsetFlag = 137
  static let chromaQPOffsetIndex = 138
  static let resScaleAbs = 139
  static let resScaleSign = 147
  static let count = 149

  /// The values of `initValue`: Tables 9-5 to 9-37, `initType` 0.
  static let initialValues: [UInt8] = [
    flags, lastPrefix, lastPrefix, [91, 171, 134, 141], significance, greater,
    [UInt8](repeating: 154, count: 12),
  ].flatMap { $0 }

  /// The values for `sao_merge_left_flag` to `transform_skip_flag`.
  private static let flags: [UInt8] = [
    153, 200, 139, 141, 157, 154, 184, 184, 63, 153, 138, 138, 111, 141, 94, 138, 182, 154, 154,
    154, 154, 139, 139,
  ]

  /// The values for `coeff_abs_level_greater1_flag` and `coeff_abs_level_greater2_flag`.
  private static let greater: [UInt8] = [
    140, 92, 137, 138, 140, 152, 138, 139, 153, 74, 149, 92, 139, 107, 122, 152, 140, 179, 166,
    182, 140, 227, 122, 197, 138, 153, 136, 167, 152, 152,
  ]

  private static let lastPrefix: [UInt8] = [
    110, 110, 124, 125, 140, 153, 125, 127, 140, 109, 111, 143, 127, 111, 79, 108, 123, 63,
  ]

  private static let significance: [UInt8] = [
    111, 111, 125, 110, 110, 94, 124, 108, 124, 107, 125, 141, 179, 153, 125, 107, 125, 141, 179,
    153, 125, 107, 125, 141, 179, 153, 125, 140, 139, 182, 182, 152, 136, 152, 136, 153, 136, 139,
    111, 136, 139, 111, 141, 111,
  ]

  /// Returns the initial state of a context variable, as an index into `ArithmeticTables.states`: 9.3.2.2.
  static func initialState(_ value: UInt8, sliceQP: Int) -> Int {
    let slope = Int(value >> 4) * 5 - 45
    let offset = (Int(value & 15) << 3) - 16
    let state = min(max(((slope * min(max(sliceQP, 0), 51)) >> 4) + offset, 1), 126)
    return state > 63 ? (state - 64) << 1 | 1 : (63 - state) << 1
  }
}
