// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The box `iprp`: each distinct property once, and the items it belongs to.
struct PropertyTable {
  let node: Node

  init(_ items: [NewItem]) throws(SyntaxError) {
    var nodes: [Node] = []
    var places: [[UInt8]: Int] = [:]
    var associations = ItemPropertyAssociations()
    for (index, item) in items.enumerated() where !item.properties.isEmpty {
      var entry = ItemPropertyAssociations.Entry()
      entry.itemID = UInt32(clamping: index + 1)
      for property in item.properties {
        let bytes = try BoxTree(boxes: [property.node]).bytes()
        let place = places[bytes] ?? nodes.count
        if place == nodes.count {
          places[bytes] = place
          nodes.append(property.node)
        }
        var association = ItemPropertyAssociations.Association()
        association.isEssential = property.isEssential
        association.propertyIndex = UInt16(clamping: place + 1)
        entry.associations.append(association)
      }
      associations.entries.append(entry)
    }
    if nodes.count > 127 { associations.header.flags = 1 }
    var container = Container()
    container.boxes = nodes
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", associations)]
    node = Node("iprp", properties)
  }
}
