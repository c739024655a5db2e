// SPDX-License-Identifier: MIT

public import ApusBytes

/// Track header (`tkhd`): ISO/IEC 14496-12, 8.3.2. Flags: 1 enabled, 2 in the movie, 4 in the preview,
/// 8 the size is an aspect ratio.
public struct TrackHeader: FullBox {
  public static let types: [FourCC] = ["tkhd"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader(flags: 3)
  public var creationTime: UInt64 = 0
  public var modificationTime: UInt64 = 0
  public var trackID: UInt32 = 1
  public var reserved1: UInt32 = 0
  /// The duration of the track, in the movie's timescale; all ones if it is unknown.
  public var duration: UInt64 = 0
  public var reserved2: UInt64 = 0
  public var layer: Int16 = 0
  public var alternateGroup: Int16 = 0
  public var volume: Int16 = 0
  public var reserved3: UInt16 = 0
  public var matrix = TransformationMatrix()
  /// The width at which the track is shown, in 16.16 fixed point.
  public var width: UInt32 = 0
  public var height: UInt32 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 1 ? 64 : 32
    try v.u(bits, "creation_time", &creationTime, as: .date)
    try v.u(bits, "modification_time", &modificationTime, as: .date)
    try v.u(32, "track_ID", &trackID)
    try v.u(32, "reserved", &reserved1)
    try v.u(bits, "duration", &duration)
    try v.u(64, "reserved", &reserved2)
    try v.i(16, "layer", &layer)
    try v.i(16, "alternate_group", &alternateGroup)
    try v.i(16, "volume", &volume, as: .signedFixed(8))
    try v.u(16, "reserved", &reserved3)
    try v.group("matrix", &matrix)
    try v.u(32, "width", &width, as: .fixed(16))
    try v.u(32, "height", &height, as: .fixed(16))
  }
}
