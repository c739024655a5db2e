// SPDX-License-Identifier: MIT

public import ApusBytes

/// The part of a sequence parameter set about the order of pictures: ITU-T H.264, 7.3.2.1.1.
public struct AVCPictureOrder: SyntaxStructure, Hashable {
  /// The value `pic_order_cnt_type`.
  public var type: UInt8 = 0
  public var log2MaxPicOrderCntLSBMinus4: UInt8 = 0
  public var deltaPicOrderAlwaysZeroFlag = false
  public var offsetForNonRefPic: Int32 = 0
  public var offsetForTopToBottomField: Int32 = 0
  public var offsetForRefFrame: [Int32] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("pic_order_cnt_type", &type, in: 0...2)
    switch type {
    case 0: try v.ue("log2_max_pic_order_cnt_lsb_minus4", &log2MaxPicOrderCntLSBMinus4, in: 0...12)
    case 1:
      try v.flag("delta_pic_order_always_zero_flag", &deltaPicOrderAlwaysZeroFlag)
      try v.se("offset_for_non_ref_pic", &offsetForNonRefPic)
      try v.se("offset_for_top_to_bottom_field", &offsetForTopToBottomField)
      var count = UInt8(truncatingIfNeeded: offsetForRefFrame.count)
      try v.ue("num_ref_frames_in_pic_order_cnt_cycle", &count)
      try v.list("offset_for_ref_frame", &offsetForRefFrame, count: Int(count)) {
        offset, v throws(SyntaxError) in
        try v.se("offset_for_ref_frame", &offset)
      }
    default: break
    }
  }
}
