// SPDX-License-Identifier: MIT

package import ApusBytes

/// The start of an H.264 slice header, up to the fields that determine picture order: ITU-T H.264, 7.3.3.
public struct AVCSliceStart: Sendable, Hashable {
  /// The header of the NAL unit.
  public private(set) var header = AVCNALUnitHeader()
  /// `first_mb_in_slice`: the address of the first macroblock; 0 at the beginning of a picture or field.
  public private(set) var firstMbInSlice: UInt32 = 0
  /// `slice_type`: 0 or 5 for P, 1 or 6 for B, 2 or 7 for I, 3 or 8 for SP, 4 or 9 for SI.
  public private(set) var sliceType: UInt8 = 0
  /// `pic_parameter_set_id`.
  public private(set) var pictureSetID: UInt8 = 0
  /// `colour_plane_id`; 0 if the planes are not separate.
  public private(set) var colourPlaneID: UInt8 = 0
  /// `frame_num`: the number of the frame, modulo a power of 2 in the sequence parameter set.
  public private(set) var frameNum: UInt32 = 0
  /// `field_pic_flag`: whether the picture is a single field.
  public private(set) var fieldPicFlag = false
  /// `bottom_field_flag`: whether it is a bottom field.
  public private(set) var bottomFieldFlag = false
  /// `idr_pic_id`, which distinguishes consecutive IDR pictures; 0 for other pictures.
  public private(set) var idrPicID: UInt32 = 0
  /// `pic_order_cnt_lsb`: the low bits of the picture order count; 0 if the sequence counts in another way.
  public private(set) var picOrderCntLSB: UInt32 = 0
  /// `delta_pic_order_cnt_bottom`; 0 if absent.
  public private(set) var deltaPicOrderCntBottom: Int32 = 0
  /// `delta_pic_order_cnt[0]`; 0 if absent.
  public private(set) var deltaPicOrderCnt: Int32 = 0
  /// `delta_pic_order_cnt[1]`, for the bottom field of a frame; 0 if absent.
  public private(set) var deltaPicOrderCntOfBottom: Int32 = 0

  /// Whether the slice belongs to an IDR picture.
  public var isIDR: Bool { header.nalUnitType == .idr }
  /// Whether other pictures may refer to the picture.
  public var isReference: Bool { header.nalRefIDC != 0 }

  init() {}

  /// Creates an empty start to be read in a NAL unit.
  init(in header: AVCNALUnitHeader) { self.header = header }

  /// Reads the start of a slice; `nil` if it refers to missing parameter sets.
  init?(
    nalUnit: some Collection<UInt8>, pictures: [UInt8: AVCPictureParameterSet],
    sequences: [UInt8: AVCSequenceParameterSet]
  ) throws(SyntaxError) {
    var v = SyntaxReader(escaped: Array(nalUnit.prefix(Self.glance)))
    try header.syntax(&v)
    try reference(&v)
    guard let picture = pictures[pictureSetID], let sequence = sequences[picture.sequenceID] else {
      return nil
    }
    try order(&v, picture, sequence)
  }

  /// Visits the fields up to the one that selects the parameter sets, which determine how all others are read.
  mutating func reference<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("first_mb_in_slice", &firstMbInSlice)
    try v.ue("slice_type", &sliceType, in: 0...9)
    try v.ue("pic_parameter_set_id", &pictureSetID)
  }

  /// Visits the fields from there to those that determine picture order.
  mutating func order<V: SyntaxVisitor>(
    _ v: inout V, _ picture: AVCPictureParameterSet, _ sequence: AVCSequenceParameterSet
  ) throws(SyntaxError) {
    if sequence.format.separateColourPlaneFlag { try v.u(2, "colour_plane_id", &colourPlaneID) }
    try v.u(Int(sequence.log2MaxFrameNumMinus4) + 4, "frame_num", &frameNum)
    if !sequence.frameMbsOnlyFlag {
      try v.flag("field_pic_flag", &fieldPicFlag)
      if fieldPicFlag { try v.flag("bottom_field_flag", &bottomFieldFlag) }
    }
    if isIDR { try v.ue("idr_pic_id", &idrPicID) }
    let order = sequence.pictureOrder
    let hasBottom = picture.bottomFieldPicOrderInFramePresentFlag && !fieldPicFlag
    if order.type == 0 {
      try v.u(Int(order.log2MaxPicOrderCntLSBMinus4) + 4, "pic_order_cnt_lsb", &picOrderCntLSB)
      if hasBottom { try v.se("delta_pic_order_cnt_bottom", &deltaPicOrderCntBottom) }
    } else if order.type == 1, !order.deltaPicOrderAlwaysZeroFlag {
      try v.se("delta_pic_order_cnt[0]", &deltaPicOrderCnt)
      if hasBottom { try v.se("delta_pic_order_cnt[1]", &deltaPicOrderCntOfBottom) }
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

  /// The number of bytes read, more than all these fields can have.
  private static let glance = 64
}
