// SPDX-License-Identifier: MIT

public import ApusBytes

/// Movie header (`mvhd`): ISO/IEC 14496-12, 8.2.2.
public struct MovieHeader: FullBox {
  public static let types: [FourCC] = ["mvhd"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var creationTime: UInt64 = 0
  public var modificationTime: UInt64 = 0
  public var timescale: UInt32 = 1000
  /// The duration in the movie's timescale; all ones if it is unknown.
  public var duration: UInt64 = 0
  public var rate: Int32 = 0x10000
  public var volume: Int16 = 0x100
  public var reserved = [UInt8](repeating: 0, count: 10)
  public var matrix = TransformationMatrix()
  /// Reserved bytes; in QuickTime, the preview, poster, selection and current times.
  public var preDefined = [UInt8](repeating: 0, count: 24)
  public var nextTrackID: UInt32 = 1

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 1 ? 64 : 32
    try v.u(bits, "creation_time", &creationTime, as: .date)
    try v.u(bits, "modification_time", &modificationTime, as: .date)
    try v.u(32, "timescale", &timescale)
    try v.u(bits, "duration", &duration)
    try v.i(32, "rate", &rate, as: .signedFixed(16))
    try v.i(16, "volume", &volume, as: .signedFixed(8))
    try v.bytes("reserved", &reserved, count: 10)
    try v.group("matrix", &matrix)
    try v.bytes("pre_defined", &preDefined, count: 24)
    try v.u(32, "next_track_ID", &nextTrackID)
  }
}
