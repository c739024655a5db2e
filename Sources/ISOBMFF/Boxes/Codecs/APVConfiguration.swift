// SPDX-License-Identifier: MIT

public import ApusBytes

/// APV decoder configuration (`apvC`): ISOBMFF binding for APV.
public struct APVConfiguration: FullBox {
  public static let types: [FourCC] = ["apvC"]
  public var header = FullBoxHeader()
  public var configurationVersion: UInt8 = 1
  public var entries: [Entry] = []

  /// The frames of one type.
  public struct Entry: SyntaxStructure, Hashable {
    /// The type of the primitive bitstream units: 1 for primary frames.
    public var pbuType: UInt8 = 1
    public var frames: [APVFrameInformation] = []

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "pbu_type", &pbuType)
      let count = try v.count(8, "number_of_frame_info", frames.count)
      try v.list("frame_info", &frames, count: count)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "configurationVersion", &configurationVersion)
    let count = try v.count(8, "number_of_configuration_entry", entries.count)
    try v.list("configuration_entry", &entries, count: count)
  }

  /// The information about the primary frames, or those of the first entry.
  public var primary: APVFrameInformation? {
    (entries.first { $0.pbuType == 1 } ?? entries.first)?.frames.first
  }
}

/// The properties of some frames of APV: ISOBMFF binding for APV.
public struct APVFrameInformation: SyntaxStructure, Hashable {
  public var reserved: UInt8 = 0
  public var hasColourDescription = false
  public var captureTimeDistanceIgnored = true
  public var profileIDC: UInt8 = 33
  public var levelIDC: UInt8 = 0
  public var bandIDC: UInt8 = 0
  public var frameWidth: UInt32 = 0
  public var frameHeight: UInt32 = 0
  /// The sampling: 0 for 4:0:0, 2 for 4:2:2, 3 for 4:4:4, 4 for four components.
  public var chromaFormatIDC: UInt8 = 2
  public var bitDepthMinus8: UInt8 = 2
  public var captureTimeDistance: UInt8 = 0
  public var colourPrimaries: UInt8 = 2
  public var transferCharacteristics: UInt8 = 2
  public var matrixCoefficients: UInt8 = 2
  public var fullRange = false
  public var reserved2: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(6, "reserved", &reserved)
    try v.flag("color_description_present_flag", &hasColourDescription)
    try v.flag("capture_time_distance_ignored", &captureTimeDistanceIgnored)
    try v.u(8, "profile_idc", &profileIDC)
    try v.u(8, "level_idc", &levelIDC)
    try v.u(8, "band_idc", &bandIDC)
    try v.u(32, "frame_width", &frameWidth)
    try v.u(32, "frame_height", &frameHeight)
    try v.u(4, "chroma_format_idc", &chromaFormatIDC)
    try v.u(4, "bit_depth_minus8", &bitDepthMinus8)
    try v.u(8, "capture_time_distance", &captureTimeDistance)
    guard hasColourDescription else { return }
    try v.u(8, "color_primaries", &colourPrimaries)
    try v.u(8, "transfer_characteristics", &transferCharacteristics)
    try v.u(8, "matrix_coefficients", &matrixCoefficients)
    try v.flag("full_range_flag", &fullRange)
    try v.u(7, "reserved", &reserved2)
  }
}
