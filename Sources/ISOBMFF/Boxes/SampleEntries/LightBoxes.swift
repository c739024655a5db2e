// SPDX-License-Identifier: MIT

public import ApusBytes

/// A point of the CIE 1931 diagram.
public struct Chromaticity: SyntaxStructure {
  public var x: UInt16 = 0
  public var y: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "x", &x)
    try v.u(16, "y", &y)
  }
}

/// Mastering display colour volume (`mdcv`): ISO/IEC 14496-12, 12.1.7.
public struct MasteringDisplayColourVolumeBox: Box {
  public static let types: [FourCC] = ["mdcv"]
  /// The chromaticities of green, blue and red, in units of 0.00002.
  public var primaries = [Chromaticity](repeating: Chromaticity(), count: 3)
  public var whitePoint = Chromaticity()
  /// The highest luminance of the display, in units of 0.0001 candela per square metre.
  public var maxLuminance: UInt32 = 0
  /// The lowest luminance of the display, in units of 0.0001 candela per square metre.
  public var minLuminance: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.list("display_primaries", &primaries, count: 3)
    try v.u(16, "white_point_x", &whitePoint.x)
    try v.u(16, "white_point_y", &whitePoint.y)
    try v.u(32, "max_display_mastering_luminance", &maxLuminance)
    try v.u(32, "min_display_mastering_luminance", &minLuminance)
  }
}

/// Content light level (`clli`): ISO/IEC 14496-12, 12.1.6.
public struct ContentLightLevelBox: Box {
  public static let types: [FourCC] = ["clli"]
  /// The highest light level of any sample, in candela per square metre.
  public var max: UInt16 = 0
  /// The highest average light level of any picture, in candela per square metre.
  public var maxPictureAverage: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "max_content_light_level", &max)
    try v.u(16, "max_pic_average_light_level", &maxPictureAverage)
  }
}

/// Content colour volume (`cclv`): ISO/IEC 14496-12, 12.1.8.
public struct ContentColourVolume: Box {
  public static let types: [FourCC] = ["cclv"]
  public var reserved1: UInt8 = 0
  public var hasPrimaries = false
  public var hasMinLuminance = false
  public var hasMaxLuminance = false
  public var hasAverageLuminance = false
  public var reserved2: UInt8 = 0
  /// The chromaticities of green, blue and red, in units of 0.00002.
  public var primaries = [Primary](repeating: Primary(), count: 3)
  /// The lowest luminance of the content, in units of 0.0000001 candela per square metre.
  public var minLuminance: UInt32 = 0
  /// The highest luminance of the content, in units of 0.0000001 candela per square metre.
  public var maxLuminance: UInt32 = 0
  /// The average luminance of the content, in units of 0.0000001 candela per square metre.
  public var averageLuminance: UInt32 = 0

  /// A point of the CIE 1931 diagram, in units of 0.00002, which may be outside the visible colors.
  public struct Primary: SyntaxStructure {
    public var x: Int32 = 0
    public var y: Int32 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.i(32, "x", &x)
      try v.i(32, "y", &y)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "reserved", &reserved1)
    try v.flag("ccv_primaries_present_flag", &hasPrimaries)
    try v.flag("ccv_min_luminance_value_present_flag", &hasMinLuminance)
    try v.flag("ccv_max_luminance_value_present_flag", &hasMaxLuminance)
    try v.flag("ccv_avg_luminance_value_present_flag", &hasAverageLuminance)
    try v.u(2, "reserved", &reserved2)
    if hasPrimaries { try v.list("ccv_primaries", &primaries, count: 3) }
    if hasMinLuminance { try v.u(32, "ccv_min_luminance_value", &minLuminance) }
    if hasMaxLuminance { try v.u(32, "ccv_max_luminance_value", &maxLuminance) }
    if hasAverageLuminance { try v.u(32, "ccv_avg_luminance_value", &averageLuminance) }
  }
}

/// Ambient viewing environment (`amve`): ISO/IEC 14496-12, 12.1.9.
public struct AmbientViewingEnvironmentBox: Box {
  public static let types: [FourCC] = ["amve"]
  /// The illuminance of the surroundings, in units of 0.0001 lux.
  public var illuminance: UInt32 = 0
  /// The chromaticity of the ambient light, in units of 0.00002.
  public var light = Chromaticity()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "ambient_illuminance", &illuminance)
    try v.u(16, "ambient_light_x", &light.x)
    try v.u(16, "ambient_light_y", &light.y)
  }
}

/// Mastering display metadata of VP9 (`SmDm`): VP Codec ISO Media File Format Binding 1.0.
public struct VPMasteringMetadata: FullBox {
  public static let types: [FourCC] = ["SmDm"]
  public var header = FullBoxHeader()
  /// The chromaticities of red, green, blue and white, each x and y, as 0.16 numbers.
  public var chromaticities = [UInt16](repeating: 0, count: 8)
  /// The highest luminance, in 24.8 fixed point.
  public var luminanceMax: UInt32 = 0
  /// The lowest luminance, in 18.14 fixed point.
  public var luminanceMin: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.values(16, "chromaticities", &chromaticities, count: 8, as: .fixed(16))
    try v.u(32, "luminanceMax", &luminanceMax, as: .fixed(8))
    try v.u(32, "luminanceMin", &luminanceMin, as: .fixed(14))
  }
}

/// Content light level of VP9 (`CoLL`): VP Codec ISO Media File Format Binding 1.0.
public struct VPContentLightLevel: FullBox {
  public static let types: [FourCC] = ["CoLL"]
  public var header = FullBoxHeader()
  public var maxCLL: UInt16 = 0
  public var maxFALL: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "maxCLL", &maxCLL)
    try v.u(16, "maxFALL", &maxFALL)
  }
}
