// SPDX-License-Identifier: MIT

public import ApusBytes

/// Two views in one picture (`frame_packing_arrangement()`): ITU-T H.265, D.2.16.
public struct FramePackingArrangement: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 45

  public var framePackingArrangementID: UInt32 = 0
  public var framePackingArrangementCancelFlag = false
  /// The arrangement: 3 for side by side, 4 for top and bottom, 5 for alternating frames.
  public var framePackingArrangementType: UInt8 = 3
  public var quincunxSamplingFlag = false
  public var contentInterpretationType: UInt8 = 0
  public var spatialFlippingFlag = false
  public var frame0FlippedFlag = false
  public var fieldViewsFlag = false
  public var currentFrameIsFrame0Flag = false
  public var frame0SelfContainedFlag = false
  public var frame1SelfContainedFlag = false
  public var frame0GridPositionX: UInt8 = 0
  public var frame0GridPositionY: UInt8 = 0
  public var frame1GridPositionX: UInt8 = 0
  public var frame1GridPositionY: UInt8 = 0
  public var framePackingArrangementReservedByte: UInt8 = 0
  public var framePackingArrangementPersistenceFlag = false
  public var upsampledAspectRatioFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("frame_packing_arrangement_id", &framePackingArrangementID)
    try v.flag("frame_packing_arrangement_cancel_flag", &framePackingArrangementCancelFlag)
    if !framePackingArrangementCancelFlag {
      try v.u(7, "frame_packing_arrangement_type", &framePackingArrangementType)
      try v.flag("quincunx_sampling_flag", &quincunxSamplingFlag)
      try v.u(6, "content_interpretation_type", &contentInterpretationType)
      try v.flag("spatial_flipping_flag", &spatialFlippingFlag)
      try v.flag("frame0_flipped_flag", &frame0FlippedFlag)
      try v.flag("field_views_flag", &fieldViewsFlag)
      try v.flag("current_frame_is_frame0_flag", &currentFrameIsFrame0Flag)
      try v.flag("frame0_self_contained_flag", &frame0SelfContainedFlag)
      try v.flag("frame1_self_contained_flag", &frame1SelfContainedFlag)
      if !quincunxSamplingFlag, framePackingArrangementType != 5 {
        try v.u(4, "frame0_grid_position_x", &frame0GridPositionX)
        try v.u(4, "frame0_grid_position_y", &frame0GridPositionY)
        try v.u(4, "frame1_grid_position_x", &frame1GridPositionX)
        try v.u(4, "frame1_grid_position_y", &frame1GridPositionY)
      }
      try v.u(8, "frame_packing_arrangement_reserved_byte", &framePackingArrangementReservedByte)
      try v.flag(
        "frame_packing_arrangement_persistence_flag", &framePackingArrangementPersistenceFlag)
    }
    try v.flag("upsampled_aspect_ratio_flag", &upsampledAspectRatioFlag)
  }
}

/// The rotation or flip of a picture for display (`display_orientation()`): ITU-T H.265, D.2.17.
public struct DisplayOrientation: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 47

  public var displayOrientationCancelFlag = false
  public var horFlip = false
  public var verFlip = false
  /// The rotation, in steps of 360 / 65536 degrees.
  public var anticlockwiseRotation: UInt16 = 0
  public var displayOrientationPersistenceFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("display_orientation_cancel_flag", &displayOrientationCancelFlag)
    guard !displayOrientationCancelFlag else { return }
    try v.flag("hor_flip", &horFlip)
    try v.flag("ver_flip", &verFlip)
    try v.u(16, "anticlockwise_rotation", &anticlockwiseRotation)
    try v.flag("display_orientation_persistence_flag", &displayOrientationPersistenceFlag)
  }
}

/// The meaning of an alpha layer (`alpha_channel_info()`): ITU-T H.265, F.14.2.8.
public struct AlphaChannelInformation: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 165

  public var alphaChannelCancelFlag = false
  /// The use of alpha: 0 if the colours are to be multiplied by it, 1 if they are premultiplied.
  public var alphaChannelUseIDC: UInt8 = 0
  public var alphaChannelBitDepthMinus8: UInt8 = 0
  public var alphaTransparentValue: UInt16 = 0
  public var alphaOpaqueValue: UInt16 = 255
  public var alphaChannelIncrFlag = false
  public var alphaChannelClipFlag = false
  public var alphaChannelClipTypeFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("alpha_channel_cancel_flag", &alphaChannelCancelFlag)
    guard !alphaChannelCancelFlag else { return }
    try v.u(3, "alpha_channel_use_idc", &alphaChannelUseIDC)
    try v.u(3, "alpha_channel_bit_depth_minus8", &alphaChannelBitDepthMinus8)
    let bits = Int(alphaChannelBitDepthMinus8) + 9
    try v.u(bits, "alpha_transparent_value", &alphaTransparentValue)
    try v.u(bits, "alpha_opaque_value", &alphaOpaqueValue)
    try v.flag("alpha_channel_incr_flag", &alphaChannelIncrFlag)
    try v.flag("alpha_channel_clip_flag", &alphaChannelClipFlag)
    if alphaChannelClipFlag {
      try v.flag("alpha_channel_clip_type_flag", &alphaChannelClipTypeFlag)
    }
  }
}
