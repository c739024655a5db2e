// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// Small forms of the primary picture.
extension ItemEditor {
  /// Whether the primary picture has a thumbnail that is not removed.
  public var hasThumbnail: Bool {
    guard let id = graph.primaryID else { return false }
    // Some writers reverse the reference.
    let found = graph.referrers(to: id, by: "thmb") + (graph.item(id)?.targets("thmb") ?? [])
    return !found.allSatisfy(removals.contains)
  }

  /// Adds a thumbnail of the primary picture. Call it after `turn(_:)`.
  ///
  /// - Parameter small: a file whose primary picture has the stored orientation of the picture.
  /// - Returns: the ID of the item.
  public mutating func addThumbnail(_ small: PhotoFile) throws(SyntaxError) -> UInt32 {
    guard let id = graph.primaryID, let picture = graph.item(id) else {
      throw missing("primary picture")
    }
    guard let whole = small.graph.primaryItem, ["hvc1", "grid"].contains(whole.type) else {
      throw SyntaxError(.misuse, field: "the thumbnail", detail: "is not a picture coded as HEVC")
    }
    var item = try copy(whole, of: small)
    item.properties += NewItem.Property.laying(orientations[id] ?? picture.orientation)
    item.references.append(NewItem.Reference(type: "thmb", to: [id]))
    return add(item)
  }

  /// Returns a copy of a picture of another file, whose tiles are added.
  private mutating func copy(_ item: Item, of file: PhotoFile) throws(SyntaxError) -> NewItem {
    var copied = NewItem(
      item.type, .media(Extent(try file.graph.data(of: item.id, in: file.source).bytes())))
    copied.isHidden = item.isHidden
    copied.properties = item.properties.compactMap { property in
      property.located.node.box.map {
        NewItem.Property(Node(property.type, $0), isEssential: property.isEssential)
      }
    }
    var tiles: [UInt32] = []
    for tile in item.targets("dimg").compactMap(file.graph.item)
    where item.type == "grid" && tile.type == "hvc1" {
      tiles.append(add(try copy(tile, of: file)))
    }
    if !tiles.isEmpty { copied.references = [NewItem.Reference(type: "dimg", to: tiles)] }
    return copied
  }
}
