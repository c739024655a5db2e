// SPDX-License-Identifier: MIT

public import ApusBytes

/// A box that holds nothing but boxes.
public struct Container: ParentBox {
  public static let types: [FourCC] = [
    "moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "mvex", "moof", "traf", "mfra",
    "meco", "iprp", "ipco", "sinf", "schi", "strk", "strd", "tapt",
    "rinf", "vexu", "cams", "cmfy", "proj", "pack", "sv3d",
  ]
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(&boxes, count: nil)
  }
}
