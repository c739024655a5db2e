// SPDX-License-Identifier: MIT

internal import Bytes

extension ItemGraph {
  /// The pictures of their own but the primary one, in file order: not hidden, no auxiliary picture, thumbnail or tile,
  /// and not what another was made from.
  var displayableItems: [UInt32] {
    let tiles = Set(items.filter { $0.type == "grid" }.flatMap { $0.targets("dimg") })
    let sources = Set(references.filter { $0.type == "base" }.flatMap(\.to))
    // Some writers turn the reference of a thumbnail round.
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
