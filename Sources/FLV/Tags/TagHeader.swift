// SPDX-License-Identifier: MIT

public import ApusBytes

/// The eleven bytes before the data of a tag: Flash Video 10.1, E.4.1.
public struct TagHeader: SyntaxStructure, Hashable {
  /// The size in bytes.
  public static let size = 11
  /// The most bytes of data in a tag.
  public static let largestData = 0xff_ffff

  public var reserved: UInt8 = 0
  /// Whether the data is encrypted.
  public var filter = false
  public var type = TagType.script
  public var dataSize: UInt32 = 0
  /// Milliseconds modulo 2³²; some writers use only 31 or 24 bits.
  public var timestamp: UInt32 = 0
  public var streamID: UInt32 = 0

  public init() {}

  /// Creates a header; throws if the data exceed `largestData`.
  ///
  /// - Parameter timestamp: milliseconds modulo 2³².
  public init(_ type: TagType, dataSize: Int, timestamp: UInt32) throws(SyntaxError) {
    guard dataSize <= Self.largestData else {
      throw SyntaxError(
        .misuse, field: "DataSize",
        detail: "of \(dataSize) bytes is beyond the \(Self.largestData) that a tag can hold; "
          + "encode the picture smaller or use another container")
    }
    self.type = type
    self.dataSize = UInt32(dataSize)
    self.timestamp = timestamp
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "Reserved", &reserved)
    try v.flag("Filter", &filter)
    try v.u(5, "TagType", &type)
    try v.u(24, "DataSize", &dataSize)
    var (low, high) = (timestamp & 0xff_ffff, timestamp >> 24)
    try v.u(24, "Timestamp", &low)
    try v.u(8, "TimestampExtended", &high)
    timestamp = high << 24 | low
    try v.u(24, "StreamID", &streamID)
  }

  /// The size of the tag in bytes, including the header: the expected value of the `PreviousTagSize` after it.
  public var tagSize: UInt32 { dataSize + UInt32(Self.size) }
}
