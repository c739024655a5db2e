// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The configuration of AAC and its relatives (`GASpecificConfig()`): ISO/IEC 14496-3, 4.4.1.
public struct GeneralAudioConfig: Hashable, Sendable {
  /// Whether frames have 960 samples instead of 1024.
  public var isShort = false
  public var dependsOnCoreCoder = false
  public var coreCoderDelay: UInt16 = 0
  /// Whether fields that depend on the object type follow (`extensionFlag`).
  public var hasExtension = false
  /// The channels; `nil` if they are given by a number.
  public var layout: ProgramConfigElement?
  /// The number of the layer in a scalable stream (`layerNr`).
  public var layerNumber: UInt8 = 0
  /// The number of subframes in a frame of BSAC (`numOfSubFrame`).
  public var subFrameCount: UInt8 = 0
  public var layerLength: UInt16 = 0
  /// The flags for error resilience of section data, scale factors and spectral data, in this order from the highest
  /// bit (`aacSectionDataResilienceFlag` and the two that follow it).
  public var resilience: UInt8 = 0
  /// A flag reserved for later versions of the standard (`extensionFlag3`).
  public var hasExtension3 = false

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ objectType: Int, hasLayout: Bool)
    throws(SyntaxError)
  {
    try v.flag("frameLengthFlag", &isShort)
    try v.flag("dependsOnCoreCoder", &dependsOnCoreCoder)
    if dependsOnCoreCoder { try v.u(14, "coreCoderDelay", &coreCoderDelay) }
    try v.flag("extensionFlag", &hasExtension)
    if v.isReading { layout = hasLayout ? ProgramConfigElement() : nil }
    if var known = layout {
      try v.group("program_config_element", &known)
      if v.isAssigning { layout = known }
    }
    if objectType == 6 || objectType == 20 { try v.u(3, "layerNr", &layerNumber) }
    guard hasExtension else { return }
    switch objectType {
    case 22:
      try v.u(5, "numOfSubFrame", &subFrameCount)
      try v.u(11, "layer_length", &layerLength)
    case 17, 19, 20, 23: try v.u(3, "aacDataResilienceFlags", &resilience)
    default: break
    }
    try v.flag("extensionFlag3", &hasExtension3)
  }
}
