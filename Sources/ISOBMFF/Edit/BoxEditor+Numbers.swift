// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Renumbers boxes that others refer to by their index in a list: properties of items, sample descriptions, data
/// references.
extension BoxEditor {
  private static let containers: Set<FourCC> = [
    "meta", "iprp", "moov", "trak", "mdia", "minf", "dinf", "stbl",
  ]

  /// Returns the boxes with updated indices of boxes that moved. Associations of properties are renumbered, and lose
  /// those that were removed; other indices are not updated, and a change that would require it is refused.
  func renumbered(_ boxes: [Node]) throws(EditError) -> [Node] {
    try Self.renumbered(boxes, from: original.located) ?? boxes
  }

  /// Returns the renumbered boxes; `nil` if nothing moves.
  private static func renumbered(_ boxes: [Node], from old: [LocatedNode]) throws(EditError)
    -> [Node]?
  {
    var renumbered: [Node]?
    for (place, located) in old.enumerated() where !located.node.isJunk {
      let type = located.node.type
      guard containers.contains(type) || type == "stsd" || type == "dref",
        let index = index(of: located.node, in: boxes, expectedAt: place),
        // Nothing in it was changed.
        boxes[index].extent == nil
      else { continue }
      if type == "iprp" {
        guard let node = try properties(of: boxes[index], from: located) else { continue }
        renumbered = renumbered ?? boxes
        renumbered?[index] = node
      } else if containers.contains(type) {
        let inner = try Self.renumbered(boxes[index].children, from: located.children)
        guard let inner else { continue }
        renumbered = renumbered ?? boxes
        renumbered?[index].children = inner
      } else if places(of: located.node.children, in: boxes[index].children) != nil {
        throw .refused(
          path: located.path,
          reason: "others name the boxes in it by their numbers, and those would change")
      }
    }
    return renumbered
  }

  private static func index(of node: Node, in boxes: [Node], expectedAt place: Int) -> Int? {
    if boxes.indices.contains(place), boxes[place].origin == node.origin { return place }
    return boxes.firstIndex { $0.origin == node.origin }
  }

  /// Returns the boxes with properties and their associations, renumbered; `nil` if all properties keep their index.
  private static func properties(of node: Node, from located: LocatedNode) throws(EditError)
    -> Node?
  {
    guard let places = propertyPlaces(from: located, to: node) else { return nil }
    var node = node
    node.children = try node.children.map { child throws(EditError) in
      child.type == "ipma" ? try associations(of: child, by: places, located.path) : child
    }
    return node
  }

  private static func propertyPlaces(from old: LocatedNode, to new: Node) -> [Int]? {
    guard let before = old.child("ipco")?.node,
      let after = new.children.first(where: { $0.origin == before.origin })
    else { return nil }
    return places(of: before.children, in: after.children, countingRemoved: true)
  }

  /// Returns the new index of each box, from 1; 0 for one that was removed. `nil` if all keep their index. Indices of
  /// added boxes follow those of the old ones.
  ///
  /// - Parameter countingRemoved: whether a removal counts as a change even if all others keep their index.
  private static func places(
    of old: [Node], in new: [Node], countingRemoved: Bool = false
  ) -> [Int]? {
    var found: [Range<Int>: Int] = [:]
    for (index, node) in new.enumerated() {
      if let origin = node.origin { found[origin] = index + 1 }
    }
    let places = old.map { node in node.origin.flatMap { found[$0] } ?? 0 }
    let isSame = places.enumerated().allSatisfy { index, place in
      place == index + 1 || (place == 0 && !countingRemoved)
    }
    return isSame ? nil : places + new.indices.filter { new[$0].origin == nil }.map { $0 + 1 }
  }

  private static func associations(of node: Node, by places: [Int], _ path: String)
    throws(EditError) -> Node
  {
    // Boxes inserted by this change are correct already.
    guard node.origin != nil else { return node }
    guard var box = node.body(as: ItemPropertyAssociations.self) else {
      throw .refused(
        path: "\(path)/ipma", reason: "it cannot be read, and the numbers of properties change")
    }
    var highest = 0
    for entry in box.entries.indices {
      for index in box.entries[entry].associations.indices {
        var association = box.entries[entry].associations[index]
        let old = Int(association.propertyIndex)
        guard places.indices.contains(old - 1) else { continue }
        let place = places[old - 1]
        guard let number = UInt16(exactly: place), number < 1 << 15 else {
          throw .refused(path: path, reason: "ipma cannot name property \(place)")
        }
        association.propertyIndex = number
        // Property 0 is not essential: ISO/IEC 14496-12, 8.11.14.
        if place == 0 { association.isEssential = false }
        box.entries[entry].associations[index] = association
        highest = max(highest, place)
      }
    }
    if highest > 127 { box.header.flags |= 1 }
    var changed = node
    changed.box = box
    return changed
  }
}
