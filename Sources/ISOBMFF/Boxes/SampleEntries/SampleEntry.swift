// SPDX-License-Identifier: MIT

public import ApusBytes

/// A coding that samples of a track use: ISO/IEC 14496-12, 8.5.2.2.
public protocol SampleEntry: ParentBox {
  /// The fields before those of the kind of entry.
  var start: SampleEntryStart { get set }
}

/// The first fields of every sample entry.
public struct SampleEntryStart: SyntaxStructure {
  public var reserved: UInt64 = 0
  /// The index of the entry in `dref` for the samples, from 1.
  public var dataReferenceIndex: UInt16 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(48, "reserved", &reserved)
    try v.u(16, "data_reference_index", &dataReferenceIndex)
  }
}

extension BoxHeader {
  /// Returns whether eight bytes look like the header of a box that fits into the remaining bytes. QuickTime's entries
  /// have optional fields, and only the content shows whether boxes begin.
  static func stands(in bytes: [UInt8], left: Int) -> Bool {
    guard bytes.count >= 8 else { return false }
    let size = Int(bigEndianBytes: bytes[0..<4])
    let type = FourCC(bytes[4..<8])
    return size >= 8 && size <= left && type.isPrintable
  }
}

/// Sample entries without further fields (`mp4s`, `wvtt`, `c608`, `urim` …): ISO/IEC 14496-12, 8.5.2.2.
public struct PlainSampleEntry: SampleEntry {
  public static let types: [FourCC] = ["mp4s", "encs", "wvtt", "c608", "c708", "urim"]
  public var start = SampleEntryStart()
  public var boxes: [Node] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try start.syntax(&v)
    try v.framed(&boxes, count: nil)
  }
}
