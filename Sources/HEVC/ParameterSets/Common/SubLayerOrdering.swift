// SPDX-License-Identifier: MIT

public import ApusBytes

/// The buffering that a decoder needs for one temporal sub-layer: ITU-T H.265, 7.4.3.1 and 7.4.3.2.
public struct SubLayerOrdering: Blank, Hashable, Sendable {
  public var maxDecPicBufferingMinus1: UInt32 = 0
  public var maxNumReorderPics: UInt32 = 0
  public var maxLatencyIncreasePlus1: UInt32 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, isVideo: Bool) throws(SyntaxError) {
    try v.ue(
      isVideo ? "vps_max_dec_pic_buffering_minus1" : "sps_max_dec_pic_buffering_minus1",
      &maxDecPicBufferingMinus1)
    try v.ue(isVideo ? "vps_max_num_reorder_pics" : "sps_max_num_reorder_pics", &maxNumReorderPics)
    try v.ue(
      isVideo ? "vps_max_latency_increase_plus1" : "sps_max_latency_increase_plus1",
      &maxLatencyIncreasePlus1)
  }
}
