// SPDX-License-Identifier: MIT

public import ApusBytes

extension MinimizedImage {
  /// The parts and their sizes.
  public struct Chunks: Sendable {
    public var hasLargeMetadata = false
    public var hasLargeCodecConfigurations = false
    public var hasLargeItemData = false
    public var exifAndXMPAreCompressed = false
    /// The bits up to the next byte boundary.
    public var trailingBits: UInt8 = 0
    public var mainConfiguration = Extent()
    /// The configuration of alpha; empty if it is that of the main item. The same holds for the gain map.
    public var alphaConfiguration = Extent()
    public var gainMapConfiguration = Extent()
    public var icc = Extent()
    public var toneMapICC = Extent()
    public var gainMapMetadata = Extent()
    public var alphaData = Extent()
    public var gainMapData = Extent()
    public var mainData = Extent()
    public var exif = Extent()
    public var xmp = Extent()
    public init() {}
  }
}

extension MinimizedImage.Chunks {
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, of image: MinimizedImage)
    throws(SyntaxError)
  {
    let hasGainMap = image.hasHDR && image.hdr.hasGainMap
    let hasToneMapICC = hasGainMap && image.hdr.gainMap.hasToneMapICC
    if image.hasICC || image.hasExif || image.hasXMP || hasGainMap {
      try v.flag("large_metadata_flag", &hasLargeMetadata)
    }
    try v.flag("large_codec_config_flag", &hasLargeCodecConfigurations)
    try v.flag("large_item_data_flag", &hasLargeItemData)
    let metadataBits = hasLargeMetadata ? 20 : 10
    let configurationBits = hasLargeCodecConfigurations ? 12 : 3
    let dataBits = hasLargeItemData ? 28 : 15

    let iccSize =
      image.hasICC ? try v.countMinus1(metadataBits, "icc_data_size_minus1", icc.count) : 0
    let toneMapICCSize =
      hasToneMapICC
      ? try v.countMinus1(metadataBits, "tmap_icc_data_size_minus1", toneMapICC.count) : 0
    let gainMapMetadataSize =
      hasGainMap ? try v.count(metadataBits, "gainmap_metadata_size", gainMapMetadata.count) : 0
    let gainMapSize =
      hasGainMap ? try v.count(dataBits, "gainmap_item_data_size", gainMapData.count) : 0
    let gainMapConfigurationSize =
      gainMapSize > 0
      ? try v.count(
        configurationBits, "gainmap_item_codec_config_size", gainMapConfiguration.count) : 0
    let configurationSize = try v.count(
      configurationBits, "main_item_codec_config_size", mainConfiguration.count)
    let mainSize = try v.countMinus1(dataBits, "main_item_data_size_minus1", mainData.count)
    let alphaSize =
      image.hasAlpha ? try v.count(dataBits, "alpha_item_data_size", alphaData.count) : 0
    let alphaConfigurationSize =
      alphaSize > 0
      ? try v.count(configurationBits, "alpha_item_codec_config_size", alphaConfiguration.count) : 0
    if image.hasExif || image.hasXMP {
      try v.flag("exif_xmp_compressed_flag", &exifAndXMPAreCompressed)
    }
    let exifSize =
      image.hasExif ? try v.countMinus1(metadataBits, "exif_data_size_minus1", exif.count) : 0
    let xmpSize =
      image.hasXMP ? try v.countMinus1(metadataBits, "xmp_data_size_minus1", xmp.count) : 0
    if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "trailing_bits", &trailingBits) }

    try v.chunk("main_item_codec_config", &mainConfiguration, configurationSize)
    try v.chunk("alpha_item_codec_config", &alphaConfiguration, alphaConfigurationSize)
    try v.chunk("gainmap_item_codec_config", &gainMapConfiguration, gainMapConfigurationSize)
    try v.chunk("icc_data", &icc, iccSize)
    try v.chunk("tmap_icc_data", &toneMapICC, toneMapICCSize)
    try v.chunk("gainmap_metadata", &gainMapMetadata, gainMapMetadataSize)
    try v.chunk("alpha_item_data", &alphaData, alphaSize)
    try v.chunk("gainmap_item_data", &gainMapData, gainMapSize)
    try v.chunk("main_item_data", &mainData, mainSize)
    try v.chunk("exif_data", &exif, exifSize)
    try v.chunk("xmp_data", &xmp, xmpSize)
  }
}

extension SyntaxVisitor {
  fileprivate mutating func countMinus1(_ bits: Int, _ name: StaticString, _ count: Int)
    throws(SyntaxError) -> Int
  {
    try self.count(bits, name, max(count, 1) - 1) + 1
  }

  /// Visits a part, which is absent if its size is 0.
  fileprivate mutating func chunk(_ name: StaticString, _ extent: inout Extent, _ size: Int)
    throws(SyntaxError)
  {
    if size > 0 { try self.extent(name, &extent, count: size) }
  }
}
