// SPDX-License-Identifier: MIT

public import ApusBytes

/// VVC decoder configuration (`vvcC`): ISO/IEC 14496-15, 11.2.4.2.
public struct VVCConfiguration: FullBox {
  public static let types: [FourCC] = ["vvcC"]
  public var header = FullBoxHeader()
  public var reserved: UInt8 = 0b11111
  public var lengthSizeMinusOne: UInt8 = 3
  public var hasProfile = false
  public var olsIndex: UInt16 = 0
  public var sublayerCount: UInt8 = 1
  public var constantFrameRate: UInt8 = 0
  public var chromaFormatIDC: UInt8 = 1
  public var bitDepthMinus8: UInt8 = 0
  public var reserved2: UInt8 = 0b11111
  public var profile = VVCProfile()
  public var maxPictureWidth: UInt16 = 0
  public var maxPictureHeight: UInt16 = 0
  public var averageFrameRate: UInt16 = 0
  private var units = ConfigurationUnits<VVCArrays>()
  /// The number of the arrays of NAL units, and the arrays.
  public var arrays: Extent {
    get { units.bytes }
    set { units = ConfigurationUnits(newValue) }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "reserved", &reserved)
    try v.u(2, "LengthSizeMinusOne", &lengthSizeMinusOne)
    try v.flag("ptl_present_flag", &hasProfile)
    if hasProfile {
      try v.u(9, "ols_idx", &olsIndex)
      try v.u(3, "num_sublayers", &sublayerCount)
      try v.u(2, "constant_frame_rate", &constantFrameRate)
      try v.u(2, "chroma_format_idc", &chromaFormatIDC)
      try v.u(3, "bit_depth_minus8", &bitDepthMinus8)
      try v.u(5, "reserved", &reserved2)
      try profile.syntax(&v, sublayers: Int(sublayerCount))
      try v.u(16, "max_picture_width", &maxPictureWidth)
      try v.u(16, "max_picture_height", &maxPictureHeight)
      try v.u(16, "avg_frame_rate", &averageFrameRate)
    }
    try units.syntax(&v, "arrays")
  }
}
