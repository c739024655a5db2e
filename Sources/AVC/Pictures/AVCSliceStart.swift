// SPDX-License-Identifier: MIT

package import ApusBytes

/// The start of an H.264 slice header, up to the fields that determine picture order: ITU-T H.264, 7.3.3.
public struct AVCSliceStart: Sendable, Hashable {
  public private(set) var header = AVCNALUnitHeader()
  public private(set) var firstMbInSlice: UInt32 = 0
  public private(set) var sliceType: UInt8 = 0
  public private(set) var pictureSetID: UInt8 = 0
  public private(set) var colourPlaneID: UInt8 = 0
  public private(set) var frameNum: UInt32 = 0
  public private(set) var fieldPicFlag = false
  public private(set) var bottomFieldFlag = false
  public private(set) var idrPicID: UInt32 = 0
  public private(set) var picOrderCntLSB: UInt32 = 0
  public private(set) var deltaPicOrderCntBottom: Int32 = 0
  public private(set) var deltaPicOrderCnt: Int32 = 0

  public var isIDR: Bool { header.nalUnitType == .idr }
  public var isReference: Bool { header.nalRefIDC != 0 }

  /// Reads the start of a slice; `nil` if it refers to missing parameter sets.
  init?(
    nalUnit: some Collection<UInt8>, pictures: [UInt8: AVCPictureParameterSet],
    sequences: [UInt8: AVCSequenceParameterSet]
  ) throws(SyntaxError) {
    var v = SyntaxReader(escaped: Array(nalUnit.prefix(Self.glance)))
    try header.syntax(&v)
    try v.ue("first_mb_in_slice", &firstMbInSlice)
    try v.ue("slice_type", &sliceType, in: 0...9)
    try v.ue("pic_parameter_set_id", &pictureSetID)
    guard let picture = pictures[pictureSetID], let sequence = sequences[picture.sequenceID] else {
      return nil
    }
    if sequence.format.separateColourPlaneFlag { try v.u(2, "colour_plane_id", &colourPlaneID) }
    try v.u(Int(sequence.log2MaxFrameNumMinus4) + 4, "frame_num", &frameNum)
    if !sequence.frameMbsOnlyFlag {
      try v.flag("field_pic_flag", &fieldPicFlag)
      if fieldPicFlag { try v.flag("bottom_field_flag", &bottomFieldFlag) }
    }
    if isIDR { try v.ue("idr_pic_id", &idrPicID) }
    let order = sequence.pictureOrder
    if order.type == 0 {
      try v.u(Int(order.log2MaxPicOrderCntLSBMinus4) + 4, "pic_order_cnt_lsb", &picOrderCntLSB)
      if picture.bottomFieldPicOrderInFramePresentFlag, !fieldPicFlag {
        try v.se("delta_pic_order_cnt_bottom", &deltaPicOrderCntBottom)
      }
    } else if order.type == 1, !order.deltaPicOrderAlwaysZeroFlag {
      try v.se("delta_pic_order_cnt[0]", &deltaPicOrderCnt)
    }
  }

  /// Returns the first macroblock of a slice, which is the first field of its header.
  package static func firstMacroblock(ofNALUnit unit: some Collection<UInt8>) throws(SyntaxError)
    -> UInt32
  {
    var v = SyntaxReader(escaped: Array(unit.prefix(glance)))
    var slice = AVCSliceStart()
    try slice.header.syntax(&v)
    try v.ue("first_mb_in_slice", &slice.firstMbInSlice)
    return slice.firstMbInSlice
  }

  private init() {}

  /// The number of bytes read, more than all these fields can have.
  private static let glance = 64
}
