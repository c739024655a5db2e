// SPDX-License-Identifier: MIT

internal import ApusBytes

extension ItemGraph {
  /// The pictures in their own right except the primary one, in file order: not hidden, not an auxiliary picture,
  /// thumbnail or tile, and not the input of another picture.
  var displayableItems: [UInt32] {
    let tiles = Set(items.filter { $0.type == "grid" }.flatMap { $0.targets("dimg") })
    let sources = Set(references.filter { $0.type == "base" }.flatMap(\.to))
    // Some writers reverse the reference of a thumbnail.
    let thumbnails = Set(primaryItem?.targets("thmb") ?? [])
    let gainMaps = Set(
      items.filter { $0.type == "tmap" }.flatMap { $0.targets("dimg").dropFirst() })
    return items.filter { item in
      item.isPicture && !item.isHidden && item.type != "tmap"
        && !item.references.contains { ["auxl", "thmb", "tbas"].contains($0.type) }
        && !tiles.contains(item.id) && !sources.contains(item.id)
        && !thumbnails.contains(item.id) && !gainMaps.contains(item.id)
    }.map(\.id)
  }
}
