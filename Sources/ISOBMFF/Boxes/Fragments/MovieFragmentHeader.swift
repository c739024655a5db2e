// SPDX-License-Identifier: MIT

public import ApusBytes

/// Movie fragment header (`mfhd`): ISO/IEC 14496-12, 8.8.5.
public struct MovieFragmentHeader: FullBox {
  public static let types: [FourCC] = ["mfhd"]
  public var header = FullBoxHeader()
  public var sequenceNumber: UInt32 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sequence_number", &sequenceNumber)
  }
}
