// SPDX-License-Identifier: MIT

public import ApusBytes

/// AC-4 (`dac4`): ETSI TS 103 190-2, E.5.
public struct AC4Specific: Box {
  public static let types: [FourCC] = ["dac4"]
  public var version: UInt8 = 1
  public var bitstreamVersion: UInt8 = 2
  /// Whether samples are of 48 kHz or a multiple of it, not of 44.1 kHz.
  public var hasHighRate = true
  public var frameRateIndex: UInt8 = 0
  public var presentationCount: UInt16 = 0
  public var hasProgramID = false
  public var shortProgramID: UInt16 = 0
  public var hasUUID = false
  public var uuid: [UInt8] = [UInt8](repeating: 0, count: 16)
  public var bitRateMode: UInt8 = 0
  public var bitRate: UInt32 = 0
  public var bitRatePrecision: UInt32 = 0
  public var alignment: UInt8 = 0
  public var presentations: [AC4Presentation] = []
  public var bits: UInt8 = 0
  public var rest = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(3, "ac4_dsi_version", &version)
    try v.u(7, "bitstream_version", &bitstreamVersion)
    try v.flag("fs_index", &hasHighRate)
    try v.u(4, "frame_rate_index", &frameRateIndex)
    try v.u(9, "n_presentations", &presentationCount)
    if version == 1 {
      if bitstreamVersion > 1 { try program(&v) }
      try v.u(2, "bit_rate_mode", &bitRateMode)
      try v.u(32, "bit_rate", &bitRate)
      try v.u(32, "bit_rate_precision", &bitRatePrecision)
      if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "byte_align", &alignment) }
      try v.list("presentations", &presentations, count: Int(presentationCount))
    }
    if v.bitsUntilAligned > 0 { try v.u(v.bitsUntilAligned, "ac4_dsi", &bits, as: .hex) }
    if v.isReading || !rest.isEmpty { try v.extent("ac4_dsi", &rest, count: nil) }
  }

  private mutating func program<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("b_program_id", &hasProgramID)
    guard hasProgramID else { return }
    try v.u(16, "short_program_id", &shortProgramID)
    try v.flag("b_uuid", &hasUUID)
    if hasUUID { try v.values(8, "program_uuid", &uuid, count: 16, as: .hex) }
  }
}

/// A presentation of AC-4: ETSI TS 103 190-2, E.10 and E.11. Its substreams are kept as bytes.
public struct AC4Presentation: SyntaxStructure, Hashable {
  public var version: UInt8 = 1
  public var size: UInt8 = 0
  public var addedSize: UInt16 = 0
  public var config: UInt8 = 0
  /// The minimum level of a decoder for the presentation; other bits if the configuration is 6.
  public var compatibility: UInt8 = 0
  public var rest: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "presentation_version", &version)
    try v.u(8, "pres_bytes", &size)
    if size == 255 { try v.u(16, "add_pres_bytes", &addedSize) }
    let count = Int(size) + (size == 255 ? Int(addedSize) : 0)
    guard count > 0, version <= 2 else {
      return try v.bytes("presentation", &rest, count: count)
    }
    try v.u(5, "presentation_config", &config)
    try v.u(3, config == 6 ? "presentation_bits" : "mdcompat", &compatibility)
    try v.bytes("presentation", &rest, count: count - 1)
  }
}
