// SPDX-License-Identifier: MIT

public import ApusBytes

/// The buffers that one output layer set needs (`dpb_size()`): ITU-T H.265, F.7.3.2.1.3.
public struct DecodedPictureBufferSizes: Blank, Hashable, Sendable {
  public var subLayerFlagInfoPresentFlag = false
  public var subLayers: [SubLayer] = []

  public init() {}

  /// The buffers that one temporal sub-layer needs.
  public struct SubLayer: Blank, Hashable, Sendable {
    public var subLayerDPBInfoPresentFlag = false
    public var maxVPSDecPicBufferingMinus1: [UInt32] = []
    public var maxVPSNumReorderPics: UInt32 = 0
    public var maxVPSLatencyIncreasePlus1: UInt32 = 0
    public init() {}
  }

  /// - Parameter isPresent: for each layer of the set, whether its buffering is stated here.
  mutating func syntax<V: SyntaxVisitor>(
    _ v: inout V, maxSubLayersMinus1: UInt8, isPresent: [Bool]
  ) throws(SyntaxError) {
    try v.flag("sub_layer_flag_info_present_flag", &subLayerFlagInfoPresentFlag)
    let hasFlags = subLayerFlagInfoPresentFlag
    try v.indexed("sub_layers", &subLayers, count: Int(maxSubLayersMinus1) + 1) {
      index, layer, v throws(SyntaxError) in
      if index > 0, hasFlags {
        try v.flag("sub_layer_dpb_info_present_flag", &layer.subLayerDPBInfoPresentFlag)
      }
      guard index == 0 || layer.subLayerDPBInfoPresentFlag else { return }
      try v.ueValues(
        "max_vps_dec_pic_buffering_minus1", &layer.maxVPSDecPicBufferingMinus1,
        count: isPresent.count(where: { $0 }))
      try v.ue("max_vps_num_reorder_pics", &layer.maxVPSNumReorderPics)
      try v.ue("max_vps_latency_increase_plus1", &layer.maxVPSLatencyIncreasePlus1)
    }
  }
}
