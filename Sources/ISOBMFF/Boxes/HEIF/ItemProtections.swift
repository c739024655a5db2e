// SPDX-License-Identifier: MIT

public import Bytes

/// Item protections (`ipro`): ISO/IEC 14496-12, 8.11.5. Items point at its children by number.
public struct ItemProtections: FullBox, ParentBox {
  public static let types: [FourCC] = ["ipro"]
  public var header = FullBoxHeader()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(16, "protection_count", boxes.count)
    try v.framed(&boxes, count: count)
  }
}
