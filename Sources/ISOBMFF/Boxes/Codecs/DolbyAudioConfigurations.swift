// SPDX-License-Identifier: MIT

public import ApusBytes

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
  /// The data rate in kilobits per second.
  public var dataRate: UInt16 = 0
  public var substreams: [Substream] = []
  /// The extension that states whether the stream carries objects; absent in older files.
  public var objectExtension: ObjectExtension?

  /// An independent substream, with the number and channels of those that depend on it.
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

  /// The extension for object audio: ETSI TS 103 420, C.3.
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
    // The number of substreams minus one.
    var more = UInt8(truncatingIfNeeded: max(substreams.count, 1) - 1)
    try v.u(3, "num_ind_sub", &more)
    try v.list("substreams", &substreams, count: Int(more) + 1)
    if v.isReading, v.remaining >= 2 { objectExtension = ObjectExtension() }
    try objectExtension?.syntax(&v)
  }
}

/// Dolby TrueHD (`dmlp`): Dolby TrueHD Bitstreams within the ISO Base Media File Format, 4.2.
public struct TrueHDSpecific: Box {
  public static let types: [FourCC] = ["dmlp"]
  public var frequency: UInt8 = 0
  public var multichannelTypes: UInt8 = 0
  public var reserved1: UInt8 = 0
  public var stereoModifier: UInt8 = 0
  public var sixChannelModifier: UInt8 = 0
  public var sixChannelAssignment: UInt8 = 0
  public var eightChannelModifier: UInt8 = 0
  public var eightChannelAssignment: UInt16 = 0
  public var peakDataRate: UInt16 = 0
  public var reserved2: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "audio_sampling_frequency", &frequency)
    try v.u(2, "multichannel_types", &multichannelTypes)
    try v.u(2, "reserved", &reserved1)
    try v.u(2, "2ch_presentation_channel_modifier", &stereoModifier)
    try v.u(2, "6ch_presentation_channel_modifier", &sixChannelModifier)
    try v.u(5, "6ch_presentation_channel_assignment", &sixChannelAssignment, as: .hex)
    try v.u(2, "8ch_presentation_channel_modifier", &eightChannelModifier)
    try v.u(13, "8ch_presentation_channel_assignment", &eightChannelAssignment, as: .hex)
    try v.u(15, "peak_data_rate", &peakDataRate)
    try v.u(33, "reserved", &reserved2)
  }

  /// The number of samples per second; `nil` for one that is reserved.
  public var sampleRate: Int? {
    [0: 48000, 1: 96000, 2: 192_000, 8: 44100, 9: 88200, 10: 176_400][frequency]
  }

  /// The number of channels of the largest presentation; `nil` if the assignments name none.
  public var channels: Int? {
    // The channels of each bit, the lowest first: L and R, C, LFE, Ls and Rs …
    let counts = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1]
    let large = eightChannelAssignment
    let assignment = large > 0 ? large : UInt16(sixChannelAssignment)
    let sum = counts.indices.reduce(0) { $0 + (assignment >> UInt16($1) & 1 == 1 ? counts[$1] : 0) }
    return sum > 0 ? sum : nil
  }
}
