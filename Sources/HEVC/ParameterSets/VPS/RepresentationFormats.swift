// SPDX-License-Identifier: MIT

public import ApusBytes

/// The formats of the layers' pictures: ITU-T H.265, F.7.3.2.1.1.
public struct RepresentationFormats: Blank, Hashable, Sendable {
  public var formats: [RepresentationFormat] = []
  public var repFormatIdxPresentFlag = false
  public var vpsRepFormatIdx: [UInt8] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ base: VideoParameterSetExtension.Base)
    throws(SyntaxError)
  {
    let count = try v.ueCount("vps_num_rep_formats_minus1", formats.count, minus: 1, in: 0...255)
    var previous = RepresentationFormat()
    try v.list("rep_format", &formats, count: count) { format, v throws(SyntaxError) in
      try format.syntax(&v, after: previous)
      previous = format
    }
    if count > 1 { try v.flag("rep_format_idx_present_flag", &repFormatIdxPresentFlag) }
    if repFormatIdxPresentFlag {
      let layers = base.maxLayersMinus1 + 1 - (base.isBaseLayerInternal ? 1 : 0)
      try v.values(
        bitsToTellApart(count), "vps_rep_format_idx", &vpsRepFormatIdx, count: max(0, layers))
    }
  }
}

/// `rep_format()`: ITU-T H.265, F.7.3.2.1.2.
public struct RepresentationFormat: Blank, Hashable, Sendable {
  public var picWidthVPSInLumaSamples: UInt16 = 0
  public var picHeightVPSInLumaSamples: UInt16 = 0
  public var chromaAndBitDepthVPSPresentFlag = false
  public var chromaFormatVPSIDC: UInt8 = 1
  public var separateColourPlaneVPSFlag = false
  public var bitDepthVPSLumaMinus8: UInt8 = 0
  public var bitDepthVPSChromaMinus8: UInt8 = 0
  public var conformanceWindowVPSFlag = false
  public var confWinVPSLeftOffset: UInt32 = 0
  public var confWinVPSRightOffset: UInt32 = 0
  public var confWinVPSTopOffset: UInt32 = 0
  public var confWinVPSBottomOffset: UInt32 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, after previous: RepresentationFormat)
    throws(SyntaxError)
  {
    try v.u(16, "pic_width_vps_in_luma_samples", &picWidthVPSInLumaSamples)
    try v.u(16, "pic_height_vps_in_luma_samples", &picHeightVPSInLumaSamples)
    try v.flag("chroma_and_bit_depth_vps_present_flag", &chromaAndBitDepthVPSPresentFlag)
    if chromaAndBitDepthVPSPresentFlag {
      try v.u(2, "chroma_format_vps_idc", &chromaFormatVPSIDC)
      if chromaFormatVPSIDC == 3 {
        try v.flag("separate_colour_plane_vps_flag", &separateColourPlaneVPSFlag)
      }
      try v.u(4, "bit_depth_vps_luma_minus8", &bitDepthVPSLumaMinus8)
      try v.u(4, "bit_depth_vps_chroma_minus8", &bitDepthVPSChromaMinus8)
    } else if v.isReading {
      chromaFormatVPSIDC = previous.chromaFormatVPSIDC
      separateColourPlaneVPSFlag = previous.separateColourPlaneVPSFlag
      bitDepthVPSLumaMinus8 = previous.bitDepthVPSLumaMinus8
      bitDepthVPSChromaMinus8 = previous.bitDepthVPSChromaMinus8
    }
    try v.flag("conformance_window_vps_flag", &conformanceWindowVPSFlag)
    if conformanceWindowVPSFlag {
      try v.ue("conf_win_vps_left_offset", &confWinVPSLeftOffset)
      try v.ue("conf_win_vps_right_offset", &confWinVPSRightOffset)
      try v.ue("conf_win_vps_top_offset", &confWinVPSTopOffset)
      try v.ue("conf_win_vps_bottom_offset", &confWinVPSBottomOffset)
    }
  }
}
