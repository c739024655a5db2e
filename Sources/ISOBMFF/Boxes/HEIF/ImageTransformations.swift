// SPDX-License-Identifier: MIT

public import ApusBytes

/// Image rotation (`irot`): ISO/IEC 23008-12, 6.5.10.
public struct ImageRotation: Box {
  public static let types: [FourCC] = ["irot"]
  public var reserved: UInt8 = 0
  /// The angle of the rotation, anticlockwise in units of 90 degrees.
  public var angle: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(6, "reserved", &reserved)
    try v.u(2, "angle", &angle)
  }
}

/// Image mirror (`imir`): ISO/IEC 23008-12, 6.5.12.
public struct ImageMirror: Box {
  public static let types: [FourCC] = ["imir"]
  public var reserved: UInt8 = 0
  /// The axis: 0 swaps top and bottom, 1 swaps left and right.
  public var axis: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(7, "reserved", &reserved)
    try v.u(1, "axis", &axis)
  }
}

/// Image scaling (`iscl`): ISO/IEC 23008-12, 6.5.13.
public struct ImageScaling: FullBox {
  public static let types: [FourCC] = ["iscl"]
  public var header = FullBoxHeader()
  public var targetWidthNumerator: UInt16 = 1
  public var targetWidthDenominator: UInt16 = 1
  public var targetHeightNumerator: UInt16 = 1
  public var targetHeightDenominator: UInt16 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "target_width_numerator", &targetWidthNumerator)
    try v.u(16, "target_width_denominator", &targetWidthDenominator)
    try v.u(16, "target_height_numerator", &targetHeightNumerator)
    try v.u(16, "target_height_denominator", &targetHeightDenominator)
  }
}

/// Relative location of an image in another (`rloc`): ISO/IEC 23008-12, 6.5.7.
public struct RelativeLocation: FullBox {
  public static let types: [FourCC] = ["rloc"]
  public var header = FullBoxHeader()
  public var horizontalOffset: UInt32 = 0
  public var verticalOffset: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "horizontal_offset", &horizontalOffset)
    try v.u(32, "vertical_offset", &verticalOffset)
  }
}
