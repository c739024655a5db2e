// SPDX-License-Identifier: MIT

public import ApusBytes

/// Primary item (`pitm`): ISO/IEC 14496-12, 8.11.4.
public struct PrimaryItem: FullBox {
  public static let types: [FourCC] = ["pitm"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var itemID: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(version == 0 ? 16 : 32, "item_ID", &itemID)
  }
}
