// SPDX-License-Identifier: MIT

public import ApusBytes

/// Random access into the fragments of a track (`tfra`): ISO/IEC 14496-12, 8.8.10.
public struct TrackFragmentRandomAccess: FullBox {
  public static let types: [FourCC] = ["tfra"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(version: 1)
  public var trackID: UInt32 = 1
  public var reserved: UInt32 = 0
  /// The size of the number of a `traf` in a row, in bytes, less one.
  public var lengthSizeOfTrafNum: UInt8 = 0
  /// The size of the number of a `trun` in a row, in bytes, less one.
  public var lengthSizeOfTrunNum: UInt8 = 0
  /// The size of the number of a sample in a row, in bytes, less one.
  public var lengthSizeOfSampleNum: UInt8 = 0
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "track_ID", &trackID)
    try v.u(26, "reserved", &reserved)
    try v.u(2, "length_size_of_traf_num", &lengthSizeOfTrafNum)
    try v.u(2, "length_size_of_trun_num", &lengthSizeOfTrunNum)
    try v.u(2, "length_size_of_sample_num", &lengthSizeOfSampleNum)
    let count = try v.count(32, "number_of_entry", entries.count)
    let bits = version == 1 ? 64 : 32
    try v.table(
      "entries", &entries,
      columns: [
        .init("time", bits), .init("moof_offset", bits),
        .init("traf_number", Int(lengthSizeOfTrafNum) * 8 + 8),
        .init("trun_number", Int(lengthSizeOfTrunNum) * 8 + 8),
        .init("sample_number", Int(lengthSizeOfSampleNum) * 8 + 8),
      ], count: count)
  }
}

/// The offset of the random access box, counted back from the end of the file (`mfro`): ISO/IEC 14496-12, 8.8.11.
public struct FragmentRandomAccessOffset: FullBox {
  public static let types: [FourCC] = ["mfro"]
  public var header = FullBoxHeader()
  public var parentSize: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "parent_size", &parentSize)
  }
}
