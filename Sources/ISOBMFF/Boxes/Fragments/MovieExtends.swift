// SPDX-License-Identifier: MIT

public import ApusBytes

/// Movie extends header (`mehd`): ISO/IEC 14496-12, 8.8.2.
public struct MovieExtendsHeader: FullBox {
  public static let types: [FourCC] = ["mehd"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var fragmentDuration: UInt64 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(version == 1 ? 64 : 32, "fragment_duration", &fragmentDuration)
  }
}

/// Track extends (`trex`): ISO/IEC 14496-12, 8.8.3.
public struct TrackExtends: FullBox {
  public static let types: [FourCC] = ["trex"]
  public var header = FullBoxHeader()
  public var trackID: UInt32 = 1
  public var defaultSampleDescriptionIndex: UInt32 = 1
  public var defaultSampleDuration: UInt32 = 0
  public var defaultSampleSize: UInt32 = 0
  public var defaultSampleFlags = SampleFlags()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "track_ID", &trackID)
    try v.u(32, "default_sample_description_index", &defaultSampleDescriptionIndex)
    try v.u(32, "default_sample_duration", &defaultSampleDuration)
    try v.u(32, "default_sample_size", &defaultSampleSize)
    try v.group("default_sample_flags", &defaultSampleFlags)
  }
}

/// Properties of a track's fragments as boxes (`trep`): ISO/IEC 14496-12, 8.8.15.
public struct TrackExtensionProperties: FullBox, ParentBox {
  public static let types: [FourCC] = ["trep"]
  public var header = FullBoxHeader()
  public var trackID: UInt32 = 1
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "track_ID", &trackID)
    try v.framed(&boxes, count: nil)
  }
}

/// The properties of a sample that are known without decoding it: ISO/IEC 14496-12, 8.8.3.1.
public struct SampleFlags: SyntaxStructure, Hashable {
  public var reserved: UInt8 = 0
  public var isLeading: UInt8 = 0
  public var sampleDependsOn: UInt8 = 0
  public var sampleIsDependedOn: UInt8 = 0
  public var sampleHasRedundancy: UInt8 = 0
  public var samplePaddingValue: UInt8 = 0
  public var sampleIsNonSyncSample = false
  public var sampleDegradationPriority: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "reserved", &reserved)
    try v.u(2, "is_leading", &isLeading)
    try v.u(2, "sample_depends_on", &sampleDependsOn)
    try v.u(2, "sample_is_depended_on", &sampleIsDependedOn)
    try v.u(2, "sample_has_redundancy", &sampleHasRedundancy)
    try v.u(3, "sample_padding_value", &samplePaddingValue)
    try v.flag("sample_is_non_sync_sample", &sampleIsNonSyncSample)
    try v.u(16, "sample_degradation_priority", &sampleDegradationPriority)
  }
}
