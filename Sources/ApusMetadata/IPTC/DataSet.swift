// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A dataset: IPTC-NAA Information Interchange Model 4.2, 1.5.
struct DataSet: SyntaxStructure {
  static let marker: UInt8 = 0x1C

  var record: UInt8 = 0
  var number: UInt8 = 0
  /// The bytes of an extended length; empty if 15 bits are enough.
  var extendedLength: [UInt8] = []
  var data = Extent()

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var marker = Self.marker
    try v.u(8, "tag_marker", &marker)
    guard marker == Self.marker else {
      throw v.failure(.invalid, "tag_marker", "is \(marker), not \(Self.marker)")
    }
    try v.u(8, "record_number", &record)
    try v.u(8, "dataset_number", &number)
    var isExtended = !extendedLength.isEmpty
    try v.flag("is_extended", &isExtended)
    var length = UInt16(clamping: isExtended ? extendedLength.count : data.count)
    try v.u(15, "length", &length)
    var count = Int(length)
    if isExtended {
      guard count <= 4 else {
        throw v.failure(.invalid, "length", "has \(count) bytes, more than 4")
      }
      try v.bytes("extended_length", &extendedLength, count: count)
      count = Int(bigEndianBytes: extendedLength)
    }
    try v.extent("data", &data, count: count)
  }

  /// Whether the dataset is a content location code or name, city, sublocation, province, country code or name.
  var isLocation: Bool { record == 2 && [26, 27, 90, 92, 95, 100, 101].contains(number) }
}
