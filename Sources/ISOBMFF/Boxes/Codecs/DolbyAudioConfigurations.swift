// SPDX-License-Identifier: MIT

public import Bytes

/// AC-3 (`dac3`): ETSI TS 102 366, F.4.
public struct AC3Specific: Box {
  public static let types: [FourCC] = ["dac3"]
  public var fscod: UInt8 = 0
  public var bsid: UInt8 = 8
  public var bsmod: UInt8 = 0
  public var acmod: UInt8 = 2
  public var lfeon = false
  public var bitRateCode: UInt8 = 0
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "fscod", &fscod)
    try v.u(5, "bsid", &bsid)
    try v.u(3, "bsmod", &bsmod)
    try v.u(3, "acmod", &acmod)
    try v.flag("lfeon", &lfeon)
    try v.u(5, "bit_rate_code", &bitRateCode)
    try v.u(5, "reserved", &reserved)
  }
}

/// Enhanced AC-3 (`dec3`): ETSI TS 102 366, F.6; object audio: ETSI TS 103 420, C.3.
public struct EC3Specific: Box {
  public static let types: [FourCC] = ["dec3"]
  /// Kilobits per second.
  public var dataRate: UInt16 = 0
  public var substreams: [Substream] = []
  /// What says whether the stream carries objects; absent in older files.
  public var objectExtension: ObjectExtension?

  public struct Substream: SyntaxStructure {
    public var fscod: UInt8 = 0
    public var bsid: UInt8 = 16
    public var reserved1: UInt8 = 0
    public var asvc = false
    public var bsmod: UInt8 = 0
    public var acmod: UInt8 = 2
    public var lfeon = false
    public var reserved2: UInt8 = 0
    public var numDependentSubstreams: UInt8 = 0
    public var channelLocations: UInt16 = 0
    public var reserved3: UInt8 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(2, "fscod", &fscod)
      try v.u(5, "bsid", &bsid)
      try v.u(1, "reserved", &reserved1)
      try v.flag("asvc", &asvc)
      try v.u(3, "bsmod", &bsmod)
      try v.u(3, "acmod", &acmod)
      try v.flag("lfeon", &lfeon)
      try v.u(3, "reserved", &reserved2)
      try v.u(4, "num_dep_sub", &numDependentSubstreams)
      if numDependentSubstreams > 0 {
        try v.u(9, "chan_loc", &channelLocations, as: .hex)
      } else {
        try v.u(1, "reserved", &reserved3)
      }
    }
  }

  public struct ObjectExtension: SyntaxStructure {
    public var reserved: UInt8 = 0
    public var isPresent = false
    public var complexityIndex: UInt8 = 0

    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(7, "reserved", &reserved)
      try v.flag("flag_ec3_extension_type_a", &isPresent)
      try v.u(8, "complexity_index_type_a", &complexityIndex)
    }
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(13, "data_rate", &dataRate)
    // One less than their number.
    var more = UInt8(truncatingIfNeeded: max(substreams.count, 1) - 1)
    try v.u(3, "num_ind_sub", &more)
    try v.list("substreams", &substreams, count: Int(more) + 1)
    if v.isReading, v.remaining >= 2 { objectExtension = ObjectExtension() }
    try objectExtension?.syntax(&v)
  }
}

/// AC-4 (`dac4`): ETSI TS 103 190-2, E.5. Its presentations are kept as they are.
public struct AC4Specific: Box {
  public static let types: [FourCC] = ["dac4"]
  public var dsi = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.extent("ac4_dsi_v1", &dsi, count: nil)
  }
}
