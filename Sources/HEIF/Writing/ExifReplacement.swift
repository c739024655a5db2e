// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// A copy of a file of items in which the Exif of a picture is replaced, and everything else is unchanged.
///
/// The new bytes are in a separate box after the media data, so that nothing moves; the old ones are overwritten with
/// zeros.
public struct ExifReplacement {
  private let file: PhotoFile
  private let picture: UInt32
  /// The Exif item that describes the picture.
  private let item: Item?
  private let old: [Extent]

  /// Prepares the replacement; throws if the picture is not an item, or the file has no `iloc`.
  public init(of picture: PhotoPicture, in file: PhotoFile) throws(SyntaxError) {
    guard case .item(let id) = picture.place, file.graph.locationBox != nil else {
      throw SyntaxError(
        .unsupported, field: "the picture",
        detail: "is not an item, so its metadata cannot be changed")
    }
    self.file = file
    self.picture = id
    item = file.candidates(id, picture).first(where: \.isExif)
    old =
      try item.map { item throws(SyntaxError) in
        try file.graph.data(of: item.id, in: file.source)
      } ?? []
  }

  /// Returns the file with this Exif, which must begin with its TIFF header.
  public func tree(_ exif: [UInt8]) throws -> BoxTree {
    // The bytes before the TIFF header are kept, which include its offset.
    let before = try item.flatMap { item throws(SyntaxError) -> [UInt8]? in
      let tiff = try file.exif(of: item)
      return tiff.map { tiff in (try? old.bytes()).map { Array($0.dropLast(tiff.count)) } ?? [] }
    }
    // Some writers omit the offset, or count it incorrectly.
    let between = Array((before ?? []).dropFirst(4))
    let data = UInt32(truncatingIfNeeded: between.count).bigEndianBytes + between + exif
    let source = ZeroedSource(file.source, zeroing: unshared)
    let tree = try BoxTree(reading: source)
    var editor = BoxEditor(tree, of: source)
    guard let meta = tree.located.first(where: { $0.node.type == "meta" }),
      let location = meta.child("iloc")
    else { throw missing("meta/iloc") }
    let id = item?.id ?? unusedID
    if item == nil { try add(id, to: meta, in: &editor) }
    try editor.change(location) { siblings, index throws(EditError) in
      guard var box = siblings[index].box as? ItemLocation, box.offsetSize > 0, box.lengthSize > 0
      else { throw .refused(path: location.path, reason: "it has no room for another offset") }
      box.place(id, at: 0, count: 0)
      siblings[index].box = box
    }
    // The video of a motion photo must stay at the end of the file, because other programs rely on it.
    let video = tree.located.last { $0.node.type == "mpvd" }
    let box = Extent(Self.mediaData(data))
    try editor.insert(box, at: video.flatMap { BoxPath($0.path) }.map { .before($0) } ?? .file())
    return try placed(editor.finished().tree, id, data.count)
  }

  /// Sets the location of the new bytes, after everything else has its position.
  private func placed(_ tree: BoxTree, _ id: UInt32, _ count: Int) throws -> BoxTree {
    var boxes = tree.boxes
    var offset = 0
    for box in boxes {
      if box.type == "mdat", case .opaque = box.content { break }
      offset += try box.size()
    }
    for meta in boxes.indices where boxes[meta].type == "meta" {
      for index in boxes[meta].children.indices {
        guard var box = boxes[meta].children[index].box as? ItemLocation else { continue }
        guard box.offsetSize == 8 || UInt32(exactly: offset + 8) != nil else {
          throw missing("room for an offset of 8 bytes in meta/iloc")
        }
        box.place(id, at: offset + 8, count: count)
        boxes[meta].children[index].box = box
      }
      break
    }
    return BoxTree(boxes: boxes)
  }

  /// The ranges of the old bytes in the file that no other item uses.
  private var unshared: [Range<Int>] {
    guard let item, file.graph.locations[item.id]?.constructionMethod == 0 else { return [] }
    let others = file.graph.items.lazy.filter { $0.id != item.id }.flatMap { other in
      (try? file.graph.data(of: other.id, in: file.source)) ?? []
    }
    let own = old.map(\.range)
    return others.contains { other in own.contains { $0.overlaps(other.range) } } ? [] : own
  }

  private var unusedID: UInt32 {
    let used = file.graph.items.map(\.id) + file.graph.groups.map(\.id)
    return (used.max() ?? 0) &+ 1
  }

  /// Adds an Exif item that describes the picture.
  private func add(_ id: UInt32, to meta: LocatedNode, in editor: inout BoxEditor) throws {
    guard let small = UInt16(exactly: id), let target = UInt16(exactly: picture),
      let entries = meta.child("iinf")
    else { throw missing("meta/iinf, or a free number of 16 bits for an item") }
    var entry = ItemInformationEntry()
    entry.itemID = id
    entry.itemType = "Exif"
    entry.header.flags = 1
    try editor.change(entries) { siblings, index in
      siblings[index].children.append(Node("infe", entry))
    }
    var wide = LargeItemReference()
    (wide.fromItemID, wide.toItemIDs) = (id, [picture])
    var narrow = ItemReference()
    (narrow.fromItemID, narrow.toItemIDs) = (small, [target])
    guard let references = meta.child("iref") else {
      var box = ItemReferences()
      box.boxes = [Node("cdsc", narrow)]
      let node = Node("iref", box)
      return try editor.change(entries) { siblings, index in
        siblings.insert(node, at: index + 1)
      }
    }
    let isWide = references.box(ItemReferences.self)?.header.version ?? 0 > 0
    let node = isWide ? Node("cdsc", wide) : Node("cdsc", narrow)
    try editor.change(references) { siblings, index in siblings[index].children.append(node) }
  }

  private static func mediaData(_ bytes: [UInt8]) -> [UInt8] {
    UInt32(truncatingIfNeeded: bytes.count + 8).bigEndianBytes + Array("mdat".utf8) + bytes
  }

  private func missing(_ what: String) -> SyntaxError {
    SyntaxError(.unsupported, field: "the file", detail: "has no \(what), so Exif cannot be added")
  }
}

extension ItemLocation {
  /// Sets the location of an item to a single extent in the file.
  fileprivate mutating func place(_ id: UInt32, at offset: Int, count: Int) {
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
}
