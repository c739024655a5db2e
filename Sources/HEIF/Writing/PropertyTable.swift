// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// A list of properties, in which items with equal ones share them.
struct PropertyTable {
  private(set) var nodes: [Node]
  private var places: [[UInt8]: Int] = [:]

  /// - Parameter nodes: the properties that are there before any is added, which may be equal.
  init(_ nodes: [Node] = []) throws(SyntaxError) {
    self.nodes = nodes
    for (place, node) in nodes.enumerated() {
      let bytes = try BoxTree(boxes: [node]).bytes()
      places[bytes] = places[bytes] ?? place
    }
  }

  /// Adds the properties of an item as far as they are new, and returns the numbers of all.
  mutating func associations(with properties: [NewItem.Property]) throws(SyntaxError)
    -> [ItemPropertyAssociations.Association]
  {
    try properties.map { property throws(SyntaxError) in
      let bytes = try BoxTree(boxes: [property.node]).bytes()
      let place = places[bytes] ?? nodes.count
      if place == nodes.count {
        places[bytes] = place
        nodes.append(property.node)
      }
      var association = ItemPropertyAssociations.Association()
      association.isEssential = property.isEssential
      association.propertyIndex = UInt16(clamping: place + 1)
      return association
    }
  }

  /// Returns the numbers of an item's properties, as `associations(with:)` does, with the ID of the item.
  mutating func entry(_ id: UInt32, _ properties: [NewItem.Property]) throws(SyntaxError)
    -> ItemPropertyAssociations.Entry
  {
    var entry = ItemPropertyAssociations.Entry()
    entry.itemID = id
    entry.associations = try associations(with: properties)
    return entry
  }

  /// Returns whether the property is of one of some types.
  func has(_ association: ItemPropertyAssociations.Association, _ types: [FourCC]) -> Bool {
    let place = Int(association.propertyIndex) - 1
    return nodes.indices.contains(place) && types.contains(nodes[place].type)
  }

  /// The box `iprp` of all items of a file.
  static func box(of items: [NewItem]) throws(SyntaxError) -> Node {
    var table = try PropertyTable()
    var associations = ItemPropertyAssociations()
    for (index, item) in items.enumerated() where !item.properties.isEmpty {
      associations.entries.append(try table.entry(UInt32(clamping: index + 1), item.properties))
    }
    if table.nodes.count > 127 { associations.header.flags = 1 }
    var container = Container()
    container.boxes = table.nodes
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", associations)]
    return Node("iprp", properties)
  }
}
