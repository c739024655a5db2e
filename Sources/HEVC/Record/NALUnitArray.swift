// SPDX-License-Identifier: MIT

public import ApusBytes

/// The parameter sets or SEI messages of one NAL unit type in a configuration record: ISO/IEC 14496-15,
/// 8.3.2.1.
public struct NALUnitArray: SyntaxStructure, Equatable {
  public var arrayCompleteness = false
  public var reserved = false
  public var nalUnitType: UInt8 = 0
  /// The NAL units with their two-byte headers and emulation prevention bytes.
  public var nalUnits: [[UInt8]] = []

  public init() {}

  @inlinable
  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(1, "array_completeness", &arrayCompleteness)
    try v.u(1, "reserved", &reserved)
    try v.u(6, "NAL_unit_type", &nalUnitType)
    let count = try v.count(16, "numNalus", nalUnits.count)
    try v.list("nalus", &nalUnits, count: count) { nalUnit, v throws(SyntaxError) in
      let length = try v.count(16, "nalUnitLength", nalUnit.count)
      try v.bytes("nalUnit", &nalUnit, count: length)
    }
  }
}
