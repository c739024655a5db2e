// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// The properties of items after a change. Their numbers are those of the original list, followed by the added ones,
/// until `BoxEditor` renumbers them.
extension ItemEditor {
  func changeProperties(_ editor: inout BoxEditor) throws {
    var changes = try PropertyChanges(self)
    guard !(removals.isEmpty && changes.isEmpty), let boxes = meta.child("iprp"),
      let list = boxes.child("ipco")
    else {
      guard changes.isEmpty else { throw missing("meta/iprp/ipco") }
      return
    }
    var used: Set<Int> = []
    let lists = boxes.children(of: "ipma")
    for (number, located) in lists.enumerated() {
      guard var box = located.box(ItemPropertyAssociations.self) else {
        throw SyntaxError(
          .unsupported, field: "ipma", path: located.path, offset: located.node.start,
          detail: "cannot be read, so properties cannot be changed")
      }
      box.entries.removeAll { removals.contains($0.itemID) }
      for index in box.entries.indices { changes.apply(to: &box.entries[index]) }
      if number == lists.count - 1 { box.entries += changes.entries }
      used.formUnion(box.entries.flatMap(\.associations).map { Int($0.propertyIndex) })
      if used.max() ?? 0 > 127 { box.header.flags |= 1 }
      if box.entries.contains(where: { $0.itemID > UInt16.max }) { box.header.version = 1 }
      try editor.change(located) { siblings, index in siblings[index].box = box }
    }
    guard changes.left.isEmpty, changes.entries.isEmpty || !lists.isEmpty else {
      throw missing("properties of the picture in meta/iprp/ipma")
    }
    // Properties that no item had before are not of this change.
    let before = Set(graph.items.flatMap { $0.properties.map(\.index) })
    for (place, property) in graph.properties.enumerated()
    where before.contains(place + 1) && !used.contains(place + 1) {
      try editor.remove(property)
    }
    guard !changes.added.isEmpty else { return }
    try editor.change(list) { siblings, index in siblings[index].children += changes.added }
  }
}

/// The changes to the properties of items.
private struct PropertyChanges {
  private var table: PropertyTable
  /// The number of properties in the file.
  private let known: Int
  /// The properties that turn items, in place of others.
  private var turns: [UInt32: [ItemPropertyAssociations.Association]] = [:]
  /// Other properties that items get.
  private var further: [UInt32: [ItemPropertyAssociations.Association]] = [:]
  /// The item that loses its crop.
  private let cropped: UInt32?
  /// The properties of new items.
  private(set) var entries: [ItemPropertyAssociations.Entry] = []
  /// The items that have not been changed yet.
  private(set) var left: Set<UInt32>

  init(_ editor: ItemEditor) throws(SyntaxError) {
    known = editor.graph.properties.count
    cropped = editor.crop?.id
    left = Set(editor.orientations.keys).union(editor.properties.keys)
    if let cropped { left.insert(cropped) }
    let new = editor.additions.filter { !$0.item.properties.isEmpty }
    table = try PropertyTable(
      left.isEmpty && new.isEmpty ? [] : editor.graph.properties.map(\.node))
    for id in left.sorted() {
      if let orientation = editor.orientations[id] {
        turns[id] = try table.associations(with: NewItem.Property.laying(orientation))
      }
      var added = editor.properties[id] ?? []
      if let crop = editor.crop, crop.id == id {
        added.append(NewItem.Property(Node("clap", crop.aperture), isEssential: true))
      }
      further[id] = try table.associations(with: added)
    }
    for (id, item) in new { entries.append(try table.entry(id, item.properties)) }
  }

  var isEmpty: Bool { turns.isEmpty && further.isEmpty && entries.isEmpty }

  /// The properties that the file does not have.
  var added: ArraySlice<Node> { table.nodes.dropFirst(known) }

  /// Changes the properties of an item. If it has several entries, its new properties are in the first.
  mutating func apply(to entry: inout ItemPropertyAssociations.Entry) {
    let isFirst = left.remove(entry.itemID) != nil
    // A number of no property, which some files have, must not become that of an added one.
    entry.associations.removeAll {
      $0.propertyIndex > known && $0.propertyIndex <= table.nodes.count
    }
    if entry.itemID == cropped { entry.associations.removeAll { table.has($0, ["clap"]) } }
    if let turns = turns[entry.itemID] {
      entry.associations.removeAll { table.has($0, ["irot", "imir"]) }
      if isFirst { entry.associations += turns }
    }
    guard isFirst, let further = further[entry.itemID] else { return }
    // A crop, and what describes the coded picture, precede its turns.
    let place = entry.associations.firstIndex { table.has($0, ["clap", "irot", "imir"]) }
    entry.associations.insert(contentsOf: further, at: place ?? entry.associations.count)
  }
}
