// SPDX-License-Identifier: MIT

public import ApusBytes

/// The layout of an uncompressed image's samples (`uncC`): ISO/IEC 23001-17, 5.3.
public struct UncompressedConfiguration: FullBox {
  public static let types: [FourCC] = ["uncC"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  /// The profile, which determines everything in version 1; may be 0 in version 0.
  public var profile = FourCC(0)
  public var components: [Component] = []
  public var samplingType: UInt8 = 0
  public var interleaveType: UInt8 = 0
  public var blockSize: UInt8 = 0
  public var componentsAreLittleEndian = false
  public var blocksPadLeastSignificant = false
  public var blocksAreLittleEndian = false
  public var blocksAreReversed = false
  public var paddingIsUnknown = false
  public var reserved: UInt8 = 0
  public var pixelSize: UInt32 = 0
  public var rowAlignSize: UInt32 = 0
  public var tileAlignSize: UInt32 = 0
  public var tileColumnsMinusOne: UInt32 = 0
  public var tileRowsMinusOne: UInt32 = 0

  /// The samples of a component.
  public struct Component: SyntaxStructure {
    /// The index in `cmpd`, from 0.
    public var index: UInt16 = 0
    public var bitDepthMinusOne: UInt8 = 0
    public var format: UInt8 = 0
    public var alignSize: UInt8 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "component_index", &index)
      try v.u(8, "component_bit_depth_minus_one", &bitDepthMinusOne)
      try v.u(8, "component_format", &format)
      try v.u(8, "component_align_size", &alignSize)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "profile", &profile)
    guard version == 0 else { return }
    let count = try v.count(32, "component_count", components.count)
    try v.list("components", &components, count: count)
    try v.u(8, "sampling_type", &samplingType)
    try v.u(8, "interleave_type", &interleaveType)
    try v.u(8, "block_size", &blockSize)
    try v.flag("components_little_endian", &componentsAreLittleEndian)
    try v.flag("block_pad_lsb", &blocksPadLeastSignificant)
    try v.flag("block_little_endian", &blocksAreLittleEndian)
    try v.flag("block_reversed", &blocksAreReversed)
    try v.flag("pad_unknown", &paddingIsUnknown)
    try v.u(3, "reserved", &reserved)
    try v.u(32, "pixel_size", &pixelSize)
    try v.u(32, "row_align_size", &rowAlignSize)
    try v.u(32, "tile_align_size", &tileAlignSize)
    try v.u(32, "num_tile_cols_minus_one", &tileColumnsMinusOne)
    try v.u(32, "num_tile_rows_minus_one", &tileRowsMinusOne)
  }
}

/// The components of an uncompressed image (`cmpd`): ISO/IEC 23001-17, 5.2.
public struct ComponentDefinition: Box {
  public static let types: [FourCC] = ["cmpd"]
  public var components: [Component] = []

  /// The type of a component.
  public struct Component: SyntaxStructure {
    public var type: UInt16 = 0
    /// The name of the type, for types from 0x8000.
    public var typeURI = Text()
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "component_type", &type)
      if type >= 0x8000 { try v.text("component_type_uri", &typeURI) }
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(32, "component_count", components.count)
    try v.list("components", &components, count: count)
  }
}
