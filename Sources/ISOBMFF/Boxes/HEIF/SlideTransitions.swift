// SPDX-License-Identifier: MIT

public import ApusBytes

/// Wipe, fade and split between slides (`wipe`, `fade`, `splt`): ISO/IEC 23008-12, 6.5.30, 6.5.32 and 6.5.33.
public struct SlideTransition: FullBox {
  public static let types: [FourCC] = ["wipe", "fade", "splt"]
  public var header = FullBoxHeader()
  public var direction: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "transition_direction", &direction)
  }
}

/// Zoom between slides (`zoom`): ISO/IEC 23008-12, 6.5.31.
public struct ZoomTransition: FullBox {
  public static let types: [FourCC] = ["zoom"]
  public var header = FullBoxHeader()
  public var direction: UInt8 = 0
  public var shape: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(1, "transition_direction", &direction)
    try v.u(7, "transition_shape", &shape)
  }
}

/// The duration of a transition (`stpe`): ISO/IEC 23008-12, 6.5.34.
public struct TransitionPeriod: FullBox {
  public static let types: [FourCC] = ["stpe"]
  public var header = FullBoxHeader()
  public var period: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "transition_period", &period)
  }
}

/// The duration of a slide (`ssld`): ISO/IEC 23008-12, 6.5.35.
public struct SlideDuration: FullBox {
  public static let types: [FourCC] = ["ssld"]
  public var header = FullBoxHeader()
  public var duration: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "duration", &duration)
  }
}
