// SPDX-License-Identifier: MIT

internal import ApusBytes

extension OffsetRebaser {
  /// Rebases items whose data is in the file (construction method 0); data in `idat` or in other items is not affected.
  /// Fields grow to 4 and 8 bytes if needed.
  mutating func rebased(_ box: ItemLocation, _ located: LocatedNode, _ meta: Node?)
    throws(EditError) -> Node?
  {
    let references = meta?.descendant("dinf", "dref")?.children ?? []
    var new = box
    var changed = false
    for index in box.items.indices {
      let item = box.items[index]
      guard item.constructionMethod == 0, isHere(item, references) else { continue }
      let old = try places(of: item, located.path)
      let moved = try zip(old, item.extents).map { start, extent throws(EditError) in
        try place(of: start, extent.length, item, located.path)
      }
      guard moved != old else { continue }
      new.items[index] = Self.item(item, old, moved, box)
      changed = true
    }
    let base = new.items.map(\.baseOffset).max() ?? 0
    let offset = new.items.flatMap(\.extents).map(\.offset).max() ?? 0
    let fits = Self.fits(base, box.baseOffsetSize) && Self.fits(offset, box.offsetSize)
    if changed, !fits { wide.insert(located.path) }
    guard changed || wide.contains(located.path) else { return nil }
    new.baseOffsetSize = Self.size(for: base, atLeast: box.baseOffsetSize)
    new.offsetSize = Self.size(for: offset, atLeast: box.offsetSize)
    return node(located, &new) { _ in }
  }

  private func isHere(_ item: ItemLocation.Item, _ references: [Node]) -> Bool {
    let index = Int(item.dataReferenceIndex)
    return index == 0
      || (references.indices.contains(index - 1) && references[index - 1].isThisFile)
  }

  /// Returns the offsets of an item's extents in the old file.
  private func places(of item: ItemLocation.Item, _ path: String) throws(EditError) -> [Int] {
    try item.extents.map { extent throws(EditError) in
      let (place, overflow) = item.baseOffset.addingReportingOverflow(extent.offset)
      guard !overflow, let place = Int(exactly: place) else {
        throw .offset(path: path, reason: "item \(item.id) lies beyond any file")
      }
      return place
    }
  }

  /// Returns the offset of an extent in the new file. An extent with length 0 is the whole file, or empty.
  private func place(
    of start: Int, _ length: UInt64, _ item: ItemLocation.Item, _ path: String
  ) throws(EditError) -> Int {
    if length == 0 { return map.place(of: start) ?? start }
    let end = Int(exactly: length).flatMap { sum(start, $0) } ?? .max
    guard let place = map.place(of: start..<end) else {
      throw .offset(path: path, reason: "item \(item.id) \(map.reason(for: start..<end))")
    }
    return place
  }

  /// Returns the item with its new offsets, in its existing fields if these are sufficient.
  private static func item(
    _ item: ItemLocation.Item, _ old: [Int], _ new: [Int], _ box: ItemLocation
  ) -> ItemLocation.Item {
    var item = item
    let shifts = Set(zip(new, old).map { $0 - $1 })
    let hasBase = box.baseOffsetSize > 0 && (item.baseOffset > 0 || box.offsetSize == 0)
    if hasBase, shifts.count == 1, let shift = shifts.first,
      let base = Int(exactly: item.baseOffset).flatMap({ sum($0, shift) }), base >= 0
    {
      item.baseOffset = UInt64(base)
      return item
    }
    let lowest = UInt64(new.min() ?? 0)
    if lowest < item.baseOffset { item.baseOffset = hasBase ? lowest : 0 }
    for index in new.indices { item.extents[index].offset = UInt64(new[index]) - item.baseOffset }
    return item
  }

  private static func fits(_ value: UInt64, _ size: UInt8) -> Bool {
    size >= 8 || value >> (UInt64(size) * 8) == 0
  }

  /// Returns the size of the field, 0, 4 or 8 bytes, for a value.
  private static func size(for value: UInt64, atLeast size: UInt8) -> UInt8 {
    if fits(value, size) { return size }
    return value <= UInt32.max ? 4 : 8
  }
}
