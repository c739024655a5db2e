// SPDX-License-Identifier: MIT

public import ApusBytes

/// A picture parameter set of H.264 (`pic_parameter_set_rbsp`): ITU-T H.264, 7.3.2.2.
public struct AVCPictureParameterSet: SyntaxStructure, Hashable {
  public var id: UInt8 = 0
  public var sequenceID: UInt8 = 0
  public var entropyCodingModeFlag = false
  public var bottomFieldPicOrderInFramePresentFlag = false
  public var sliceGroups = AVCSliceGroups()
  public var numRefIdxL0DefaultActiveMinus1: UInt8 = 0
  public var numRefIdxL1DefaultActiveMinus1: UInt8 = 0
  public var weightedPredFlag = false
  public var weightedBipredIDC: UInt8 = 0
  public var picInitQPMinus26: Int8 = 0
  public var picInitQSMinus26: Int8 = 0
  public var chromaQPIndexOffset: Int8 = 0
  public var deblockingFilterControlPresentFlag = false
  public var constrainedIntraPredFlag = false
  public var redundantPicCntPresentFlag = false
  /// The fields for the High profiles, which other sets omit.
  public var transform: AVCPictureTransform?

  /// The `chroma_format_idc` of the sequence parameter set that this set refers to, which is not in its bits; `nil` if
  /// that set is unknown. The number of scaling lists depends on it.
  public var chromaFormatIDC: UInt8?

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start(&v)
    try sliceGroups.syntax(&v)
    try v.ue("num_ref_idx_l0_default_active_minus1", &numRefIdxL0DefaultActiveMinus1, in: 0...31)
    try v.ue("num_ref_idx_l1_default_active_minus1", &numRefIdxL1DefaultActiveMinus1, in: 0...31)
    try v.flag("weighted_pred_flag", &weightedPredFlag)
    try v.u(2, "weighted_bipred_idc", &weightedBipredIDC)
    // Samples of 14 bits extend the range by 6 for each bit above 8.
    try v.se("pic_init_qp_minus26", &picInitQPMinus26, in: -62...25)
    try v.se("pic_init_qs_minus26", &picInitQSMinus26, in: -26...25)
    try v.se("chroma_qp_index_offset", &chromaQPIndexOffset, in: -12...12)
    try v.flag("deblocking_filter_control_present_flag", &deblockingFilterControlPresentFlag)
    try v.flag("constrained_intra_pred_flag", &constrainedIntraPredFlag)
    try v.flag("redundant_pic_cnt_present_flag", &redundantPicCntPresentFlag)
    if v.moreData(transform != nil) {
      var transform = transform ?? AVCPictureTransform()
      try transform.syntax(&v, chromaFormatIDC: chromaFormatIDC)
      self.transform = transform
    }
  }

  /// Visits the fields that are needed to read slices.
  mutating func start<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("pic_parameter_set_id", &id)
    try v.ue("seq_parameter_set_id", &sequenceID, in: 0...31)
    try v.flag("entropy_coding_mode_flag", &entropyCodingModeFlag)
    try v.flag(
      "bottom_field_pic_order_in_frame_present_flag", &bottomFieldPicOrderInFramePresentFlag)
  }
}

extension AVCPictureParameterSet {
  /// Creates an empty set to be read from the position of `reader`, after the header of its NAL unit.
  init(for reader: SyntaxReader, sequences: [UInt8: AVCSequenceParameterSet]) throws(SyntaxError) {
    var glance = reader
    var set = Self()
    try set.start(&glance)
    self.init()
    chromaFormatIDC = sequences[set.sequenceID]?.format.chromaFormatIDC
  }

  /// Reads the fields of a NAL unit that slices need; the fields after them may be missing or wrong.
  static func start(ofNALUnit unit: [UInt8]) throws(SyntaxError) -> AVCPictureParameterSet {
    var reader = SyntaxReader(escaped: Array(unit.dropFirst().prefix(glance)))
    var set = AVCPictureParameterSet()
    try set.start(&reader)
    return set
  }

  /// The number of bytes read, more than these fields can have.
  private static let glance = 16
}
