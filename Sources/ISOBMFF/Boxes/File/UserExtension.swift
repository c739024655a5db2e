// SPDX-License-Identifier: MIT

public import ApusBytes

/// A box with a user-defined type (`uuid`): ISO/IEC 14496-12, 11.1. The 16 bytes of the type are in the node's header.
public struct UserExtension: Box {
  public static let types: [FourCC] = ["uuid"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
