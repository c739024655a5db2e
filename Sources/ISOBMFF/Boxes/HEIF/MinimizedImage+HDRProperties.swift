// SPDX-License-Identifier: MIT

public import Bytes

extension MinimizedImage {
  /// The bodies of the boxes that describe high dynamic range, without their headers.
  public struct HDRProperties: SyntaxStructure {
    public var hasContentLightLevel = false
    public var hasMasteringDisplay = false
    public var hasContentColourVolume = false
    public var hasAmbientViewingEnvironment = false
    public var hasReferenceViewingEnvironment = false
    public var hasNominalDiffuseWhite = false
    public var contentLightLevel = ContentLightLevel()
    public var masteringDisplay = MasteringDisplay()
    public var contentColourVolume = ContentColourVolume()
    public var ambientViewingEnvironment = AmbientViewingEnvironment()
    public var referenceViewingEnvironment = ReferenceViewingEnvironment()
    public var nominalDiffuseWhite = NominalDiffuseWhite()
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("clli_flag", &hasContentLightLevel)
      try v.flag("mdcv_flag", &hasMasteringDisplay)
      try v.flag("cclv_flag", &hasContentColourVolume)
      try v.flag("amve_flag", &hasAmbientViewingEnvironment)
      try v.flag("reve_flag", &hasReferenceViewingEnvironment)
      try v.flag("ndwt_flag", &hasNominalDiffuseWhite)
      if hasContentLightLevel { try v.group("clli", &contentLightLevel) }
      if hasMasteringDisplay { try v.group("mdcv", &masteringDisplay) }
      if hasContentColourVolume { try v.group("cclv", &contentColourVolume) }
      if hasAmbientViewingEnvironment { try v.group("amve", &ambientViewingEnvironment) }
      if hasReferenceViewingEnvironment { try v.group("reve", &referenceViewingEnvironment) }
      if hasNominalDiffuseWhite { try v.group("ndwt", &nominalDiffuseWhite) }
    }
  }

  public struct ContentLightLevel: SyntaxStructure {
    public var maxContentLightLevel: UInt16 = 0
    public var maxPictureAverageLightLevel: UInt16 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "max_content_light_level", &maxContentLightLevel)
      try v.u(16, "max_pic_average_light_level", &maxPictureAverageLightLevel)
    }
  }

  public struct MasteringDisplay: SyntaxStructure {
    /// x and y of green, blue and red.
    public var primaries: [UInt16] = Array(repeating: 0, count: 6)
    public var whitePointX: UInt16 = 0
    public var whitePointY: UInt16 = 0
    public var maxLuminance: UInt32 = 0
    public var minLuminance: UInt32 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.values(16, "display_primaries", &primaries, count: 6)
      try v.u(16, "white_point_x", &whitePointX)
      try v.u(16, "white_point_y", &whitePointY)
      try v.u(32, "max_display_mastering_luminance", &maxLuminance)
      try v.u(32, "min_display_mastering_luminance", &minLuminance)
    }
  }

  public struct ContentColourVolume: SyntaxStructure {
    public var reserved: UInt8 = 0
    public var hasPrimaries = false
    public var hasMinLuminance = false
    public var hasMaxLuminance = false
    public var hasAverageLuminance = false
    public var moreReserved: UInt8 = 0
    /// x and y of green, blue and red, as bit patterns of signed numbers.
    public var primaries: [UInt32] = Array(repeating: 0, count: 6)
    public var minLuminance: UInt32 = 0
    public var maxLuminance: UInt32 = 0
    public var averageLuminance: UInt32 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(2, "reserved", &reserved)
      try v.flag("ccv_primaries_present_flag", &hasPrimaries)
      try v.flag("ccv_min_luminance_value_present_flag", &hasMinLuminance)
      try v.flag("ccv_max_luminance_value_present_flag", &hasMaxLuminance)
      try v.flag("ccv_avg_luminance_value_present_flag", &hasAverageLuminance)
      try v.u(2, "reserved", &moreReserved)
      if hasPrimaries { try v.values(32, "ccv_primaries", &primaries, count: 6, as: .signed) }
      if hasMinLuminance { try v.u(32, "ccv_min_luminance_value", &minLuminance) }
      if hasMaxLuminance { try v.u(32, "ccv_max_luminance_value", &maxLuminance) }
      if hasAverageLuminance { try v.u(32, "ccv_avg_luminance_value", &averageLuminance) }
    }
  }

  public struct AmbientViewingEnvironment: SyntaxStructure {
    public var illuminance: UInt32 = 0
    public var lightX: UInt16 = 0
    public var lightY: UInt16 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(32, "ambient_illuminance", &illuminance)
      try v.u(16, "ambient_light_x", &lightX)
      try v.u(16, "ambient_light_y", &lightY)
    }
  }
}
