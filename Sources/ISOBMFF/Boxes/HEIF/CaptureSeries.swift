// SPDX-License-Identifier: MIT

public import ApusBytes

/// Automatic exposure bracketing (`aebr`): ISO/IEC 23008-12, 6.5.22.
public struct ExposureBracketing: FullBox {
  public static let types: [FourCC] = ["aebr"]
  public var header = FullBoxHeader()
  public var exposureStep: Int8 = 1
  public var exposureNumerator: Int8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(8, "exposure_step", &exposureStep)
    try v.i(8, "exposure_numerator", &exposureNumerator)
  }
}

/// White balance bracketing (`wbbr`): ISO/IEC 23008-12, 6.5.23.
public struct WhiteBalanceBracketing: FullBox {
  public static let types: [FourCC] = ["wbbr"]
  public var header = FullBoxHeader()
  public var blueAmber: UInt16 = 0
  public var greenMagenta: Int8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "blue_amber", &blueAmber)
    try v.i(8, "green_magenta", &greenMagenta)
  }
}

/// Focus bracketing (`fobr`): ISO/IEC 23008-12, 6.5.24.
public struct FocusBracketing: FullBox {
  public static let types: [FourCC] = ["fobr"]
  public var header = FullBoxHeader()
  public var distanceNumerator: UInt16 = 0
  public var distanceDenominator: UInt16 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "focus_distance_numerator", &distanceNumerator)
    try v.u(16, "focus_distance_denominator", &distanceDenominator)
  }
}

/// Flash exposure bracketing (`afbr`): ISO/IEC 23008-12, 6.5.25.
public struct FlashBracketing: FullBox {
  public static let types: [FourCC] = ["afbr"]
  public var header = FullBoxHeader()
  public var exposureNumerator: Int8 = 0
  public var exposureDenominator: Int8 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(8, "flash_exposure_numerator", &exposureNumerator)
    try v.i(8, "flash_exposure_denominator", &exposureDenominator)
  }
}

/// Depth of field bracketing (`dobr`): ISO/IEC 23008-12, 6.5.26.
public struct DepthOfFieldBracketing: FullBox {
  public static let types: [FourCC] = ["dobr"]
  public var header = FullBoxHeader()
  public var stopNumerator: Int8 = 0
  public var stopDenominator: Int8 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(8, "f_stop_numerator", &stopNumerator)
    try v.i(8, "f_stop_denominator", &stopDenominator)
  }
}

/// Panorama (`pano`): ISO/IEC 23008-12, 6.5.27.
public struct Panorama: FullBox {
  public static let types: [FourCC] = ["pano"]
  public var header = FullBoxHeader()
  /// The direction: 0 to 3 for a strip; 4 and 5 for a grid, by rows or by columns.
  public var direction: UInt8 = 0
  public var rowsMinusOne: UInt8 = 0
  public var columnsMinusOne: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "panorama_direction", &direction)
    if direction == 4 || direction == 5 {
      try v.u(8, "rows_minus_one", &rowsMinusOne)
      try v.u(8, "columns_minus_one", &columnsMinusOne)
    }
  }
}
