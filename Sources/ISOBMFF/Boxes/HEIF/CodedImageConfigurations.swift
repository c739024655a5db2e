// SPDX-License-Identifier: MIT

public import ApusBytes

/// Mask configuration (`mskC`): ISO/IEC 23008-12, 6.10.2.2.
public struct MaskConfiguration: FullBox {
  public static let types: [FourCC] = ["mskC"]
  public var header = FullBoxHeader()
  public var bitsPerPixel: UInt8 = 8

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "bits_per_pixel", &bitsPerPixel)
  }
}

/// The data that precede those of JPEG items with shared tables (`jpgC`): ISO/IEC 23008-12, H.2.2.
public struct JPEGConfiguration: Box {
  public static let types: [FourCC] = ["jpgC"]
  public var prefix = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("JPEGprefix", &prefix, count: nil)
  }
}

/// JPEG 2000 header (`j2kH`): ISO/IEC 15444-16, 6.5. It holds boxes of the JP2 format.
public struct JPEG2000Header: ParentBox {
  public static let types: [FourCC] = ["j2kH"]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}

/// JPEG 2000 channel definition (`cdef`): ISO/IEC 15444-1, I.5.3.6.
public struct ChannelDefinition: Box {
  public static let types: [FourCC] = ["cdef"]
  public var channels: [Channel] = []

  /// The meaning of a channel.
  public struct Channel: SyntaxStructure {
    public var index: UInt16 = 0
    public var type: UInt16 = 0
    public var association: UInt16 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "Cn", &index)
      try v.u(16, "Typ", &type)
      try v.u(16, "Asoc", &association)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(16, "N", channels.count)
    try v.list("channels", &channels, count: count)
  }
}
