// SPDX-License-Identifier: MIT

public import ApusBytes

/// The properties of the views for both eyes (`eyes`): Apple ISOBMFF Extensions, StereoViewInformationBox.
public struct StereoEyes: ParentBox {
  public static let types: [FourCC] = ["eyes"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }

  /// Returns the meaning of a child's type. Elsewhere a `stri` describes a sub track.
  public static func childType(_ type: FourCC, in parent: SyntaxReader.Step) -> ChildType {
    type == "stri" ? .box(StereoView.self) : .registered
  }
}

/// The eyes that have a view (`stri` in `eyes`): Apple ISOBMFF Extensions, StereoViewBox.
public struct StereoView: FullBox {
  public static let types: [FourCC] = ["stri"]
  public var header = FullBoxHeader()
  public var reserved: UInt8 = 0
  public var eyeViewsReversed = false
  public var hasAdditionalViews = false
  public var hasRightEyeView = false
  public var hasLeftEyeView = false

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "reserved", &reserved)
    try v.flag("eye_views_reversed", &eyeViewsReversed)
    try v.flag("has_additional_views", &hasAdditionalViews)
    try v.flag("has_right_eye_view", &hasRightEyeView)
    try v.flag("has_left_eye_view", &hasLeftEyeView)
  }
}

/// The eye to show if only one is shown (`hero`): Apple ISOBMFF Extensions, HeroStereoEyeDescriptionBox.
public struct HeroStereoEye: FullBox {
  public static let types: [FourCC] = ["hero"]
  public var header = FullBoxHeader()
  /// The eye: 0 none, 1 left, 2 right.
  public var indicator: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "hero_eye_indicator", &indicator)
  }
}

/// The distance between the cameras (`blin` in `cams`): Apple ISOBMFF Extensions, StereoBaselineBox.
public struct StereoBaseline: FullBox {
  public static let types: [FourCC] = ["blin"]
  public var header = FullBoxHeader()
  /// The distance between the cameras, in micrometres.
  public var baseline: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "baseline_value", &baseline)
  }
}

/// The shift of the views relative to each other (`dadj` in `cmfy`): Apple ISOBMFF Extensions,
/// StereoComfortDisparityAdjustmentBox.
public struct StereoDisparityAdjustment: FullBox {
  public static let types: [FourCC] = ["dadj"]
  public var header = FullBoxHeader()
  /// The shift of the views, in ten-thousandths of the picture's width, positive towards each other.
  public var adjustment: Int32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.i(32, "disparity_adjustment", &adjustment)
  }
}

/// Boxes that a player must understand (`must`): Apple ISOBMFF Extensions, RequiredBoxTypesBox.
public struct RequiredBoxTypes: FullBox {
  public static let types: [FourCC] = ["must"]
  public var header = FullBoxHeader()
  public var requiredTypes: [FourCC] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.values(32, "required_box_types", &requiredTypes, count: nil)
  }
}

/// The projection of pictures (`prji` in `proj`): Apple ISOBMFF Extensions, ProjectionInformationBox.
public struct ProjectionInformation: FullBox {
  public static let types: [FourCC] = ["prji"]
  public var header = FullBoxHeader()
  /// The kind of projection: `rect`, `equi`, `hequ`, `fish`, `prim` …
  public var kind: FourCC = "rect"

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "projection_kind", &kind)
  }
}

/// The packing of both views in a picture (`pkin` in `pack`): Apple ISOBMFF Extensions, ViewPackingInformationBox.
public struct ViewPackingInformation: FullBox {
  public static let types: [FourCC] = ["pkin"]
  public var header = FullBoxHeader()
  /// The kind of packing: `side` or `over`.
  public var kind: FourCC = "side"

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "view_packing_kind", &kind)
  }
}

/// Horizontal field of view (`hfov`): Apple ISOBMFF Extensions, HorizontalFieldOfViewBox.
public struct HorizontalFieldOfView: Box {
  public static let types: [FourCC] = ["hfov"]
  /// The horizontal field of view, in thousandths of a degree.
  public var fieldOfView: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "field_of_view", &fieldOfView)
  }
}
