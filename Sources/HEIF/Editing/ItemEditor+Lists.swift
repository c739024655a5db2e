// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The lists of items after a change.
extension ItemEditor {
  func changeLocations(_ editor: inout BoxEditor, _ places: [UInt32: NewPlace]) throws {
    guard let location = graph.locationBox, !(removals.isEmpty && places.isEmpty) else { return }
    try editor.change(location) { siblings, index throws(EditError) in
      guard var box = siblings[index].box as? ItemLocation else { return }
      box.items.removeAll { removals.contains($0.id) }
      guard places.isEmpty || box.offsetSize > 0 && box.lengthSize > 0 else {
        throw .refused(path: location.path, reason: "it has no room for another offset")
      }
      // The offsets are known when everything else has its position.
      for id in places.keys.sorted() { box.place(id, at: 0, count: 0) }
      siblings[index].box = box
    }
  }

  func changeEntries(_ editor: inout BoxEditor) throws {
    guard !(removals.isEmpty && additions.isEmpty) else { return }
    guard let entries = meta.child("iinf") else { throw missing("meta/iinf") }
    try editor.change(entries) { siblings, index in
      var children = siblings[index].children
      children.removeAll { node in
        (node.box as? ItemInformationEntry).map { removals.contains($0.itemID) } ?? false
      }
      siblings[index].children = children + additions.map { Node("infe", $0.entry) }
    }
  }

  func changeReferences(_ editor: inout BoxEditor) throws {
    guard !(removals.isEmpty && additions.isEmpty) else { return }
    guard let references = meta.child("iref") else {
      guard !additions.isEmpty, let entries = meta.child("iinf") else { return }
      var box = ItemReferences()
      box.boxes = try additions.map { try $0.reference(isWide: false) }
      let node = Node("iref", box)
      return try editor.change(entries) { siblings, index in
        siblings.insert(node, at: index + 1)
      }
    }
    let isWide = references.box(ItemReferences.self)?.header.version ?? 0 > 0
    let kept = references.node.children.compactMap { $0.without(removals) }
    let added = try additions.map { try $0.reference(isWide: isWide) }
    guard !(kept + added).isEmpty else { return try editor.remove(references) }
    try editor.change(references) { siblings, index in siblings[index].children = kept + added }
  }

  func changeGroups(_ editor: inout BoxEditor) throws {
    guard !removals.isEmpty, let groups = meta.child("grpl") else { return }
    for group in groups.children {
      guard var box = group.box(EntityGroup.self) else { continue }
      let count = box.entityIDs.count
      box.entityIDs.removeAll(where: removals.contains)
      guard box.entityIDs.count < count else { continue }
      // A single picture is no alternative.
      if box.entityIDs.count < 2 {
        try editor.remove(group)
      } else {
        try editor.change(group) { siblings, index in siblings[index].box = box }
      }
    }
  }

  func changePrimary(_ editor: inout BoxEditor) throws {
    guard let primary else { return }
    guard let located = meta.child("pitm"), var box = located.box(PrimaryItem.self) else {
      throw missing("meta/pitm")
    }
    guard box.version > 0 || UInt16(exactly: primary) != nil else {
      throw missing("room for the number \(primary) in meta/pitm")
    }
    box.itemID = primary
    try editor.change(located) { siblings, index in siblings[index].box = box }
  }

  /// Removes the brand of files with tone maps if the last of these is removed.
  func changeBrands(_ editor: inout BoxEditor) throws {
    let isMap = { (item: Item) in item.type == "tmap" }
    guard graph.items.contains(where: { isMap($0) && removals.contains($0.id) }),
      !graph.items.contains(where: { isMap($0) && !removals.contains($0.id) }),
      let located = file.tree.located.first(where: { $0.node.type == "ftyp" }),
      var type = located.box(FileType.self)
    else { return }
    type.compatibleBrands.removeAll { $0 == "tmap" }
    try editor.change(located) { siblings, index in siblings[index].box = type }
  }

  func missing(_ what: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "the file", detail: "has no \(what), so it cannot be changed")
  }
}

extension ItemEditor.AddedItem {
  fileprivate var entry: ItemInformationEntry {
    var entry = ItemInformationEntry()
    entry.itemID = id
    if UInt16(exactly: id) == nil { entry.header.version = 3 }
    entry.header.flags = 1
    switch kind {
    case .exif: entry.itemType = "Exif"
    case .xmp: entry.contentType = "application/rdf+xml"
    case .iptc: entry.itemType = "iptc"
    }
    return entry
  }

  /// Returns the reference to the described picture.
  fileprivate func reference(isWide: Bool) throws(SyntaxError) -> Node {
    guard !isWide else {
      var box = LargeItemReference()
      (box.fromItemID, box.toItemIDs) = (id, [picture])
      return Node("cdsc", box)
    }
    guard let small = UInt16(exactly: id), let target = UInt16(exactly: picture) else {
      throw SyntaxError(
        .unsupported, field: "iref", detail: "has no room for the number \(id) of another item")
    }
    var box = ItemReference()
    (box.fromItemID, box.toItemIDs) = (small, [target])
    return Node("cdsc", box)
  }
}

extension Node {
  /// Returns the references of an item without those to removed items; `nil` if nothing is left.
  fileprivate func without(_ removed: Set<UInt32>) -> Node? {
    var node = self
    if var small = box as? ItemReference {
      guard !removed.contains(UInt32(small.fromItemID)) else { return nil }
      small.toItemIDs.removeAll { removed.contains(UInt32($0)) }
      guard small.toItemIDs.count < (box as? ItemReference)?.toItemIDs.count ?? 0 else {
        return self
      }
      node.box = small
      return small.toItemIDs.isEmpty ? nil : node
    }
    guard var large = box as? LargeItemReference else { return self }
    guard !removed.contains(large.fromItemID) else { return nil }
    large.toItemIDs.removeAll { removed.contains($0) }
    guard large.toItemIDs.count < (box as? LargeItemReference)?.toItemIDs.count ?? 0 else {
      return self
    }
    node.box = large
    return large.toItemIDs.isEmpty ? nil : node
  }
}
