// SPDX-License-Identifier: MIT

public import ApusBytes

/// Camera intrinsic matrix (`cmin`): ISO/IEC 23008-12, 6.5.38.
public struct CameraIntrinsics: FullBox {
  public static let types: [FourCC] = ["cmin"]
  /// The version and flags; bits 8 to 12 and 16 to 20 of the flags hold the shifts of the denominators.
  public var header = FullBoxHeader()
  public var focalLengthX: Int32 = 0
  public var principalPointX: Int32 = 0
  public var principalPointY: Int32 = 0
  /// The vertical focal length, present where bit 0 of `flags` is set; otherwise `focalLengthX` applies.
  public var focalLengthY: Int32 = 0
  public var skewFactor: Int32 = 0

  public init() {}

  /// The power of 2 that divides the focal lengths and the principal point.
  public var denominatorShift: UInt32 { flags >> 8 & 0x1f }
  /// The power of 2 that divides the skew factor.
  public var skewDenominatorShift: UInt32 { flags >> 16 & 0x1f }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(32, "focal_length_x", &focalLengthX)
    try v.i(32, "principal_point_x", &principalPointX)
    try v.i(32, "principal_point_y", &principalPointY)
    if flags & 1 == 1 {
      try v.i(32, "focal_length_y", &focalLengthY)
      try v.i(32, "skew_factor", &skewFactor)
    }
  }
}

/// Camera extrinsic matrix (`cmex`): ISO/IEC 23008-12, 6.5.39. Values that the flags omit are zero.
public struct CameraExtrinsics: FullBox {
  public static let types: [FourCC] = ["cmex"]
  public var header = FullBoxHeader()
  /// The position on the x axis, in micrometres.
  public var positionX: Int32 = 0
  /// The position on the y axis, in micrometres.
  public var positionY: Int32 = 0
  /// The position on the z axis, in micrometres.
  public var positionZ: Int32 = 0
  public var quaternionX: Int32 = 0
  public var quaternionY: Int32 = 0
  public var quaternionZ: Int32 = 0
  /// The ID of the world coordinate system.
  public var id: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if flags & 0x1 != 0 { try v.i(32, "pos_x", &positionX) }
    if flags & 0x2 != 0 { try v.i(32, "pos_y", &positionY) }
    if flags & 0x4 != 0 { try v.i(32, "pos_z", &positionZ) }
    if flags & 0x8 != 0 {
      let bits = flags & 0x10 != 0 ? 32 : 16
      try v.i(bits, "quat_x", &quaternionX)
      try v.i(bits, "quat_y", &quaternionY)
      try v.i(bits, "quat_z", &quaternionZ)
    }
    if flags & 0x20 != 0 { try v.u(32, "id", &id) }
  }
}
