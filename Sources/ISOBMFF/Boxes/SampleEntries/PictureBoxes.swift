// SPDX-License-Identifier: MIT

public import ApusBytes

/// Pixel aspect ratio (`pasp`): ISO/IEC 14496-12, 12.1.4.
public struct PixelAspectRatio: Box {
  public static let types: [FourCC] = ["pasp"]
  public var hSpacing: UInt32 = 1
  public var vSpacing: UInt32 = 1

  /// Whether the width of samples equals their height.
  public var isSquare: Bool { hSpacing == vSpacing }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "hSpacing", &hSpacing)
    try v.u(32, "vSpacing", &vSpacing)
  }
}

/// Clean aperture (`clap`): ISO/IEC 14496-12, 12.1.4. The offsets are those of its centre.
public struct CleanAperture: Box {
  public static let types: [FourCC] = ["clap"]
  public var widthN: UInt32 = 0
  public var widthD: UInt32 = 1
  public var heightN: UInt32 = 0
  public var heightD: UInt32 = 1
  public var horizontalOffsetN: Int32 = 0
  public var horizontalOffsetD: UInt32 = 1
  public var verticalOffsetN: Int32 = 0
  public var verticalOffsetD: UInt32 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "cleanApertureWidthN", &widthN)
    try v.u(32, "cleanApertureWidthD", &widthD)
    try v.u(32, "cleanApertureHeightN", &heightN)
    try v.u(32, "cleanApertureHeightD", &heightD)
    try v.i(32, "horizOffN", &horizontalOffsetN)
    try v.u(32, "horizOffD", &horizontalOffsetD)
    try v.i(32, "vertOffN", &verticalOffsetN)
    try v.u(32, "vertOffD", &verticalOffsetD)
  }
}

/// Fields of interlaced pictures and their order (`fiel`): QuickTime File Format, Video Media.
public struct FieldHandling: Box {
  public static let types: [FourCC] = ["fiel"]
  public var fieldCount: UInt8 = 1
  public var fieldOrder: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "field_count", &fieldCount)
    try v.u(8, "field_order", &fieldOrder)
  }
}

/// The location of chroma samples (`chrm`), as Apple writes it: `chroma_sample_loc_type` of each field.
public struct ChromaLocation: Box {
  public static let types: [FourCC] = ["chrm"]
  public var topField: UInt8 = 0
  public var bottomField: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "chroma_location_top_field", &topField)
    try v.u(8, "chroma_location_bottom_field", &bottomField)
  }
}

/// Gamma (`gama`): QuickTime File Format, Video Media.
public struct Gamma: Box {
  public static let types: [FourCC] = ["gama"]
  public var level: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "gamma", &level, as: .fixed(16))
  }
}

/// The references allowed between pictures of an image sequence (`ccst`): ISO/IEC 23008-12, 7.2.3.
public struct CodingConstraints: FullBox {
  public static let types: [FourCC] = ["ccst"]
  public var header = FullBoxHeader()
  public var allReferencePicturesIntra = false
  public var intraPredUsed = false
  public var maxReferencesPerPicture: UInt8 = 0
  public var reserved: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("all_ref_pics_intra", &allReferencePicturesIntra)
    try v.flag("intra_pred_used", &intraPredUsed)
    try v.u(4, "max_ref_per_pic", &maxReferencesPerPicture)
    try v.u(26, "reserved", &reserved)
  }
}

/// The purpose of an auxiliary track's pictures (`auxi`): ISO/IEC 23008-12, 7.5.3.
public struct AuxiliaryTypeInformation: FullBox {
  public static let types: [FourCC] = ["auxi"]
  public var header = FullBoxHeader()
  public var auxTrackType = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("aux_track_type", &auxTrackType)
  }
}

/// Buffer size and bit rates (`btrt`): ISO/IEC 14496-12, 8.5.2.2.
public struct BitRate: Box {
  public static let types: [FourCC] = ["btrt"]
  /// The size of the decoding buffer, in bytes.
  public var bufferSizeDB: UInt32 = 0
  /// The highest bit rate in any window of one second, in bits per second.
  public var maxBitrate: UInt32 = 0
  /// The average bit rate, in bits per second.
  public var averageBitrate: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "bufferSizeDB", &bufferSizeDB)
    try v.u(32, "maxBitrate", &maxBitrate)
    try v.u(32, "avgBitrate", &averageBitrate)
  }
}
