// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sizes of a track as a picture: clean aperture (`clef`), production aperture (`prof`) and encoded pixels
/// (`enof`), in `tapt`: QuickTime File Format.
public struct TrackApertureDimensions: FullBox {
  public static let types: [FourCC] = ["clef", "prof", "enof"]
  public var header = FullBoxHeader()
  /// The width in 16.16 fixed point.
  public var width: UInt32 = 0
  public var height: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "width", &width, as: .fixed(16))
    try v.u(32, "height", &height, as: .fixed(16))
  }
}

/// Track load settings (`load`): QuickTime File Format.
public struct TrackLoadSettings: Box {
  public static let types: [FourCC] = ["load"]
  public var preloadStartTime: UInt32 = 0
  public var preloadDuration: UInt32 = 0
  public var preloadFlags: UInt32 = 0
  public var defaultHints: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "preload_start_time", &preloadStartTime)
    try v.u(32, "preload_duration", &preloadDuration)
    try v.u(32, "preload_flags", &preloadFlags)
    try v.u(32, "default_hints", &defaultHints, as: .hex)
  }
}

/// Color table (`ctab`): QuickTime File Format.
public struct ColorTable: Box {
  public static let types: [FourCC] = ["ctab"]
  public var seed: UInt32 = 0
  public var flags: UInt16 = 0x8000
  /// The number of colors minus one.
  public var size: UInt16 = 0
  public var colors = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "color_table_seed", &seed)
    try v.u(16, "color_table_flags", &flags, as: .hex)
    try v.u(16, "color_table_size", &size)
    try v.table(
      "color_array", &colors,
      columns: [.init("index", 16), .init("red", 16), .init("green", 16), .init("blue", 16)],
      count: Int(size) + 1)
  }
}

/// Profile (`prfl`): QuickTime File Format.
public struct Profile: FullBox {
  public static let types: [FourCC] = ["prfl"]
  public var header = FullBoxHeader()
  public var features: [Feature] = []

  /// A feature that a part of the movie has, with its value.
  public struct Feature: Blank, Hashable, Sendable {
    public var reserved: UInt32 = 0
    public var partID = FourCC()
    public var code = FourCC()
    public var value: UInt32 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "feature_count", features.count)
    try v.list("features", &features, count: count) { feature, v throws(SyntaxError) in
      try v.u(32, "reserved", &feature.reserved)
      try v.u(32, "part_ID", &feature.partID)
      try v.u(32, "feature_code", &feature.code)
      try v.u(32, "feature_value", &feature.value)
    }
  }
}
