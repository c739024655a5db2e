// SPDX-License-Identifier: MIT

public import ApusBytes

/// Unused space (`free`, `skip`): ISO/IEC 14496-12, 8.1.2; QuickTime's `wide`, which reserves room for a 64-bit size,
/// has the same form.
public struct FreeSpace: Box {
  public static let types: [FourCC] = ["free", "skip", "wide"]
  public var data = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("data", &data, count: nil)
  }
}
