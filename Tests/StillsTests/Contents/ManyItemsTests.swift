// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills
@testable import HEIF

/// Photos of many items cost what the items cost one by one: what is counted are the items and references that a job
/// looks at, so that the machine plays no part.
@Suite struct ManyItemsTests {
  @Test(arguments: Job.allCases)
  func `it looks at twice as many items in twice as many steps`(_ job: Job) throws {
    let (small, large) = (try job.cost(items: 200), try job.cost(items: 400))
    #expect(small > 200, "the job looks at the items at all")
    #expect(large < small * 5 / 2, "\(small) steps for 200 items, \(large) for 400")
  }

  enum Job: CaseIterable {
    case thumbnail, parts, metadata, plan

    /// How many items and references are looked at.
    func cost(items: Int) throws -> Int {
      var file = PhotoFile(try ManyItemsTests.photo(items))
      let usage = GraphUsage()
      file.graph.usage = usage
      let primary = try file.primaryPicture()
      switch self {
      case .thumbnail:
        var options = ConvertOptions()
        options.longestSide = 64
        _ = try ThumbnailSearch(policy: .ifAbsent, options: options).result(for: primary, in: file)
      case .parts: #expect(try ItemParts.parts(of: file).count == items - 1)
      case .metadata:
        for item in file.graph.items { _ = try file.metadata(of: PhotoPicture(.item(item.id))) }
      case .plan:
        for item in file.graph.items { _ = try? file.plan(PhotoPicture(.item(item.id))) }
      }
      return usage.total
    }
  }

  @Test
  func `it takes Exif of many items out of each once, and that of none for another's`() throws {
    let cost = { (count: Int) throws -> Int in
      let (tree, primary) = try ThumbnailedPhoto.fixture()
      var file = PhotoFile(try ThumbnailedPhoto(tree, primary).tree(exif: count))
      let usage = GraphUsage()
      file.graph.usage = usage
      let parts = try ItemParts.parts(of: file).filter { $0.role == .exif }
      let bytes = try parts.map { part in
        guard case .bytes(let extents, _) = part.content else { return [UInt8]() }
        return try extents.flatMap { try $0.bytes() }
      }
      let expected = (2...count + 1).map { (number: Int) -> [UInt8] in
        [0x4d, 0x4d, 0, 0x2a, UInt8(number >> 8), UInt8(number & 0xff)]
      }
      #expect(bytes == expected)
      return usage.total
    }
    let (small, large) = (try cost(100), try cost(200))
    #expect(small > 100 && large < small * 5 / 2, "\(small) steps for 100 items, \(large) for 200")
  }

  /// A picture with as many thumbnails as there are items beside it.
  private static func photo(_ count: Int) throws -> BoxTree {
    let (tree, primary) = try ThumbnailedPhoto.fixture()
    return try ThumbnailedPhoto(tree, primary).tree(thumbnails: count - 1)
  }
}

/// A fixture whose picture gets any number of thumbnails, all of the same data.
struct ThumbnailedPhoto {
  private let graph: ItemGraph
  private let source: any ByteSource

  init(_ tree: BoxTree, _ graph: ItemGraph) {
    self.graph = graph
    source = tree.source
  }

  static func fixture() throws -> (BoxTree, ItemGraph) {
    let tree = try Fixture.tree("still-96x72.heic")
    return (tree, ItemGraph(tree))
  }

  /// Exif of so many items describes the picture, each with its number at the end.
  func tree(exif count: Int) throws -> BoxTree { try tree(count, isExif: true) }

  func tree(thumbnails: Int) throws -> BoxTree { try tree(thumbnails, isExif: false) }

  private static func exif(_ id: UInt32) -> [UInt8] {
    [0, 0, 0, 0, 0x4d, 0x4d, 0, 0x2a, UInt8(id >> 8), UInt8(id & 0xff)]
  }

  private func tree(_ count: Int, isExif: Bool) throws -> BoxTree {
    let item = try #require(graph.items.first { $0.type == "hvc1" })
    let data = try graph.data(of: item.id, in: source).flatMap { try $0.bytes() }
    let kept = item.properties.filter { ["hvcC", "ispe"].contains($0.type) }
    let ids = (1...UInt32(count + 1)).map { $0 }

    var information = ItemInformation()
    information.boxes = ids.map { id in
      var entry = ItemInformationEntry()
      (entry.itemID, entry.itemType) = (id, isExif && id > 1 ? "Exif" : "hvc1")
      return Node("infe", entry)
    }
    var references = ItemReferences()
    references.boxes = ids.dropFirst().map { id in
      var reference = ItemReference()
      (reference.fromItemID, reference.toItemIDs) = (UInt16(id), [1])
      return Node(isExif ? "cdsc" : "thmb", reference)
    }
    var location = ItemLocation()
    location.header.version = 1
    location.items = ids.map { id in
      var extent = ItemLocation.ItemExtent()
      extent.length = UInt64(data.count)
      if isExif, id > 1 {
        let size = Self.exif(id).count
        extent.offset = UInt64(data.count + size * Int(id - 2))
        extent.length = UInt64(size)
      }
      var item = ItemLocation.Item()
      (item.id, item.constructionMethod, item.extents) = (id, 1, [extent])
      return item
    }
    var associations = ItemPropertyAssociations()
    associations.entries = ids.map { id in
      var entry = ItemPropertyAssociations.Entry()
      entry.itemID = id
      entry.associations =
        isExif && id > 1
        ? []
        : kept.indices.map { index in
          var association = ItemPropertyAssociations.Association()
          association.propertyIndex = UInt16(index + 1)
          return association
        }
      return entry
    }
    var container = Container()
    container.boxes = kept.map(\.located.node)
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", associations)]
    var handler = HandlerReference()
    handler.handlerType = "pict"
    var primary = PrimaryItem()
    primary.itemID = 1
    var stored = ItemData()
    stored.data = Extent(data + (isExif ? ids.dropFirst().flatMap(Self.exif) : []))
    var meta = Metadata()
    meta.boxes = [
      Node("hdlr", handler), Node("pitm", primary), Node("iloc", location),
      Node("iinf", information), Node("iref", references), Node("iprp", properties),
      Node("idat", stored),
    ]
    return try BoxTree(
      reading: MemorySource(BoxTree(boxes: [Node("meta", meta)]).bytes()))
  }
}
