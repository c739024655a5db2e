// SPDX-License-Identifier: MIT

public import ApusBytes

/// A complete picture in one box (`mini`): ISO/IEC 23008-12:2022/Amd 2, O.3. It is equivalent to a `meta` box with at
/// most a colour, an alpha and a gain map item and their metadata.
public struct MinimizedImage: Box {
  public static let types: [FourCC] = ["mini"]
  public var version: UInt8 = 0
  public var hasExplicitCodecTypes = false
  public var isFloat = false
  public var isFullRange = false
  public var hasAlpha = false
  public var hasExplicitCICP = false
  public var hasHDR = false
  public var hasICC = false
  public var hasExif = false
  public var hasXMP = false
  /// The chroma subsampling: 0 for no chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  public var chromaSubsampling: UInt8 = 1
  /// The orientation, numbered as in Exif, less 1.
  public var orientationMinus1: UInt8 = 0
  public var hasLargeDimensions = false
  public var widthMinus1: UInt16 = 0
  public var heightMinus1: UInt16 = 0
  public var format = SampleFormat()
  public var alphaIsPremultiplied = false
  public var colourPrimaries: UInt8 = 1
  public var transferCharacteristics: UInt8 = 13
  public var matrixCoefficients: UInt8 = 6
  /// The type of the item; if the box has no explicit codec types, it follows from the minor version of `ftyp`.
  public var itemType: FourCC = "hvc1"
  public var codecConfigurationType: FourCC = "hvcC"
  public var hdr = HDR()
  public var chunks = Chunks()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "version", &version)
    guard version == 0 else {
      throw v.failure(.unsupported, "version", "is \(version), known is 0")
    }
    try v.flag("explicit_codec_types_flag", &hasExplicitCodecTypes)
    try v.flag("float_flag", &isFloat)
    try v.flag("full_range_flag", &isFullRange)
    try v.flag("alpha_flag", &hasAlpha)
    try v.flag("explicit_cicp_flag", &hasExplicitCICP)
    try v.flag("hdr_flag", &hasHDR)
    try v.flag("icc_flag", &hasICC)
    try v.flag("exif_flag", &hasExif)
    try v.flag("xmp_flag", &hasXMP)
    try v.u(2, "chroma_subsampling", &chromaSubsampling)
    try v.u(3, "orientation_minus1", &orientationMinus1)
    try v.flag("large_dimensions_flag", &hasLargeDimensions)
    try v.u(hasLargeDimensions ? 15 : 7, "width_minus1", &widthMinus1)
    try v.u(hasLargeDimensions ? 15 : 7, "height_minus1", &heightMinus1)
    try format.position(&v, chromaSubsampling)
    try format.depth(&v, isFloat: isFloat)
    if hasAlpha { try v.flag("alpha_is_premultiplied", &alphaIsPremultiplied) }
    if hasExplicitCICP {
      try v.u(8, "colour_primaries", &colourPrimaries)
      try v.u(8, "transfer_characteristics", &transferCharacteristics)
      if chromaSubsampling != 0 { try v.u(8, "matrix_coefficients", &matrixCoefficients) }
    }
    if hasExplicitCodecTypes {
      try v.u(32, "infe_type", &itemType)
      try v.u(32, "codec_config_type", &codecConfigurationType)
    }
    if hasHDR { try hdr.syntax(&v, hasLargeDimensions: hasLargeDimensions) }
    try chunks.syntax(&v, of: self)
  }

  /// The position of chroma samples and the bit depth of all samples.
  public struct SampleFormat: Sendable {
    public var chromaIsHorizontallyCentred = false
    public var chromaIsVerticallyCentred = false
    public var bitDepthLog2Minus4: UInt8 = 0
    public var hasHighBitDepth = false
    public var bitDepthMinus9: UInt8 = 0
    public init() {}

    fileprivate mutating func position<V: SyntaxVisitor>(
      _ v: inout V, _ chromaSubsampling: UInt8, _ names: Names = .main
    ) throws(SyntaxError) {
      if chromaSubsampling == 1 || chromaSubsampling == 2 {
        try v.flag(names.horizontallyCentred, &chromaIsHorizontallyCentred)
      }
      if chromaSubsampling == 1 {
        try v.flag(names.verticallyCentred, &chromaIsVerticallyCentred)
      }
    }

    fileprivate mutating func depth<V: SyntaxVisitor>(
      _ v: inout V, isFloat: Bool, _ names: Names = .main
    ) throws(SyntaxError) {
      if isFloat {
        try v.u(2, names.bitDepthLog2Minus4, &bitDepthLog2Minus4)
      } else {
        try v.flag(names.highBitDepth, &hasHighBitDepth)
        if hasHighBitDepth { try v.u(3, names.bitDepthMinus9, &bitDepthMinus9) }
      }
    }

    /// The standard's names of the fields, which appear twice in the box.
    fileprivate struct Names {
      var horizontallyCentred: StaticString = "chroma_is_horizontally_centered"
      var verticallyCentred: StaticString = "chroma_is_vertically_centered"
      var bitDepthLog2Minus4: StaticString = "bit_depth_log2_minus4"
      var highBitDepth: StaticString = "high_bit_depth_flag"
      var bitDepthMinus9: StaticString = "bit_depth_minus9"

      static let main = Names()
      static let gainMap = Names(
        horizontallyCentred: "gainmap_chroma_is_horizontally_centered",
        verticallyCentred: "gainmap_chroma_is_vertically_centered",
        bitDepthLog2Minus4: "gainmap_bit_depth_log2_minus4",
        highBitDepth: "gainmap_high_bit_depth_flag", bitDepthMinus9: "gainmap_bit_depth_minus9")
    }
  }

  /// The picture of a gain map, and the colour that results from applying it.
  public struct GainMap: Sendable {
    public var hasMainDimensions = false
    public var widthMinus1: UInt16 = 0
    public var heightMinus1: UInt16 = 0
    public var matrixCoefficients: UInt8 = 0
    public var isFullRange = false
    public var chromaSubsampling: UInt8 = 0
    public var isFloat = false
    public var format = SampleFormat()
    public var hasToneMapICC = false
    public var hasToneMapCICP = false
    public var toneMapColourPrimaries: UInt8 = 1
    public var toneMapTransferCharacteristics: UInt8 = 13
    public var toneMapMatrixCoefficients: UInt8 = 6
    public var toneMapIsFullRange = true
    public init() {}

    fileprivate mutating func syntax<V: SyntaxVisitor>(_ v: inout V, hasLargeDimensions: Bool)
      throws(SyntaxError)
    {
      try v.flag("gainmap_dimension_same_as_main_item_flag", &hasMainDimensions)
      if !hasMainDimensions {
        try v.u(hasLargeDimensions ? 15 : 7, "gainmap_width_minus1", &widthMinus1)
        try v.u(hasLargeDimensions ? 15 : 7, "gainmap_height_minus1", &heightMinus1)
      }
      try v.u(8, "gainmap_matrix_coefficients", &matrixCoefficients)
      try v.flag("gainmap_full_range_flag", &isFullRange)
      try v.u(2, "gainmap_chroma_subsampling", &chromaSubsampling)
      try format.position(&v, chromaSubsampling, .gainMap)
      try v.flag("gainmap_float_flag", &isFloat)
      try format.depth(&v, isFloat: isFloat, .gainMap)
      try v.flag("tmap_icc_flag", &hasToneMapICC)
      try v.flag("tmap_explicit_cicp_flag", &hasToneMapCICP)
      if hasToneMapCICP {
        try v.u(8, "tmap_colour_primaries", &toneMapColourPrimaries)
        try v.u(8, "tmap_transfer_characteristics", &toneMapTransferCharacteristics)
        try v.u(8, "tmap_matrix_coefficients", &toneMapMatrixCoefficients)
        try v.flag("tmap_full_range_flag", &toneMapIsFullRange)
      }
    }
  }

  /// The additional data of a picture with high dynamic range.
  public struct HDR: Sendable {
    public var hasGainMap = false
    public var gainMap = GainMap()
    public var properties = HDRProperties()
    public var toneMapProperties = HDRProperties()
    public init() {}

    fileprivate mutating func syntax<V: SyntaxVisitor>(_ v: inout V, hasLargeDimensions: Bool)
      throws(SyntaxError)
    {
      try v.flag("gainmap_flag", &hasGainMap)
      if hasGainMap {
        try v.group("gainmap") { v throws(SyntaxError) in
          try gainMap.syntax(&v, hasLargeDimensions: hasLargeDimensions)
        }
      }
      try v.group("hdr", &properties)
      if hasGainMap { try v.group("tmap_hdr", &toneMapProperties) }
    }
  }
}
