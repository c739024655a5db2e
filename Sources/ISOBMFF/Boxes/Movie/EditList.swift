// SPDX-License-Identifier: MIT

public import Bytes

/// Edit list (`elst`): ISO/IEC 14496-12, 8.6.6.
public struct EditList: FullBox {
  public static let types: [FourCC] = ["elst"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var entries: [Edit] = []

  public struct Edit: Blank, Hashable, Sendable {
    /// In the movie's timescale.
    public var segmentDuration: UInt64 = 0
    /// In the media's timescale; -1 for an empty edit.
    public var mediaTime: Int64 = 0
    public var mediaRateInteger: Int16 = 1
    public var mediaRateFraction: Int16 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let bits = version == 1 ? 64 : 32
    let count = try v.count(32, "entry_count", entries.count)
    try v.list("entries", &entries, count: count) { edit, v throws(SyntaxError) in
      try v.u(bits, "segment_duration", &edit.segmentDuration)
      try v.i(bits, "media_time", &edit.mediaTime)
      try v.i(16, "media_rate_integer", &edit.mediaRateInteger)
      try v.i(16, "media_rate_fraction", &edit.mediaRateFraction)
    }
  }
}
