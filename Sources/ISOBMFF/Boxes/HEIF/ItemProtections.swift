// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item protections (`ipro`): ISO/IEC 14496-12, 8.11.5. Items refer to its children by number.
public struct ItemProtections: FullBox, ParentBox {
  public static let types: [FourCC] = ["ipro"]
  public var header = FullBoxHeader()
  public var boxes: [Node] = []
  /// The number of boxes that are counted but absent.
  public var missingBoxes = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(16, "protection_count", &boxes, missing: &missingBoxes)
  }
}
