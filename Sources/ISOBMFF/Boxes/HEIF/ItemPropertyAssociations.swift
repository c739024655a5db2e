// SPDX-License-Identifier: MIT

public import ApusBytes

/// Item property associations (`ipma`): ISO/IEC 14496-12, 8.11.14; formerly ISO/IEC 23008-12, 9.3.
public struct ItemPropertyAssociations: FullBox {
  public static let types: [FourCC] = ["ipma"]
  public static let versions: ClosedRange<UInt8> = 0...1
  public var header = FullBoxHeader()
  public var entries: [Entry] = []

  /// The properties of one item or entity group, in the order in which they apply.
  public struct Entry: Blank, Sendable {
    public var itemID: UInt32 = 0
    public var associations: [Association] = []
    public init() {}
  }

  /// The association of a property with an item.
  public struct Association: Blank, Sendable {
    /// Whether a reader that does not know the property must ignore the item.
    public var isEssential = false
    /// The index of the property in `ipco`, from 1; 0 for none.
    public var propertyIndex: UInt16 = 0
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let idBits = version == 0 ? 16 : 32
    let indexBits = flags & 1 == 1 ? 15 : 7
    let count = try v.count(32, "entry_count", entries.count)
    try v.list("entries", &entries, count: count) { entry, v throws(SyntaxError) in
      try v.u(idBits, "item_ID", &entry.itemID)
      let count = try v.count(8, "association_count", entry.associations.count)
      try v.list("associations", &entry.associations, count: count) {
        association, v throws(SyntaxError) in
        try v.flag("essential", &association.isEssential)
        try v.u(indexBits, "property_index", &association.propertyIndex)
      }
    }
  }
}
