// SPDX-License-Identifier: MIT

public import ApusBytes

/// Closed captions and other data of the American standard: ATSC A/53 Part 4, 6.2.3.
public struct ATSCUserData: Blank, Hashable, Sendable {
  public var userIdentifier = FourCC("GA94")
  public var userDataTypeCode: UInt8 = 0
  /// The captions in `cc_data()`, if the type code is 3.
  public var captions: CaptionData?
  /// The bytes of `ATSC_reserved_user_data`, or everything for another type.
  public var rest: [UInt8] = []

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "user_identifier", &userIdentifier)
    if userIdentifier == "GA94" {
      try v.u(8, "user_data_type_code", &userDataTypeCode)
      if userDataTypeCode == 3 {
        var data = captions ?? CaptionData()
        try v.group("cc_data", &data)
        captions = data
      }
    }
    if v.isReading ? v.remaining > 0 : !rest.isEmpty {
      try v.bytes("ATSC_reserved_user_data", &rest, count: v.isReading ? nil : rest.count)
    }
  }
}

/// `cc_data()`: ANSI/CTA-708, 4.4.
public struct CaptionData: SyntaxStructure, Hashable {
  public var reserved1 = true
  public var processCCDataFlag = true
  public var zeroBit = false
  public var reserved2: UInt8 = 0xff
  public var packets: [Packet] = []
  public var markerBits: UInt8 = 0xff

  public init() {}

  /// Two bytes of captions with their type.
  public struct Packet: SyntaxStructure, Hashable {
    public var oneBit = true
    public var reserved: UInt8 = 0b1111
    public var ccValid = false
    public var ccType: UInt8 = 0
    public var ccData1: UInt8 = 0
    public var ccData2: UInt8 = 0
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("one_bit", &oneBit)
      try v.u(4, "reserved", &reserved)
      try v.flag("cc_valid", &ccValid)
      try v.u(2, "cc_type", &ccType)
      try v.u(8, "cc_data_1", &ccData1, as: .hex)
      try v.u(8, "cc_data_2", &ccData2, as: .hex)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("reserved", &reserved1)
    try v.flag("process_cc_data_flag", &processCCDataFlag)
    try v.flag("zero_bit", &zeroBit)
    let count = try v.count(5, "cc_count", packets.count)
    try v.u(8, "reserved", &reserved2, as: .hex)
    try v.list("cc", &packets, count: count)
    try v.u(8, "marker_bits", &markerBits, as: .hex)
  }
}
