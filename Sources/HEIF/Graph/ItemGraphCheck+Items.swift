// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension ItemGraphCheck {
  /// Checks that each item occurs once, and that its data exists.
  mutating func checkItems(extents: Int) {
    var known: Set<UInt32> = []
    for item in graph.items where !known.insert(item.id).inserted {
      report(
        "item-twice", at: item, "is not the first item with this ID", reaches: .items([item.id]))
    }
    guard let locations = graph.locationBox else { return }
    var located: Set<UInt32> = []
    for entry in locations.box(ItemLocation.self)?.items ?? [] {
      if !located.insert(entry.id).inserted {
        report(
          "location-twice", at: locations, "item \(entry.id) has two locations",
          reaches: .items([entry.id]))
      } else if !known.contains(entry.id) {
        report(
          "location-of-nothing", at: locations,
          "has the location of item \(entry.id), which is not in the file")
      }
    }
    checkData(extents)
  }

  /// Checks that all data is in the file, including that of items which no picture needs.
  private mutating func checkData(_ extents: Int) {
    var search = ItemDataSearch(graph, tree.source, extents: extents)
    let boxes = tree.located.filter { ["ftyp", "meta", "moov"].contains($0.node.type) }
      .prefix(8)
    var known: Set<UInt32> = []
    // An identity has no data, whatever its location states.
    for item in graph.items where known.insert(item.id).inserted && item.type != "iden" {
      do throws(SyntaxError) {
        let data = try search.data(of: item.id)
        guard graph.locations[item.id]?.constructionMethod == 0 else { continue }
        checkPlace(of: data, item, boxes)
      } catch {
        // A limit bounds the check; a picture that needs more is refused because of it.
        guard error.kind != .limit else { return }
        report(
          "data-missing", at: error.path, error.offset ?? item.offset, named(error.message, item),
          kind: error.kind, reaches: .items([item.id]))
      }
    }
  }

  /// Returns the message with the number of the tile, if an item is one, because that is what a user sees missing. Only
  /// the first of very many are named, because each is searched for among all tiles.
  private func named(_ message: String, _ item: Item) -> String {
    let beginning = "item \(item.id)"
    let grids = graph.referrers(to: item.id, by: "dimg").lazy.compactMap(graph.item)
    guard damage.count < 100, message.hasPrefix(beginning),
      let grid = grids.first(where: { $0.type == "grid" }),
      let index = grid.targets("dimg").firstIndex(of: item.id)
    else { return message }
    return "tile \(index + 1) (\(beginning))" + message.dropFirst(beginning.count)
  }

  private mutating func checkPlace(
    of data: [Extent], _ item: Item, _ boxes: ArraySlice<LocatedNode>
  ) {
    for extent in data {
      let box = boxes.first { $0.node.extent?.overlaps(extent.range) == true }
      guard let box else { continue }
      return report(
        "data-misplaced", at: graph.locationBox ?? meta,
        "\(item.title) has its data at \(extent.range.lowerBound), which is inside \(box.node.type)"
      )
    }
  }

  /// Checks that the primary item exists and is a picture in its own right.
  mutating func checkPrimary() {
    guard let item = graph.primaryItem else { return checkMissingPrimary() }
    let box = meta.child("pitm") ?? meta
    if item.isHidden {
      report("primary-hidden", at: box, "\(item.title) is the primary item but hidden")
    }
    for (type, what) in [("thmb", "a thumbnail"), ("auxl", "an auxiliary picture")]
      as [(FourCC, String)]
    {
      guard let owner = item.targets(type).first else { continue }
      report(
        "primary-secondary", at: box,
        "\(item.title) is the primary item, but also \(what) of item \(owner)")
    }
    let grid = graph.referrers(to: item.id, by: "dimg").lazy.compactMap(graph.item)
      .first { $0.type == "grid" }
    if let grid {
      report(
        "primary-secondary", at: box,
        "\(item.title) is the primary item, but also a tile of item \(grid.id)")
    }
  }

  private mutating func checkMissingPrimary() {
    let box = meta.child("pitm")
    let problem: String
    if let id = graph.primaryID {
      problem = "the primary item \(id) is not in the file"
    } else {
      problem = box == nil ? "there is no primary item (pitm)" : "the primary item cannot be read"
    }
    let pictures = graph.displayableItems
    switch pictures.count {
    case 0:
      // A request for the picture fails, or is answered with that of a track.
      if let box { report("primary-missing", at: box, problem) }
    case 1:
      report(
        "primary-missing", at: box ?? meta,
        "\(problem); item \(pictures[0]), the only picture, is used instead")
    default: report("primary-missing", at: box ?? meta, problem, reaches: .file)
    }
  }
}
