// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ISOBMFF

extension ItemEditor {
  /// Returns the file with all changes, with sizes and offsets updated.
  public func finished() throws -> EditedFile {
    var changed = self
    // Without a length, they would reach to the end of added data.
    if !isEmpty {
      let empty = graph.items.map(\.id).filter { id in
        graph.item(id).flatMap(MetadataKind.init) != nil && replacements[id] == nil
          && (try? graph.data(of: id, in: file.source).byteCount) == 0
      }
      changed.remove(Set(empty))
    }
    return try changed.edited()
  }

  private func edited() throws -> EditedFile {
    try checkPlaces()
    var editor = BoxEditor(file.tree, of: file.source)
    let places = try moveData(&editor)
    try changeEntries(&editor)
    try changeReferences(&editor)
    try changeProperties(&editor)
    try changeGroups(&editor)
    try changeLocations(&editor, places)
    try changeBrands(&editor)
    try changePrimary(&editor)
    for located in removedBoxes { try editor.remove(located) }
    if let strippingXMP { try removeLocations(&editor, strippingXMP) }
    return try editor.finished { boxes, data throws(EditError) in
      try place(places, in: &boxes, data)
    }
  }

  /// The new location of an item's data: in the place of old bytes, or among those that are added.
  enum NewPlace {
    case piece(Int, count: Int)
    case added(Int, count: Int)
  }

  /// Removes old data and adds new data; returns where that is.
  private func moveData(_ editor: inout BoxEditor) throws -> [UInt32: NewPlace] {
    var places: [UInt32: NewPlace] = [:]
    var blanked: [Range<Int>] = []
    var gone = try goneRanges()
    for (id, data) in replacements.sorted(by: { $0.key < $1.key }) {
      // The first range that no other item uses makes room for the new data.
      if let place = gone.firstIndex(where: { $0.id == id && !$0.isInMeta }) {
        editor.replaceData(gone[place].range, with: data)
        places[id] = .piece(gone[place].range.lowerBound, count: data.count)
        gone.remove(at: place)
      } else {
        places[id] = .added(editor.addData(data), count: data.count)
      }
    }
    for range in gone {
      if range.isInMeta {
        blanked.append(range.range)
      } else {
        editor.replaceData(range.range, with: [])
      }
    }
    for (id, item) in additions {
      let data = try item.data.bytes()
      places[id] = .added(editor.addData(data), count: data.count)
    }
    if !blanked.isEmpty { try blank(blanked, &editor) }
    return places
  }

  /// A range of the file that only one removed or replaced item used.
  private struct GoneRange {
    var id: UInt32
    var range: Range<Int>
    /// Whether it is in `idat`, the offsets in which are counted from its start.
    var isInMeta: Bool
  }

  /// Returns whether an item has neither a length nor data; throws if its data reach to the end of the file, which moves.
  private func isOpen(_ item: Item) throws(SyntaxError) -> Bool {
    guard let location = graph.locations[item.id], location.constructionMethod == 0,
      location.extents.count == 1, location.extents[0].length == 0
    else { return false }
    guard item.type == "iden" else {
      throw SyntaxError(
        .unsupported, field: item.title, offset: item.offset,
        detail: "reaches to the end of the file, which would move")
    }
    return true
  }

  /// Throws if data that stay are anywhere but in the bodies of boxes that are kept as bytes and of `idat`: headers and other
  /// boxes change.
  private func checkPlaces() throws(SyntaxError) {
    guard !isEmpty else { return }
    var bodies = RangeSet<Int>()
    for node in file.tree.boxes {
      switch node.content {
      case .lazy(let body), .opaque(let body, _), .junk(let body, _):
        bodies.insert(contentsOf: body.range)
      case .typed: continue
      }
    }
    if let data = graph.itemData { bodies.insert(contentsOf: data.range) }
    let kept = graph.items.filter { item in
      item.type != "iden" && !removals.contains(item.id) && replacements[item.id] == nil
    }
    let places = kept.flatMap { ranges(of: $0) }
    var outside = RangeSet(places)
    outside.subtract(bodies)
    guard let place = outside.ranges.first?.lowerBound,
      let item = kept.first(where: { item in ranges(of: item).contains { $0.contains(place) } })
    else { return }
    throw SyntaxError(
      .unsupported, field: item.title, offset: item.offset,
      detail: "has data at byte \(place), which is in no box that stays as it is")
  }

  /// The ranges of the file in which the data of an item are; none where they cannot be found.
  private func ranges(of item: Item) -> [Range<Int>] {
    let data = (try? graph.data(of: item.id, in: file.source)) ?? []
    return data.filter { $0.source === file.source }.map(\.range)
  }

  private func goneRanges() throws(SyntaxError) -> [GoneRange] {
    let changed = removals.union(replacements.keys)
    guard !(changed.isEmpty && additions.isEmpty) else { return [] }
    var used: [Range<Int>] = []
    for item in graph.items where !changed.contains(item.id) {
      guard try !isOpen(item) else { continue }
      used += ranges(of: item)
    }
    var left = RangeSet<Int>()
    var gone: [GoneRange] = []
    for id in changed.sorted() {
      guard let method = graph.locations[id]?.constructionMethod else { continue }
      guard method < 2 else {
        throw SyntaxError(
          .unsupported, field: graph.item(id)?.title ?? "item \(id)",
          detail: "has its data in other items, so they cannot be changed")
      }
      for extent in try graph.data(of: id, in: file.source) where extent.source === file.source {
        var own = RangeSet(extent.range)
        for range in used { own.remove(contentsOf: range) }
        own.subtract(left)
        left.formUnion(own)
        gone += own.ranges.map { GoneRange(id: id, range: $0, isInMeta: method == 1) }
      }
    }
    return gone
  }

  /// Overwrites ranges of `idat` with zeros.
  private func blank(_ ranges: [Range<Int>], _ editor: inout BoxEditor) throws {
    guard let box = meta.child("idat"), let data = graph.itemData else { return }
    var bytes = try data.bytes()
    for range in ranges {
      for place in range { bytes[place - data.range.lowerBound] = 0 }
    }
    var new = ItemData()
    new.data = Extent(bytes)
    try editor.change(box) { siblings, index in siblings[index].box = new }
  }

  /// Sets the offsets of new data.
  private func place(
    _ places: [UInt32: NewPlace], in boxes: inout [Node], _ data: NewData
  ) throws(EditError) {
    guard let meta = boxes.firstIndex(where: { $0.origin == self.meta.node.origin }),
      let index = boxes[meta].children.firstIndex(where: { $0.type == "iloc" }),
      var box = boxes[meta].children[index].box as? ItemLocation, !places.isEmpty
    else { return }
    for (id, place) in places {
      let (offset, count): (Int?, Int) =
        switch place {
        case .piece(let old, let count): (data.place(ofPieceAt: old), count)
        case .added(let offset, let count): (data.added + offset, count)
        }
      guard let offset, box.holds(offset, count) else {
        throw .refused(path: "meta/iloc", reason: "it has no room for another offset")
      }
      box.place(id, at: offset, count: count)
    }
    boxes[meta].children[index].box = box
  }
}

// MARK: - Movies

extension ItemEditor {
  /// Removes the locations of the file's own boxes and of the video of a motion photo.
  private func removeLocations(_ editor: inout BoxEditor, _ xmp: ([UInt8]) -> [UInt8]) throws {
    let own = LocationBoxes(file.tree, xmp: xmp)
    try own.check()
    try editor.remove(own.without(removedBoxes))
    for located in file.tree.located where !removedBoxes.contains(where: { $0.isSame(as: located) })
    {
      guard var motion = located.box(MotionVideo.self) else { continue }
      let video = motion.video
      let movie = SplicedSource(video, replacing: [])
      let locations = LocationBoxes(try BoxTree(reading: movie), xmp: xmp)
      try locations.check()
      guard !locations.isEmpty else { continue }
      let pieces = locations.blanks(at: video.range.lowerBound)
      let blanked = SplicedSource(video, replacing: pieces.sorted())
      motion.video = Extent(blanked, 0..<blanked.count)
      let new = motion
      try editor.change(located) { siblings, index in siblings[index].box = new }
    }
  }
}

extension ItemLocation {
  /// Sets the location of an item to a single extent in the file.
  mutating func place(_ id: UInt32, at offset: Int, count: Int) {
    var extent = ItemExtent()
    (extent.offset, extent.length) = (UInt64(offset), UInt64(count))
    var item = Item()
    (item.id, item.extents) = (id, [extent])
    if let index = items.firstIndex(where: { $0.id == id }) {
      items[index] = item
    } else {
      items.append(item)
    }
  }

  /// Returns whether the fields have room for an extent.
  fileprivate func holds(_ offset: Int, _ count: Int) -> Bool {
    let fits = { (value: Int, size: UInt8) in size >= 8 || value < 1 << (Int(size) * 8) }
    return fits(offset, offsetSize) && fits(count, lengthSize)
  }
}
