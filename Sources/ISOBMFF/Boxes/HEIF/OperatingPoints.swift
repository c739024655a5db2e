// SPDX-License-Identifier: MIT

public import ApusBytes

/// Operating points of a layered HEVC image (`oinf`): ISO/IEC 23008-12, 6.5.28;
/// ISO/IEC 14496-15, 9.6.2.
public struct OperatingPoints: FullBox {
  public static let types: [FourCC] = ["oinf"]
  public var header = FullBoxHeader()
  /// The kinds of scalability, one bit for each.
  public var scalabilityMask: UInt16 = 0
  public var reserved: UInt8 = 0
  public var profiles: [ProfileTierLevel] = []
  public var points: [Point] = []
  public var layers: [Layer] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "scalability_mask", &scalabilityMask, as: .hex)
    try v.u(2, "reserved", &reserved)
    let profileCount = try v.count(6, "num_profile_tier_level_minus1", profiles.count)
    try v.list("profile_tier_levels", &profiles, count: profileCount)
    let pointCount = try v.count(16, "num_operating_points", points.count)
    try v.list("operating_points", &points, count: pointCount)
    let layerCount = try v.count(8, "max_layer_count", layers.count)
    let dimensions = scalabilityMask.nonzeroBitCount
    try v.list("layers", &layers, count: layerCount) { layer, v throws(SyntaxError) in
      try layer.syntax(&v, dimensions: dimensions)
    }
  }
}

extension OperatingPoints {
  /// The profile, tier and level to which operating points refer.
  public struct ProfileTierLevel: SyntaxStructure {
    public var generalProfileSpace: UInt8 = 0
    public var generalTierFlag = false
    public var generalProfileIDC: UInt8 = 0
    public var generalProfileCompatibilityFlags: UInt32 = 0
    public var generalConstraintIndicatorFlags: UInt64 = 0
    public var generalLevelIDC: UInt8 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(2, "general_profile_space", &generalProfileSpace)
      try v.flag("general_tier_flag", &generalTierFlag)
      try v.u(5, "general_profile_idc", &generalProfileIDC)
      try v.u(
        32, "general_profile_compatibility_flags", &generalProfileCompatibilityFlags, as: .hex)
      try v.u(48, "general_constraint_indicator_flags", &generalConstraintIndicatorFlags, as: .hex)
      try v.u(8, "general_level_idc", &generalLevelIDC)
    }
  }

  /// An operating point: a set of layers to decode, and the pictures that result.
  public struct Point: SyntaxStructure {
    public var outputLayerSetIndex: UInt16 = 0
    public var maxTemporalID: UInt8 = 0
    public var layers: [PointLayer] = []
    public var minPictureWidth: UInt16 = 0
    public var minPictureHeight: UInt16 = 0
    public var maxPictureWidth: UInt16 = 0
    public var maxPictureHeight: UInt16 = 0
    public var maxChromaFormat: UInt8 = 0
    public var maxBitDepthMinus8: UInt8 = 0
    public var reserved: UInt8 = 0
    public var hasFrameRate = false
    public var hasBitRate = false
    public var averageFrameRate: UInt16 = 0
    public var frameRateReserved: UInt8 = 0
    public var constantFrameRate: UInt8 = 0
    public var maxBitRate: UInt32 = 0
    public var averageBitRate: UInt32 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "output_layer_set_idx", &outputLayerSetIndex)
      try v.u(8, "max_temporal_id", &maxTemporalID)
      let count = try v.count(8, "layer_count", layers.count)
      try v.list("layers", &layers, count: count)
      try v.u(16, "minPicWidth", &minPictureWidth)
      try v.u(16, "minPicHeight", &minPictureHeight)
      try v.u(16, "maxPicWidth", &maxPictureWidth)
      try v.u(16, "maxPicHeight", &maxPictureHeight)
      try v.u(2, "maxChromaFormat", &maxChromaFormat)
      try v.u(3, "maxBitDepthMinus8", &maxBitDepthMinus8)
      try v.u(1, "reserved", &reserved)
      try v.flag("frame_rate_info_flag", &hasFrameRate)
      try v.flag("bit_rate_info_flag", &hasBitRate)
      if hasFrameRate {
        try v.u(16, "avgFrameRate", &averageFrameRate)
        try v.u(6, "reserved", &frameRateReserved)
        try v.u(2, "constantFrameRate", &constantFrameRate)
      }
      if hasBitRate {
        try v.u(32, "maxBitRate", &maxBitRate)
        try v.u(32, "avgBitRate", &averageBitRate)
      }
    }
  }

  /// A layer of an operating point.
  public struct PointLayer: SyntaxStructure {
    public var profileIndex: UInt8 = 0
    public var layerID: UInt8 = 0
    public var isOutputLayer = false
    public var isAlternateOutputLayer = false
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "ptl_idx", &profileIndex)
      try v.u(6, "layer_id", &layerID)
      try v.flag("is_outputlayer", &isOutputLayer)
      try v.flag("is_alternate_outputlayer", &isAlternateOutputLayer)
    }
  }

  /// A layer, and those that it depends on.
  public struct Layer: Blank, Sendable {
    public var dependentLayerID: UInt8 = 0
    public var dependentOnLayerIDs: [UInt8] = []
    /// The identifiers of dimensions, one for each bit of the scalability mask.
    public var dimensionIdentifiers: [UInt8] = []
    public init() {}

    fileprivate mutating func syntax<V: SyntaxVisitor>(_ v: inout V, dimensions: Int)
      throws(SyntaxError)
    {
      try v.u(8, "dependent_layerID", &dependentLayerID)
      let count = try v.count(8, "num_layers_dependent_on", dependentOnLayerIDs.count)
      try v.values(8, "dependent_on_layerID", &dependentOnLayerIDs, count: count)
      try v.values(8, "dimension_identifier", &dimensionIdentifiers, count: dimensions)
    }
  }
}
