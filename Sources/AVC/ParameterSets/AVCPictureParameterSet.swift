// SPDX-License-Identifier: MIT

public import Bytes

/// The start of a picture parameter set of H.264, as far as slices need it to be read: ITU-T H.264, 7.3.2.2.
public struct AVCPictureParameterSet: SyntaxStructure, Hashable {
  public var id: UInt8 = 0
  public var sequenceID: UInt8 = 0
  public var entropyCodingModeFlag = false
  public var bottomFieldPicOrderInFramePresentFlag = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("pic_parameter_set_id", &id)
    try v.ue("seq_parameter_set_id", &sequenceID, in: 0...31)
    try v.flag("entropy_coding_mode_flag", &entropyCodingModeFlag)
    try v.flag(
      "bottom_field_pic_order_in_frame_present_flag", &bottomFieldPicOrderInFramePresentFlag)
  }
}
