// SPDX-License-Identifier: MIT

public import ApusBytes

/// Video usability information (`vui_parameters()`): ITU-T H.265, E.2.1.
public struct VUIParameters: Blank, Hashable, Sendable {
  public var aspectRatioInfoPresentFlag = false
  public var aspectRatioIDC: UInt8 = 0
  public var sarWidth: UInt16 = 0
  public var sarHeight: UInt16 = 0
  public var overscanInfoPresentFlag = false
  public var overscanAppropriateFlag = false
  public var videoSignalTypePresentFlag = false
  public var videoFormat: UInt8 = 5
  public var videoFullRangeFlag = false
  public var colourDescriptionPresentFlag = false
  public var colourPrimaries: UInt8 = 2
  public var transferCharacteristics: UInt8 = 2
  public var matrixCoeffs: UInt8 = 2
  public var chromaLocInfoPresentFlag = false
  public var chromaSampleLocTypeTopField: UInt8 = 0
  public var chromaSampleLocTypeBottomField: UInt8 = 0
  public var neutralChromaIndicationFlag = false
  public var fieldSeqFlag = false
  public var frameFieldInfoPresentFlag = false
  public var defaultDisplayWindowFlag = false
  public var defaultDisplayWindow = Window()
  public var timing = VUITiming()
  public var bitstreamRestrictionFlag = false
  public var bitstreamRestriction = BitstreamRestriction()

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, maxSubLayersMinus1: UInt8)
    throws(SyntaxError)
  {
    try v.flag("aspect_ratio_info_present_flag", &aspectRatioInfoPresentFlag)
    if aspectRatioInfoPresentFlag {
      try v.u(8, "aspect_ratio_idc", &aspectRatioIDC)
      if aspectRatioIDC == 255 {
        try v.u(16, "sar_width", &sarWidth)
        try v.u(16, "sar_height", &sarHeight)
      }
    }
    try v.flag("overscan_info_present_flag", &overscanInfoPresentFlag)
    if overscanInfoPresentFlag { try v.flag("overscan_appropriate_flag", &overscanAppropriateFlag) }
    try videoSignalType(&v)
    try v.flag("chroma_loc_info_present_flag", &chromaLocInfoPresentFlag)
    if chromaLocInfoPresentFlag {
      try v.ue("chroma_sample_loc_type_top_field", &chromaSampleLocTypeTopField, in: 0...5)
      try v.ue("chroma_sample_loc_type_bottom_field", &chromaSampleLocTypeBottomField, in: 0...5)
    }
    try v.flag("neutral_chroma_indication_flag", &neutralChromaIndicationFlag)
    try v.flag("field_seq_flag", &fieldSeqFlag)
    try v.flag("frame_field_info_present_flag", &frameFieldInfoPresentFlag)
    try v.flag("default_display_window_flag", &defaultDisplayWindowFlag)
    if defaultDisplayWindowFlag { try defaultDisplayWindow.syntax(&v, isConformance: false) }
    try timing.syntax(&v, maxSubLayersMinus1: maxSubLayersMinus1)
    try v.flag("bitstream_restriction_flag", &bitstreamRestrictionFlag)
    if bitstreamRestrictionFlag { try bitstreamRestriction.syntax(&v) }
  }

  private mutating func videoSignalType<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("video_signal_type_present_flag", &videoSignalTypePresentFlag)
    guard videoSignalTypePresentFlag else { return }
    try v.u(3, "video_format", &videoFormat)
    try v.flag("video_full_range_flag", &videoFullRangeFlag)
    try v.flag("colour_description_present_flag", &colourDescriptionPresentFlag)
    guard colourDescriptionPresentFlag else { return }
    try v.u(8, "colour_primaries", &colourPrimaries)
    try v.u(8, "transfer_characteristics", &transferCharacteristics)
    try v.u(8, "matrix_coeffs", &matrixCoeffs)
  }
}
