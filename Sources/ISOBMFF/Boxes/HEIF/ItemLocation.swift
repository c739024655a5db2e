// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item location (`iloc`): ISO/IEC 14496-12, 8.11.3.
public struct ItemLocation: FullBox {
  public static let types: [FourCC] = ["iloc"]
  public static let versions: ClosedRange<UInt8> = 0...2
  public var header = FullBoxHeader()
  /// The size of offsets in bytes: 0, 4 or 8.
  public var offsetSize: UInt8 = 4
  public var lengthSize: UInt8 = 4
  public var baseOffsetSize: UInt8 = 0
  /// The size of an extent's index, in bytes; these bits are reserved in version 0.
  public var indexSize: UInt8 = 0
  public var items: [Item] = []

  /// The location of an item: its extents, and the place that their offsets refer to.
  public struct Item: Blank, Sendable {
    public var id: UInt32 = 0
    public var reserved: UInt16 = 0
    public var constructionMethod: UInt8 = 0
    public var dataReferenceIndex: UInt16 = 0
    public var baseOffset: UInt64 = 0
    public var extents: [ItemExtent] = []
    public init() {}
  }

  /// A piece of an item's data.
  public struct ItemExtent: Blank, Sendable {
    public var index: UInt64 = 0
    public var offset: UInt64 = 0
    public var length: UInt64 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(4, "offset_size", &offsetSize)
    try v.u(4, "length_size", &lengthSize)
    try v.u(4, "base_offset_size", &baseOffsetSize)
    try v.u(4, version == 0 ? "reserved" : "index_size", &indexSize)
    try check(offsetSize, "offset_size", &v)
    try check(lengthSize, "length_size", &v)
    try check(baseOffsetSize, "base_offset_size", &v)
    if version > 0 { try check(indexSize, "index_size", &v) }
    let layout = self
    let count = try v.count(version < 2 ? 16 : 32, "item_count", items.count)
    try v.list("items", &items, count: count) { item, v throws(SyntaxError) in
      try item.syntax(&v, in: layout)
    }
  }

  private func check<V: SyntaxVisitor>(_ size: UInt8, _ name: StaticString, _ v: inout V)
    throws(SyntaxError)
  {
    guard size <= 8 else {
      throw v.failure(.invalid, name, "is \(size), allowed are 0, 4 and 8")
    }
  }

  /// The number of bits for each extent.
  fileprivate var extentBits: Int {
    8 * (Int(offsetSize) + Int(lengthSize) + (version > 0 ? Int(indexSize) : 0))
  }
}

extension ItemLocation.Item {
  fileprivate mutating func syntax<V: SyntaxVisitor>(_ v: inout V, in layout: ItemLocation)
    throws(SyntaxError)
  {
    try v.u(layout.version < 2 ? 16 : 32, "item_ID", &id)
    if layout.version > 0 {
      try v.u(12, "reserved", &reserved)
      try v.u(4, "construction_method", &constructionMethod)
    }
    try v.u(16, "data_reference_index", &dataReferenceIndex)
    try v.u(Int(layout.baseOffsetSize) * 8, "base_offset", &baseOffset)
    let count = try v.count(16, "extent_count", extents.count)
    // Extents without bits all mean the same, the whole source. A few bytes could announce millions.
    guard layout.extentBits > 0 || count <= 1 else {
      throw v.failure(.invalid, "extent_count", "is \(count), but an extent has no bits")
    }
    try v.list("extents", &extents, count: count) { extent, v throws(SyntaxError) in
      if layout.version > 0, layout.indexSize > 0 {
        try v.u(Int(layout.indexSize) * 8, "item_reference_index", &extent.index)
      }
      try v.u(Int(layout.offsetSize) * 8, "extent_offset", &extent.offset)
      try v.u(Int(layout.lengthSize) * 8, "extent_length", &extent.length)
    }
  }
}
