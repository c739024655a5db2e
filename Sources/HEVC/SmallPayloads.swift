// SPDX-License-Identifier: MIT

public import ApusBytes

/// Access unit delimiter (`access_unit_delimiter_rbsp()`): ITU-T H.265, 7.3.2.5.
public struct AccessUnitDelimiter: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.aud]
  /// The allowed slices: 0 for I only, 1 for P and I, 2 for B, P and I.
  public var picType: UInt8 = 2

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "pic_type", &picType)
  }
}

/// Filler data (`filler_data_rbsp()`): ITU-T H.265, 7.3.2.8.
public struct FillerData: NALUnitPayload, Hashable {
  public static let types: [NALUnitType] = [.fd]
  public var ffBytes: [UInt8] = []

  public init() {}
  public init(in header: NALUnitHeader, sets: ParameterSets) {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if v.isReading {
      let count = try v.peek(v.remaining).prefix { $0 == 0xff }.count
      return try v.bytes("ff_byte", &ffBytes, count: count)
    }
    try v.bytes("ff_byte", &ffBytes, count: ffBytes.count)
  }
}
