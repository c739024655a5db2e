// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sizes of sample auxiliary information (`saiz`): ISO/IEC 14496-12, 8.7.8.
public struct SampleAuxiliarySizes: FullBox {
  public static let types: [FourCC] = ["saiz"]
  public var header = FullBoxHeader()
  /// The type of the information, present with flag 1.
  public var auxInfoType: FourCC = "cenc"
  public var auxInfoTypeParameter: UInt32 = 0
  /// The size for every sample, or 0 if each has a separate entry.
  public var defaultSampleInfoSize: UInt8 = 0
  public var sampleCount: UInt32 = 0
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if flags & 1 != 0 {
      try v.u(32, "aux_info_type", &auxInfoType)
      try v.u(32, "aux_info_type_parameter", &auxInfoTypeParameter)
    }
    try v.u(8, "default_sample_info_size", &defaultSampleInfoSize)
    try v.u(32, "sample_count", &sampleCount)
    if defaultSampleInfoSize == 0 {
      try v.table(
        "entries", &entries, columns: [.init("sample_info_size", 8)], count: Int(sampleCount))
    }
  }
}

/// Offsets of sample auxiliary information (`saio`): ISO/IEC 14496-12, 8.7.9.
public struct SampleAuxiliaryOffsets: FullBox {
  public static let types: [FourCC] = ["saio"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  /// The type of the information, present with flag 1.
  public var auxInfoType: FourCC = "cenc"
  public var auxInfoTypeParameter: UInt32 = 0
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    if flags & 1 != 0 {
      try v.u(32, "aux_info_type", &auxInfoType)
      try v.u(32, "aux_info_type_parameter", &auxInfoTypeParameter)
    }
    let count = try v.count(32, "entry_count", entries.count)
    try v.table(
      "entries", &entries, columns: [.init("offset", version == 0 ? 32 : 64)], count: count)
  }
}
