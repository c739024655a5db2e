// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// The items of a file and their relations (file-level `meta`): ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12.
public struct ItemGraph: Sendable {
  /// The items, in the order of their `infe` entries.
  public var items: [Item] {
    usage?.count(entries.count)
    return entries
  }
  private var entries: [Item] = []
  /// Counts examined items and references, for tests of the cost of a job.
  var usage: GraphUsage?
  /// The ID of the primary item (`pitm`), which may not exist.
  public var primaryID: UInt32?
  /// The boxes in `ipco`; the first is property 1.
  public var properties: [LocatedNode] = []
  /// The references between items, in file order.
  public var references: [ItemGraph.Reference] = []
  /// The entity groups that could be read, in file order.
  public var groups: [ItemGroup] = []
  /// The handler, which is `pict` for pictures.
  public var handler: FourCC?
  var locations: [UInt32: ItemLocation.Item] = [:]
  var locationBox: LocatedNode?
  /// The data of `idat`.
  var itemData: Extent?
  private var positions: [UInt32: Int] = [:]
  /// The items that refer to an item, keyed by the type of the reference and in file order.
  private var incoming: [UInt32: [FourCC: [UInt32]]] = [:]

  /// A reference from one item to others (a child of `iref`).
  public struct Reference: Hashable, Sendable {
    /// The type, such as `dimg`, `thmb`, `auxl` or `cdsc`.
    public var type: FourCC
    /// The ID of the referring item.
    public var from: UInt32
    /// The IDs of the items referred to, in order.
    public var to: [UInt32]

    /// Reads a child of `iref`; `nil` if it cannot be read.
    init?(_ located: LocatedNode) {
      type = located.node.type
      if let small = located.box(ItemReference.self) {
        (from, to) = (UInt32(small.fromItemID), small.toItemIDs.map(UInt32.init))
      } else if let large = located.box(LargeItemReference.self) {
        (from, to) = (large.fromItemID, large.toItemIDs)
      } else {
        return nil
      }
    }

    init(type: FourCC, from: UInt32, to: [UInt32]) {
      (self.type, self.from, self.to) = (type, from, to)
    }
  }

  /// Reads the graph of a file, which is empty if there is no file-level `meta`. Unreadable parts are omitted, and are
  /// among the tree's findings.
  public init(_ tree: BoxTree) {
    guard let meta = tree.located.first(where: { $0.node.type == "meta" && $0.node.box != nil })
    else { return }
    handler = meta.box(at: "hdlr", as: HandlerReference.self)?.handlerType
    primaryID = meta.box(at: "pitm", as: PrimaryItem.self)?.itemID
    properties = meta.child("iprp", "ipco")?.children ?? []
    groups = meta.child("grpl")?.children.compactMap(ItemGroup.init) ?? []
    itemData = meta.box(at: "idat", as: ItemData.self)?.data
    locationBox = meta.child("iloc")
    for location in locationBox?.box(ItemLocation.self)?.items ?? [] {
      locations[location.id] = locations[location.id] ?? location
    }
    for entry in meta.child("iinf")?.children ?? [] {
      guard let information = entry.box(ItemInformationEntry.self) else { continue }
      positions[information.itemID] = positions[information.itemID] ?? entries.count
      entries.append(Item(information, entry))
    }
    for child in meta.child("iref")?.children ?? [] {
      if let reference = Reference(child) { add(reference) }
    }
    for box in meta.child("iprp")?.children(of: "ipma") ?? [] {
      for entry in box.box(ItemPropertyAssociations.self)?.entries ?? [] { add(entry) }
    }
  }

  /// Creates a graph without boxes, from items and the extents of their data in the file.
  init(_ items: [Item], primaryID: UInt32, data: [UInt32: Extent]) {
    entries = items
    self.primaryID = primaryID
    handler = "pict"
    references = items.flatMap(\.references)
    for (position, item) in items.enumerated() { positions[item.id] = position }
    for reference in references { addIncoming(reference) }
    for (id, extent) in data {
      var part = ItemLocation.ItemExtent()
      (part.offset, part.length) = (UInt64(extent.range.lowerBound), UInt64(extent.count))
      var location = ItemLocation.Item()
      location.id = id
      location.extents = [part]
      locations[id] = location
    }
  }

  /// Returns the item with an ID, or the first if several have it; `nil` if none has it.
  public func item(_ id: UInt32) -> Item? {
    usage?.count(1)
    return positions[id].map { entries[$0] }
  }

  /// Returns the index of an item in `items`.
  func position(of id: UInt32) -> Int? { positions[id] }

  /// The primary item; `nil` if the file names none, or one that does not exist.
  public var primaryItem: Item? { primaryID.flatMap(item) }

  /// Returns the items that refer to `id` with a type of reference, in file order.
  public func referrers(to id: UInt32, by type: FourCC) -> [UInt32] {
    let found = incoming[id]?[type] ?? []
    usage?.count(1 + found.count)
    return found
  }

  /// Returns whether any item refers to `id`.
  func isReferred(_ id: UInt32) -> Bool { incoming[id] != nil }

  private mutating func add(_ reference: Reference) {
    addIncoming(reference)
    if let position = positions[reference.from] { entries[position].references.append(reference) }
    references.append(reference)
  }

  private mutating func addIncoming(_ reference: Reference) {
    for target in Set(reference.to) {
      incoming[target, default: [:]][reference.type, default: []].append(reference.from)
    }
  }

  private mutating func add(_ entry: ItemPropertyAssociations.Entry) {
    guard let position = positions[entry.itemID] else { return }
    let found: [ItemProperty] = entry.associations.compactMap { association in
      let index = Int(association.propertyIndex)
      guard properties.indices.contains(index - 1) else {
        if association.isEssential, index > 0 { entries[position].missingProperty = index }
        return nil
      }
      return ItemProperty(
        located: properties[index - 1], index: index, isEssential: association.isEssential)
    }
    entries[position].properties += found
  }
}
