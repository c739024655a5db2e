// SPDX-License-Identifier: MIT

public import ApusBytes

/// The fields that the High profiles add to picture parameter sets: ITU-T H.264, 7.3.2.2.
public struct AVCPictureTransform: Blank, Hashable, Sendable {
  public var transform8x8ModeFlag = false
  public var picScalingMatrixPresentFlag = false
  public var scalingLists: [AVCScalingList] = []
  public var secondChromaQPIndexOffset: Int8 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, chromaFormatIDC: UInt8?) throws(SyntaxError)
  {
    try v.flag("transform_8x8_mode_flag", &transform8x8ModeFlag)
    try v.flag("pic_scaling_matrix_present_flag", &picScalingMatrixPresentFlag)
    if picScalingMatrixPresentFlag {
      var count = 6
      if transform8x8ModeFlag {
        guard let chromaFormatIDC else {
          throw v.failure(
            .invalid, "pic_scaling_list_present_flag",
            "depends on a sequence parameter set that is missing")
        }
        count += chromaFormatIDC == 3 ? 6 : 2
      }
      try v.scalingLists("pic_scaling_list_present_flag", &scalingLists, count: count)
    }
    try v.se("second_chroma_qp_index_offset", &secondChromaQPIndexOffset, in: -12...12)
  }
}
