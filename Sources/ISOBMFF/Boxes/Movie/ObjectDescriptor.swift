// SPDX-License-Identifier: MIT

public import Bytes

/// Initial object descriptor (`iods`): ISO/IEC 14496-14, 5.1.
public struct ObjectDescriptor: FullBox {
  public static let types: [FourCC] = ["iods"]
  public var header = FullBoxHeader()
  public var descriptor = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("OD", &descriptor, count: nil)
  }
}
