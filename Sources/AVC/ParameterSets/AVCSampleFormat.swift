// SPDX-License-Identifier: MIT

public import ApusBytes

/// The sample format and quantization in sets of the High profiles: ITU-T H.264, 7.3.2.1.1.
public struct AVCSampleFormat: SyntaxStructure, Hashable {
  public var chromaFormatIDC: UInt8 = 1
  public var separateColourPlaneFlag = false
  public var bitDepthLumaMinus8: UInt8 = 0
  public var bitDepthChromaMinus8: UInt8 = 0
  public var qpprimeYZeroTransformBypassFlag = false
  public var seqScalingMatrixPresentFlag = false
  public var scalingLists: [AVCScalingList] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("chroma_format_idc", &chromaFormatIDC, in: 0...3)
    if chromaFormatIDC == 3 { try v.flag("separate_colour_plane_flag", &separateColourPlaneFlag) }
    try v.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, in: 0...6)
    try v.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, in: 0...6)
    try v.flag("qpprime_y_zero_transform_bypass_flag", &qpprimeYZeroTransformBypassFlag)
    try v.flag("seq_scaling_matrix_present_flag", &seqScalingMatrixPresentFlag)
    if seqScalingMatrixPresentFlag {
      try v.scalingLists(
        "seq_scaling_list_present_flag", &scalingLists, count: chromaFormatIDC == 3 ? 12 : 8)
    }
  }
}
