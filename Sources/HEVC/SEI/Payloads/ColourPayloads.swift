// SPDX-License-Identifier: MIT

public import ApusBytes

/// Mastering display colour volume (`mastering_display_colour_volume()`): ITU-T H.265, D.2.28.
public struct MasteringDisplayColourVolume: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 137

  /// The primaries in steps of 0.00002; the standard suggests the order green, blue, red.
  public var displayPrimaries: [Chromaticity] = Array(repeating: Chromaticity(), count: 3)
  public var whitePointX: UInt16 = 0
  public var whitePointY: UInt16 = 0
  /// The range of luminance, in steps of 0.0001 candela per square metre.
  public var maxDisplayMasteringLuminance: UInt32 = 0
  public var minDisplayMasteringLuminance: UInt32 = 0

  public init() {}

  /// A point of the CIE 1931 diagram, in steps of 0.00002.
  public struct Chromaticity: Blank, Hashable, Sendable {
    public var x: UInt16 = 0
    public var y: UInt16 = 0
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.list("display_primaries", &displayPrimaries, count: 3) { point, v throws(SyntaxError) in
      try v.u(16, "display_primaries_x", &point.x)
      try v.u(16, "display_primaries_y", &point.y)
    }
    try v.u(16, "white_point_x", &whitePointX)
    try v.u(16, "white_point_y", &whitePointY)
    try v.u(32, "max_display_mastering_luminance", &maxDisplayMasteringLuminance)
    try v.u(32, "min_display_mastering_luminance", &minDisplayMasteringLuminance)
  }
}

/// Content light level (`content_light_level_info()`): ITU-T H.265, D.2.35.
public struct ContentLightLevel: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 144

  /// The maximum light level of any sample, in candela per square metre; the next field is the maximum average of a
  /// picture.
  public var maxContentLightLevel: UInt16 = 0
  public var maxPicAverageLightLevel: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "max_content_light_level", &maxContentLightLevel)
    try v.u(16, "max_pic_average_light_level", &maxPicAverageLightLevel)
  }
}

/// The transfer function that a display should prefer (`alternative_transfer_characteristics()`): ITU-T H.265, D.2.38.
public struct AlternativeTransferCharacteristics: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 147

  public var preferredTransferCharacteristics: UInt8 = 2

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "preferred_transfer_characteristics", &preferredTransferCharacteristics)
  }
}

/// The light around the mastering display (`ambient_viewing_environment()`): ITU-T H.265, D.2.39.
public struct AmbientViewingEnvironment: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 148

  /// The illuminance, in steps of 0.0001 lux.
  public var ambientIlluminance: UInt32 = 0
  /// The chromaticity of the light, in steps of 0.00002.
  public var ambientLightX: UInt16 = 0
  public var ambientLightY: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "ambient_illuminance", &ambientIlluminance)
    try v.u(16, "ambient_light_x", &ambientLightX)
    try v.u(16, "ambient_light_y", &ambientLightY)
  }
}
