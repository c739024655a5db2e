// SPDX-License-Identifier: MIT

public import ApusBytes

/// The part of a sequence parameter set that describes the format of pictures: ITU-T H.265, 7.3.2.2.1.
public struct SequenceFormat: SyntaxStructure, Hashable {
  public var chromaFormatIDC: UInt8 = 1
  public var separateColourPlaneFlag = false
  public var picWidthInLumaSamples: UInt32 = 0
  public var picHeightInLumaSamples: UInt32 = 0
  public var conformanceWindowFlag = false
  public var conformanceWindow = Window()
  public var bitDepthLumaMinus8: UInt8 = 0
  public var bitDepthChromaMinus8: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("chroma_format_idc", &chromaFormatIDC, in: 0...3)
    if chromaFormatIDC == 3 { try v.flag("separate_colour_plane_flag", &separateColourPlaneFlag) }
    try v.ue("pic_width_in_luma_samples", &picWidthInLumaSamples)
    try v.ue("pic_height_in_luma_samples", &picHeightInLumaSamples)
    try v.flag("conformance_window_flag", &conformanceWindowFlag)
    if conformanceWindowFlag { try conformanceWindow.syntax(&v, isConformance: true) }
    try v.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, in: 0...8)
    try v.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, in: 0...8)
  }

  /// `ChromaArrayType`.
  public var chromaArrayType: UInt8 { separateColourPlaneFlag ? 0 : chromaFormatIDC }
}
