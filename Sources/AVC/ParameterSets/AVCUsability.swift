// SPDX-License-Identifier: MIT

public import ApusBytes

/// Video usability information of H.264 (`vui_parameters`): ITU-T H.264, E.1.1.
public struct AVCUsability: SyntaxStructure, Hashable {
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
  public var matrixCoefficients: UInt8 = 2
  public var chromaLocInfoPresentFlag = false
  public var chromaSampleLocTypeTopField: UInt8 = 0
  public var chromaSampleLocTypeBottomField: UInt8 = 0
  public var buffering = AVCBuffering()
  /// Whether the fields that describe pictures were all read. The remaining ones describe buffering, and some encoders
  /// write them incorrectly.
  public private(set) var describesPictures = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("aspect_ratio_info_present_flag", &aspectRatioInfoPresentFlag)
    if aspectRatioInfoPresentFlag {
      try v.u(8, "aspect_ratio_idc", &aspectRatioIDC)
      if aspectRatioIDC == Self.extendedAspectRatio {
        try v.u(16, "sar_width", &sarWidth)
        try v.u(16, "sar_height", &sarHeight)
      }
    }
    try v.flag("overscan_info_present_flag", &overscanInfoPresentFlag)
    if overscanInfoPresentFlag { try v.flag("overscan_appropriate_flag", &overscanAppropriateFlag) }
    try v.flag("video_signal_type_present_flag", &videoSignalTypePresentFlag)
    if videoSignalTypePresentFlag {
      try v.u(3, "video_format", &videoFormat)
      try v.flag("video_full_range_flag", &videoFullRangeFlag)
      try v.flag("colour_description_present_flag", &colourDescriptionPresentFlag)
      if colourDescriptionPresentFlag {
        try v.u(8, "colour_primaries", &colourPrimaries)
        try v.u(8, "transfer_characteristics", &transferCharacteristics)
        try v.u(8, "matrix_coefficients", &matrixCoefficients)
      }
    }
    describesPictures = true
    try v.flag("chroma_loc_info_present_flag", &chromaLocInfoPresentFlag)
    if chromaLocInfoPresentFlag {
      try v.ue("chroma_sample_loc_type_top_field", &chromaSampleLocTypeTopField, in: 0...5)
      try v.ue("chroma_sample_loc_type_bottom_field", &chromaSampleLocTypeBottomField, in: 0...5)
    }
    try buffering.syntax(&v)
  }

  /// The `aspect_ratio_idc` that is followed by an explicit ratio.
  public static let extendedAspectRatio: UInt8 = 255
}
