// SPDX-License-Identifier: MIT

public import ApusBytes

/// The layout of both views in a picture (`st3d`): Spherical Video V2 RFC, Stereoscopic 3D Video Box.
public struct StereoscopicMode: FullBox {
  public static let types: [FourCC] = ["st3d"]
  public var header = FullBoxHeader()
  /// The stereo mode: 0 monoscopic, 1 top-bottom, 2 left-right, 3 custom, 4 right-left.
  public var mode: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "stereo_mode", &mode)
  }
}

/// The program that wrote the spherical metadata (`svhd` in `sv3d`): Spherical Video V2 RFC.
public struct SphericalVideoHeader: FullBox {
  public static let types: [FourCC] = ["svhd"]
  public var header = FullBoxHeader()
  public var metadataSource = Text()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("metadata_source", &metadataSource)
  }
}

/// The direction in which the viewer looks first (`prhd` in `proj`): Spherical Video V2 RFC.
public struct ProjectionHeader: FullBox {
  public static let types: [FourCC] = ["prhd"]
  public var header = FullBoxHeader()
  /// The yaw in degrees, in 16.16 fixed point.
  public var poseYaw: Int32 = 0
  public var posePitch: Int32 = 0
  public var poseRoll: Int32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(32, "pose_yaw_degrees", &poseYaw, as: .signedFixed(16))
    try v.i(32, "pose_pitch_degrees", &posePitch, as: .signedFixed(16))
    try v.i(32, "pose_roll_degrees", &poseRoll, as: .signedFixed(16))
  }
}

/// The cropping of a full sphere (`equi` in `proj`): Spherical Video V2 RFC.
public struct EquirectangularProjection: FullBox {
  public static let types: [FourCC] = ["equi"]
  public var header = FullBoxHeader()
  /// The part cropped at the top, as a fraction of the picture in 0.32 fixed point.
  public var top: UInt32 = 0
  public var bottom: UInt32 = 0
  public var left: UInt32 = 0
  public var right: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "projection_bounds_top", &top, as: .fixed(32))
    try v.u(32, "projection_bounds_bottom", &bottom, as: .fixed(32))
    try v.u(32, "projection_bounds_left", &left, as: .fixed(32))
    try v.u(32, "projection_bounds_right", &right, as: .fixed(32))
  }
}

/// The layout of a cube's faces (`cbmp` in `proj`): Spherical Video V2 RFC.
public struct CubemapProjection: FullBox {
  public static let types: [FourCC] = ["cbmp"]
  public var header = FullBoxHeader()
  public var layout: UInt32 = 0
  /// The number of pixels at the edges of each face.
  public var padding: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "layout", &layout)
    try v.u(32, "padding", &padding)
  }
}
