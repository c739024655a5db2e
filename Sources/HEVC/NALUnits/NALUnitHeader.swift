// SPDX-License-Identifier: MIT

public import ApusBytes

/// The first two bytes of every NAL unit: ITU-T H.265, 7.3.1.2.
public struct NALUnitHeader: SyntaxStructure, Hashable {
  /// The size in bytes.
  public static let size = 2

  public var forbiddenZeroBit = false
  public var nalUnitType: NALUnitType = .trailN
  public var nuhLayerID: UInt8 = 0
  public var nuhTemporalIDPlus1: UInt8 = 1

  public init() {}

  /// Creates a header for a NAL unit to be written.
  public init(_ type: NALUnitType, layerID: UInt8 = 0, temporalIDPlus1: UInt8 = 1) {
    nalUnitType = type
    nuhLayerID = layerID
    nuhTemporalIDPlus1 = temporalIDPlus1
  }

  /// Reads the header of a NAL unit; `nil` for fewer than two bytes.
  public init?(of nalUnit: [UInt8]) {
    guard nalUnit.count >= Self.size else { return nil }
    self.init(nalUnit[0], nalUnit[1])
  }

  /// Creates a header from its two bytes.
  public init(_ first: UInt8, _ second: UInt8) {
    forbiddenZeroBit = first & 0x80 != 0
    nalUnitType = NALUnitType(firstByte: first)
    nuhLayerID = ((first & 1) << 5) | (second >> 3)
    nuhTemporalIDPlus1 = second & 7
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("forbidden_zero_bit", &forbiddenZeroBit)
    try v.u(6, "nal_unit_type", &nalUnitType)
    try v.u(6, "nuh_layer_id", &nuhLayerID)
    try v.u(3, "nuh_temporal_id_plus1", &nuhTemporalIDPlus1)
  }

  /// Throws for a value that no unit may have: ITU-T H.265, 7.4.2.2.
  public func checkTemporalID() throws(SyntaxError) {
    guard nuhTemporalIDPlus1 == 0 else { return }
    throw SyntaxError(
      .invalid, field: "nuh_temporal_id_plus1", detail: "of a \(nalUnitType.name) is 0")
  }

  /// `TemporalId`.
  public var temporalID: UInt8 { nuhTemporalIDPlus1 == 0 ? 0 : nuhTemporalIDPlus1 - 1 }
}
