// SPDX-License-Identifier: MIT

public import ApusBytes

/// Sample group descriptions (`sgpd`): ISO/IEC 14496-12, 8.9.3.
public struct SampleGroupDescription: FullBox {
  public static let types: [FourCC] = ["sgpd"]
  public static let versions: ClosedRange<UInt8> = 0...2
  public var header = FullBoxHeader(version: 1)
  public var groupingType: FourCC = "roll"
  /// The length of every entry, or 0 if each states its length.
  public var defaultLength: UInt32 = 0
  public var defaultGroupDescriptionIndex: UInt32 = 0
  public var entries: [SampleGroupEntry] = []
  /// The number of entries in version 0, in which their length is unknown.
  public var unsizedEntryCount: UInt32 = 0
  /// The bytes of all entries in version 0.
  public var unsizedEntries = Extent()

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "grouping_type", &groupingType)
    if version == 0 {
      try v.u(32, "entry_count", &unsizedEntryCount)
      try v.extent("entries", &unsizedEntries, count: nil)
      return
    }
    try v.u(32, "default_length", &defaultLength)
    if version >= 2 {
      try v.u(32, "default_group_description_index", &defaultGroupDescriptionIndex)
    }
    let count = try v.count(32, "entry_count", entries.count)
    let (type, length) = (groupingType, defaultLength)
    try v.list("entries", &entries, count: count) { entry, v throws(SyntaxError) in
      if length == 0 {
        try v.u(32, "description_length", &entry.length)
      } else {
        entry.length = length
      }
      try entry.syntax(&v, as: type)
    }
  }
}
