// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension NewItemFile {
  /// Adds all items of a file, whose data are copied, and returns the ID that its primary picture has here.
  ///
  /// - Parameter isKept: whether a property of an item is written.
  public mutating func add(
    _ file: PhotoFile, keeping isKept: (ItemProperty) -> Bool = { _ in true }
  ) throws(SyntaxError) -> UInt32 {
    let graph = file.graph
    guard case .item(let primary) = try file.primaryPicture().place else {
      throw SyntaxError(.unsupported, field: "meta", detail: "has no items that can be copied")
    }
    var ids: [UInt32: UInt32] = [:]
    for item in graph.items { ids[item.id] = UInt32(clamping: items.count + ids.count + 1) }
    for item in graph.items {
      guard item.contentEncoding.isEmpty, item.protectionIndex == 0 else {
        throw SyntaxError(
          .unsupported, field: "item \(item.id)", path: item.path, offset: item.offset,
          detail: "is compressed or protected, and cannot be copied")
      }
      var extents = try graph.data(of: item.id, in: file.tree.source)
      if extents.count != 1 {
        var bytes: [UInt8] = []
        for extent in extents { bytes += try extent.bytes() }
        extents = [Extent(bytes)]
      }
      // The data of a derived picture are few bytes.
      let isDerived = !item.targets("dimg").isEmpty
      var copy = NewItem(
        item.type, isDerived ? .description(try extents[0].bytes()) : .media(extents[0]))
      copy.contentType = item.contentType
      copy.isHidden = item.isHidden
      copy.properties = item.properties.filter(isKept).map {
        NewItem.Property($0.located.node, isEssential: $0.isEssential)
      }
      copy.references = item.references.map { reference in
        NewItem.Reference(type: reference.type, to: reference.to.compactMap { ids[$0] })
      }
      add(copy)
    }
    for group in graph.groups { groups.append((group.type, group.entities.compactMap { ids[$0] })) }
    addBrands(of: file)
    let id = ids[primary] ?? 0
    primaryID = primaryID ?? id
    return id
  }

  /// Adds the brands of a file; the major brand is that of the first.
  private mutating func addBrands(of file: PhotoFile) {
    guard let box = file.tree.located.first(where: { $0.node.type == "ftyp" }),
      let brands = box.box(FileType.self)
    else { return }
    var type = type ?? brands
    for brand in brands.compatibleBrands where !type.compatibleBrands.contains(brand) {
      type.compatibleBrands.append(brand)
    }
    self.type = type
  }

  /// Adds a property to an item.
  public mutating func add(_ property: NewItem.Property, to id: UInt32) {
    guard items.indices.contains(Int(id) - 1) else { return }
    items[Int(id) - 1].properties.insert(property, at: 0)
  }

  /// Replaces the items by which a picture is described with one that has other bytes.
  public mutating func replace(_ type: FourCC, of id: UInt32, with item: NewItem) {
    for index in items.indices where items[index].type == type {
      if items[index].references.contains(where: { $0.type == "cdsc" && $0.to == [id] }) {
        items[index].data = item.data
        return
      }
    }
    refer(from: add(item), "cdsc", to: [id])
  }
}
