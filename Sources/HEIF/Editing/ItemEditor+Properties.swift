// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// The properties of items after a change. Their numbers are those of the original list, followed by the added ones,
/// until `BoxEditor` renumbers them.
extension ItemEditor {
  func changeProperties(_ editor: inout BoxEditor) throws {
    let isPlaced = !orientations.isEmpty || crop != nil
    guard !removals.isEmpty || isPlaced, let properties = meta.child("iprp"),
      let list = properties.child("ipco")
    else {
      guard !isPlaced else { throw missing("meta/iprp/ipco") }
      return
    }
    var added: [Node] = []
    let aperture = crop.map { crop in
      added.append(Node("clap", crop.aperture))
      return association(with: graph.properties.count + added.count)
    }
    var placed: [UInt32: [ItemPropertyAssociations.Association]] = [:]
    for (id, orientation) in orientations.sorted(by: { $0.key < $1.key }) {
      placed[id] = associations(of: orientation, &added)
    }
    // A number of no property, which some files have, must not become that of an added one.
    let known = graph.properties.count
    let taken = known..<known + added.count
    var used: Set<Int> = []
    var turned: Set<UInt32> = []
    var isCropped = false
    for located in properties.children(of: "ipma") {
      guard var box = located.box(ItemPropertyAssociations.self) else {
        throw SyntaxError(
          .unsupported, field: "ipma", path: located.path, offset: located.node.start,
          detail: "cannot be read, so properties cannot be changed")
      }
      box.entries.removeAll { removals.contains($0.itemID) }
      for index in box.entries.indices {
        let id = box.entries[index].itemID
        box.entries[index].associations.removeAll { taken.contains(Int($0.propertyIndex) - 1) }
        if let associations = placed[id] {
          box.entries[index].associations.removeAll { has($0, Self.turns) }
          if turned.insert(id).inserted {
            box.entries[index].associations += associations
          }
        }
        if id == crop?.id, let aperture {
          box.entries[index].associations.removeAll { has($0, ["clap"]) }
          let turn = box.entries[index].associations.firstIndex { has($0, Self.turns) }
          if !isCropped {
            box.entries[index].associations.insert(
              aperture, at: turn ?? box.entries[index].associations.count)
          }
          isCropped = true
        }
        used.formUnion(box.entries[index].associations.map { Int($0.propertyIndex) })
      }
      if used.max() ?? 0 > 127 { box.header.flags |= 1 }
      try editor.change(located) { siblings, index in siblings[index].box = box }
    }
    guard turned.count == orientations.count, isCropped == (crop != nil) else {
      throw missing("properties of the picture in meta/iprp/ipma")
    }
    // Properties that no item had before are not of this change.
    let before = Set(graph.items.flatMap { $0.properties.map(\.index) })
    for (place, property) in graph.properties.enumerated()
    where before.contains(place + 1) && !used.contains(place + 1) {
      try editor.remove(property)
    }
    guard !added.isEmpty else { return }
    try editor.change(list) { siblings, index in siblings[index].children += added }
  }

  private static let turns: [FourCC] = ["irot", "imir"]

  /// Returns whether the property is of one of some types.
  private func has(
    _ association: ItemPropertyAssociations.Association, _ types: [FourCC]
  ) -> Bool {
    let index = Int(association.propertyIndex) - 1
    guard graph.properties.indices.contains(index) else { return false }
    return types.contains(graph.properties[index].node.type)
  }

  /// Returns an essential association with the property of a number, counted from 1.
  private func association(with index: Int) -> ItemPropertyAssociations.Association {
    var association = ItemPropertyAssociations.Association()
    association.isEssential = true
    association.propertyIndex = UInt16(clamping: index)
    return association
  }

  /// Returns the associations of an orientation, with properties that exist or are added.
  private func associations(of orientation: Orientation, _ added: inout [Node])
    -> [ItemPropertyAssociations.Association]
  {
    NewItem.Property.laying(orientation).map { property in
      let known = (graph.properties.map(\.node) + added).firstIndex {
        $0.turns(like: property.node)
      }
      if known == nil { added.append(property.node) }
      return association(with: known.map { $0 + 1 } ?? graph.properties.count + added.count)
    }
  }
}

extension Node {
  /// Returns whether a property turns a picture as another one does.
  fileprivate func turns(like other: Node) -> Bool {
    if let turn = box as? ImageRotation, let same = other.box as? ImageRotation {
      return turn.angle == same.angle
    }
    guard let mirror = box as? ImageMirror, let same = other.box as? ImageMirror else {
      return false
    }
    return mirror.axis == same.axis
  }
}
