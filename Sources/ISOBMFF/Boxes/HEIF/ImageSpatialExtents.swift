// SPDX-License-Identifier: MIT

public import ApusBytes

/// Image spatial extents (`ispe`): ISO/IEC 23008-12, 6.5.3.
public struct ImageSpatialExtents: FullBox {
  public static let types: [FourCC] = ["ispe"]
  public var header = FullBoxHeader()
  public var width: UInt32 = 0
  public var height: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "image_width", &width)
    try v.u(32, "image_height", &height)
  }
}
