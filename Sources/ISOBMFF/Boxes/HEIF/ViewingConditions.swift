// SPDX-License-Identifier: MIT

public import ApusBytes

/// Reference viewing environment (`reve`): ISO/IEC 23008-12:2022/Amd 1.
public struct ReferenceViewingEnvironment: FullBox {
  public static let types: [FourCC] = ["reve"]
  public var header = FullBoxHeader()
  /// The luminance of the surroundings, in units of 0.0001 candela per square metre.
  public var surroundLuminance: UInt32 = 0
  /// The chromaticity of the surroundings, in units of 0.00002, like all chromaticities here.
  public var surroundLightX: UInt16 = 0
  public var surroundLightY: UInt16 = 0
  public var peripheryLuminance: UInt32 = 0
  public var peripheryLightX: UInt16 = 0
  public var peripheryLightY: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "surround_luminance", &surroundLuminance)
    try v.u(16, "surround_light_x", &surroundLightX)
    try v.u(16, "surround_light_y", &surroundLightY)
    try v.u(32, "periphery_luminance", &peripheryLuminance)
    try v.u(16, "periphery_light_x", &peripheryLightX)
    try v.u(16, "periphery_light_y", &peripheryLightY)
  }
}

/// Nominal diffuse white (`ndwt`): ISO/IEC 23008-12:2022/Amd 1.
public struct NominalDiffuseWhite: FullBox {
  public static let types: [FourCC] = ["ndwt"]
  public var header = FullBoxHeader()
  /// The luminance in units of 0.0001 candela per square metre.
  public var luminance: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "diffuse_white_luminance", &luminance)
  }
}
