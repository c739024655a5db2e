// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The layout of a new file, with the position of all its parts.
struct ItemFileLayout {
  /// All boxes before `mdat`.
  private(set) var head: [Node] = []
  private(set) var dataHeader: [UInt8] = []
  private let file: NewItemFile
  private let properties: Node

  init(_ file: NewItemFile) throws(SyntaxError) {
    self.file = file
    properties = try PropertyTable.box(of: file.items)
    let count = file.items.reduce(0) { $0 + $1.mediaCount }
    let further = file.sequence?.further.reduce(0) { $0 + $1.count } ?? 0
    dataHeader = Self.dataHeader(count + further)
    // The size of the boxes does not depend on the offset of the data, but on the width of that number.
    var isWide = false
    while true {
      var place = dataHeader.count
      for node in try boxes(from: 0, count, isWide: isWide) { place += try node.size() }
      if !isWide, place + count + further > Int(UInt32.max) {
        isWide = true
        continue
      }
      head = try boxes(from: place, count, isWide: isWide)
      return
    }
  }

  /// - Parameters:
  ///   - place: the offset of the items' data.
  ///   - count: the number of bytes of that data.
  private func boxes(from place: Int, _ count: Int, isWide: Bool) throws(SyntaxError) -> [Node] {
    var boxes = [Node("ftyp", file.brands), try meta(from: place, isWide: isWide)]
    if let sequence = file.sequence {
      let before = file.items.prefix(Int(file.primaryID ?? 1) - 1)
      let first = before.reduce(place) { $0 + $1.mediaCount }
      boxes.append(sequence.movie(first: first, rest: place + count, isWide: isWide))
    }
    return boxes
  }

  private static func dataHeader(_ count: Int) -> [UInt8] {
    let isLarge = count + 8 > Int(UInt32.max)
    let size = UInt64(count + (isLarge ? 16 : 8))
    let short = isLarge ? 1 : size
    return bytes(short, 4) + FourCC("mdat").bytes + (isLarge ? bytes(size, 8) : [])
  }

  private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private func meta(from place: Int, isWide: Bool) throws(SyntaxError) -> Node {
    var handler = HandlerReference()
    handler.handlerType = "pict"
    var primary = PrimaryItem()
    primary.itemID = file.primaryID ?? 1
    var meta = Metadata()
    meta.boxes = [
      Node("hdlr", handler), Self.dataInformation, Node("pitm", primary), Node("iinf", information),
    ]
    if let references { meta.boxes.append(references) }
    meta.boxes.append(properties)
    if !description.isEmpty {
      var data = ItemData()
      data.data = Extent(description)
      meta.boxes.append(Node("idat", data))
    }
    meta.boxes.append(Node("iloc", location(from: place, isWide: isWide)))
    if let groups { meta.boxes.append(groups) }
    return Node("meta", meta)
  }

  /// The `dinf` box, which readers based on QuickTime require, although all data is in this file.
  static var dataInformation: Node {
    var entry = DataEntryURL()
    entry.header.flags = 1
    var references = DataReferences()
    references.boxes = [Node("url ", entry)]
    var information = Container()
    information.boxes = [Node("dref", references)]
    return Node("dinf", information)
  }

  private var information: ItemInformation {
    var information = ItemInformation()
    information.boxes = file.items.enumerated().map { index, item in
      Node("infe", item.entry(UInt32(index + 1)))
    }
    return information
  }

  private var references: Node? {
    var references = ItemReferences()
    for (index, item) in file.items.enumerated() {
      for reference in item.references where !reference.to.isEmpty {
        var box = ItemReference()
        box.fromItemID = UInt16(clamping: index + 1)
        box.toItemIDs = reference.to.map { UInt16(clamping: $0) }
        references.boxes.append(Node(reference.type, box))
      }
    }
    return references.boxes.isEmpty ? nil : Node("iref", references)
  }

  private var groups: Node? {
    guard !file.groups.isEmpty else { return nil }
    var groups = EntityGroups()
    groups.boxes = file.groups.enumerated().map { index, group in
      var box = EntityGroup()
      // It must not be the ID of an item either: ISO/IEC 14496-12, 8.18.3.3.
      box.groupID = UInt32(clamping: file.items.count + 1 + index)
      box.entityIDs = group.items
      return Node(group.type, box)
    }
    return Node("grpl", groups)
  }

  /// The data of `idat`.
  private var description: [UInt8] {
    file.items.reduce(into: []) { bytes, item in
      if case .description(let own) = item.data { bytes += own }
    }
  }

  private func location(from start: Int, isWide: Bool) -> ItemLocation {
    var location = ItemLocation()
    location.header.version = 1
    location.offsetSize = isWide ? 8 : 4
    location.lengthSize = isWide ? 8 : 4
    var place = start
    var inner = 0
    location.items = file.items.enumerated().map { index, item in
      var entry = ItemLocation.Item()
      entry.id = UInt32(index + 1)
      var extent = ItemLocation.ItemExtent()
      switch item.data {
      case .media(let data):
        (extent.offset, extent.length) = (UInt64(place), UInt64(data.count))
        place += data.count
      case .description(let bytes):
        entry.constructionMethod = 1
        (extent.offset, extent.length) = (UInt64(inner), UInt64(bytes.count))
        inner += bytes.count
      }
      entry.extents = [extent]
      return entry
    }
    return location
  }
}

extension NewItem {
  fileprivate var mediaCount: Int {
    if case .media(let extent) = data { extent.count } else { 0 }
  }
}
