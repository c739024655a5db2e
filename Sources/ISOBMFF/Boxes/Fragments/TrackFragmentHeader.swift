// SPDX-License-Identifier: MIT

public import ApusBytes

/// Track fragment header (`tfhd`): ISO/IEC 14496-12, 8.8.7. Its flags state which fields are present; 0x10000 means
/// that the fragment has no samples, 0x20000 that offsets are relative to the `moof`.
public struct TrackFragmentHeader: FullBox {
  public static let types: [FourCC] = ["tfhd"]
  public var header = FullBoxHeader(flags: 0x020000)
  public var trackID: UInt32 = 1
  /// The base of data offsets, present with flag 0x1.
  public var baseDataOffset: UInt64 = 0
  /// The index of the sample entry, present with flag 0x2.
  public var sampleDescriptionIndex: UInt32 = 1
  /// The default duration of samples, present with flag 0x8.
  public var defaultSampleDuration: UInt32 = 0
  /// The default size of samples, present with flag 0x10.
  public var defaultSampleSize: UInt32 = 0
  /// The default flags of samples, present with flag 0x20.
  public var defaultSampleFlags = SampleFlags()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "track_ID", &trackID)
    if flags & 0x1 != 0 { try v.u(64, "base_data_offset", &baseDataOffset) }
    if flags & 0x2 != 0 { try v.u(32, "sample_description_index", &sampleDescriptionIndex) }
    if flags & 0x8 != 0 { try v.u(32, "default_sample_duration", &defaultSampleDuration) }
    if flags & 0x10 != 0 { try v.u(32, "default_sample_size", &defaultSampleSize) }
    if flags & 0x20 != 0 { try v.group("default_sample_flags", &defaultSampleFlags) }
  }
}

/// Decode time of a track fragment (`tfdt`): ISO/IEC 14496-12, 8.8.12.
public struct TrackFragmentDecodeTime: FullBox {
  public static let types: [FourCC] = ["tfdt"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var baseMediaDecodeTime: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(version == 1 ? 64 : 32, "baseMediaDecodeTime", &baseMediaDecodeTime)
  }
}
