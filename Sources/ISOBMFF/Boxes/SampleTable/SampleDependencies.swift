// SPDX-License-Identifier: MIT

public import ApusBytes

/// Independent and disposable samples (`sdtp`): ISO/IEC 14496-12, 8.6.4.
public struct SampleDependencies: FullBox {
  public static let types: [FourCC] = ["sdtp"]
  public var header = FullBoxHeader()
  /// The dependencies, one row for each sample; the number of samples is stated in another box.
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.table(
      "entries", &entries,
      columns: [
        .init("is_leading", 2), .init("sample_depends_on", 2),
        .init("sample_is_depended_on", 2), .init("sample_has_redundancy", 2),
      ], count: nil)
  }
}

/// Degradation priorities (`stdp`): ISO/IEC 14496-12, 8.5.3.
public struct DegradationPriorities: FullBox {
  public static let types: [FourCC] = ["stdp"]
  public var header = FullBoxHeader()
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.table("entries", &entries, columns: [.init("priority", 16)], count: nil)
  }
}

/// Padding bits (`padb`): ISO/IEC 14496-12, 8.7.6.
public struct PaddingBits: FullBox {
  public static let types: [FourCC] = ["padb"]
  public var header = FullBoxHeader()
  public var sampleCount: UInt32 = 0
  /// The rows, each of which describes two samples.
  public var entries = Table()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "sample_count", &sampleCount)
    try v.table(
      "entries", &entries,
      columns: [
        .init("reserved", 1), .init("pad1", 3), .init("reserved", 1), .init("pad2", 3),
      ], count: (Int(sampleCount) + 1) / 2)
  }
}
