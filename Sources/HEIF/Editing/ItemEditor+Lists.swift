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
      siblings[index].children = children + additions.map { Node("infe", $0.item.entry($0.id)) }
    }
  }

  func changeReferences(_ editor: inout BoxEditor) throws {
    let new = additions.flatMap { id, item in item.references.map { (id, $0) } } + references
    guard !(removals.isEmpty && new.isEmpty) else { return }
    guard let references = meta.child("iref") else {
      guard !new.isEmpty, let entries = meta.child("iinf") else { return }
      var box = ItemReferences()
      box.boxes = try new.map { try $1.node(from: $0, isWide: false) }
      let node = Node("iref", box)
      return try editor.change(entries) { siblings, index in
        siblings.insert(node, at: index + 1)
      }
    }
    let isWide = references.box(ItemReferences.self)?.header.version ?? 0 > 0
    let kept = references.node.children.compactMap { $0.without(removals) }
    let added = try new.map { try $1.node(from: $0, isWide: isWide) }
    guard !(kept + added).isEmpty else { return try editor.remove(references) }
    try editor.change(references) { siblings, index in siblings[index].children = kept + added }
  }

  func changeGroups(_ editor: inout BoxEditor) throws {
    let list = meta.child("grpl")
    var isNew = alternative != nil
    for group in list?.children ?? [] {
      guard var box = group.box(EntityGroup.self) else { continue }
      let old = box.entityIDs
      box.entityIDs.removeAll(where: removals.contains)
      if group.node.type == "altr", let alternative,
        let place = box.entityIDs.firstIndex(of: alternative.picture)
      {
        box.entityIDs.insert(alternative.item, at: place)
        isNew = false
      }
      guard box.entityIDs != old else { continue }
      // A single picture is no alternative.
      if box.entityIDs.count < 2 {
        try editor.remove(group)
      } else {
        try editor.change(group) { siblings, index in siblings[index].box = box }
      }
    }
    guard isNew, let alternative, let location = graph.locationBox else { return }
    var box = EntityGroup()
    box.groupID = unusedID
    // A reader that supports the item prefers it: ISO/IEC 14496-12, 8.18.3.1.
    box.entityIDs = [alternative.item, alternative.picture]
    let group = Node("altr", box)
    if let list {
      return try editor.change(list) { siblings, index in siblings[index].children.append(group) }
    }
    var groups = EntityGroups()
    groups.boxes = [group]
    let node = Node("grpl", groups)
    try editor.change(location) { siblings, index in siblings.insert(node, at: index + 1) }
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

  /// Adds the brand of files with tone maps with the first of these, and removes it with the last.
  func changeBrands(_ editor: inout BoxEditor) throws {
    let maps = graph.items.filter { $0.type == "tmap" }.map(\.id)
    let isAdded = additions.contains { $0.item.type == "tmap" }
    let isGone = !maps.isEmpty && maps.allSatisfy(removals.contains)
    guard isAdded || isGone,
      let located = file.tree.located.first(where: { $0.node.type == "ftyp" }),
      var type = located.box(FileType.self)
    else { return }
    type.compatibleBrands.removeAll { $0 == "tmap" }
    if isAdded { type.compatibleBrands.append("tmap") }
    try editor.change(located) { siblings, index in siblings[index].box = type }
  }

  func missing(_ what: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "the file", detail: "has no \(what), so it cannot be changed")
  }
}

extension NewItem.Reference {
  /// Returns the box of the reference from an item.
  fileprivate func node(from id: UInt32, isWide: Bool) throws(SyntaxError) -> Node {
    guard !isWide else {
      var box = LargeItemReference()
      (box.fromItemID, box.toItemIDs) = (id, to)
      return Node(type, box)
    }
    let targets = to.compactMap { UInt16(exactly: $0) }
    guard let small = UInt16(exactly: id), targets.count == to.count else {
      throw SyntaxError(
        .unsupported, field: "iref", detail: "has no room for the number \(id) of another item")
    }
    var box = ItemReference()
    (box.fromItemID, box.toItemIDs) = (small, targets)
    return Node(type, box)
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
