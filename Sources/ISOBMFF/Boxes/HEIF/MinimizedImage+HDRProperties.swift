// SPDX-License-Identifier: MIT

public import ApusBytes

extension MinimizedImage {
  /// The bodies of the boxes that describe high dynamic range, without their headers.
  public struct HDRProperties: SyntaxStructure {
    public var hasContentLightLevel = false
    public var hasMasteringDisplay = false
    public var hasContentColourVolume = false
    public var hasAmbientViewingEnvironment = false
    public var hasReferenceViewingEnvironment = false
    public var hasNominalDiffuseWhite = false
    public var contentLightLevel = ContentLightLevelBox()
    public var masteringDisplay = MasteringDisplayColourVolumeBox()
    public var contentColourVolume = ContentColourVolume()
    public var ambientViewingEnvironment = AmbientViewingEnvironmentBox()
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
}
