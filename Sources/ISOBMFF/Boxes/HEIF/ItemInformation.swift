// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item information (`iinf`): ISO/IEC 14496-12, 8.11.6. Its children are the entries.
public struct ItemInformation: FullBox, ParentBox {
  public static let types: [FourCC] = ["iinf"]
  /// The versions, including 2, which early conformance files have with the syntax of version 1.
  public static let versions: ClosedRange<UInt8> = 0...2
  public var header = FullBoxHeader()
  public var boxes: [Node] = []
  /// The number of boxes that are counted but absent.
  public var missingBoxes = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.framed(version == 0 ? 16 : 32, "entry_count", &boxes, missing: &missingBoxes)
  }
}
