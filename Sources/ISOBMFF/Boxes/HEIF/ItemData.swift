// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item data (`idat`): ISO/IEC 14496-12, 8.11.11.
public struct ItemData: Box {
  public static let types: [FourCC] = ["idat"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
