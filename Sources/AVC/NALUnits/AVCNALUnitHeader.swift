// SPDX-License-Identifier: MIT

public import ApusBytes

/// The first byte of an H.264 NAL unit: ITU-T H.264, 7.3.1.
public struct AVCNALUnitHeader: SyntaxStructure, Hashable {
  public var forbiddenZeroBit = false
  public var nalRefIDC: UInt8 = 0
  public var nalUnitType = AVCNALUnitType.sps

  public init() {}

  /// Reads the first byte; `nil` if there is none.
  public init?(of unit: some Collection<UInt8>) {
    guard let first = unit.first else { return nil }
    self.init(first)
  }

  /// Creates a header from its byte.
  public init(_ first: UInt8) {
    forbiddenZeroBit = first >> 7 == 1
    nalRefIDC = (first >> 5) & 3
    nalUnitType = AVCNALUnitType(firstByte: first)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("forbidden_zero_bit", &forbiddenZeroBit)
    try v.u(2, "nal_ref_idc", &nalRefIDC)
    try v.u(5, "nal_unit_type", &nalUnitType)
  }
}
