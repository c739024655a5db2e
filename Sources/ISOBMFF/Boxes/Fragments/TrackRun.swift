// SPDX-License-Identifier: MIT

public import ApusBytes

/// Track run (`trun`): ISO/IEC 14496-12, 8.8.8. Its flags state which fields and columns are present; composition
/// offsets are signed in version 1 only.
public struct TrackRun: FullBox {
  public static let types: [FourCC] = ["trun"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var sampleCount: UInt32 = 0
  /// The offset of the data, present where flag 0x1 is set.
  public var dataOffset: Int32 = 0
  /// The flags of the first sample, present where flag 0x4 is set.
  public var firstSampleFlags = SampleFlags()
  /// The rows, one for each sample; empty if defaults apply to everything.
  public var samples = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sample_count", &sampleCount)
    if flags & 0x1 != 0 { try v.i(32, "data_offset", &dataOffset) }
    if flags & 0x4 != 0 { try v.group("first_sample_flags", &firstSampleFlags) }
    let columns = columns
    if !columns.isEmpty {
      try v.table("samples", &samples, columns: columns, count: Int(sampleCount))
    }
  }

  /// The columns of `samples`, as the version and the flags determine them.
  var columns: [Table.Column] {
    var columns: [Table.Column] = []
    if flags & 0x100 != 0 { columns.append(.init("sample_duration", 32)) }
    if flags & 0x200 != 0 { columns.append(.init("sample_size", 32)) }
    if flags & 0x400 != 0 { columns.append(.init("sample_flags", 32, .hex)) }
    if flags & 0x800 != 0 {
      columns.append(
        .init("sample_composition_time_offset", 32, version == 0 ? .unsigned : .signed))
    }
    return columns
  }
}
