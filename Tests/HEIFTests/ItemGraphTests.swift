// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport
import Testing

struct ItemGraphTests {
  /// Sizes, ids and lengths as `heif-info` and `heif-info -d` print them (libheif 1.15.1).
  @Test(arguments: [
    ("still-64x48.heic", 64, 48), ("still-67x45.heic", 67, 45), ("still-10bit.heic", 96, 72),
    ("grid.heic", 100, 100), ("grid-old-iloc.heic", 100, 100), ("grid-item-offsets.heic", 100, 100),
    ("alpha.heic", 96, 72), ("thumbnail.heic", 96, 72), ("exif-xmp.heic", 96, 72),
    ("two-images.heic", 96, 72),
  ])
  func `it knows the shown size`(_ file: String, _ width: UInt32, _ height: UInt32) throws {
    let item = try #require(ItemGraph(try Fixture.tree(file)).primaryItem)
    let geometry = try #require(ItemGeometry(item))
    #expect([geometry.width, geometry.height] == [width, height])
  }

  @Test func `it hangs tiles together`() throws {
    let graph = ItemGraph(try Fixture.tree("grid.heic"))
    let grid = try #require(graph.primaryItem)
    #expect(graph.handler == "pict")
    #expect(grid.id == 1 && grid.type == "grid" && !grid.isHidden)
    #expect(grid.targets("dimg") == [2, 3, 4, 5])
    #expect(graph.items.dropFirst().allSatisfy { $0.isHidden && $0.type == "hvc1" })
    #expect(graph.referrers(to: 3, by: "dimg") == [1] && graph.referrers(to: 3, by: "thmb").isEmpty)
    #expect(grid.properties.map(\.index) == [3, 4, 5, 6, 7, 8])
    #expect(grid.properties.map(\.type).suffix(3) == ["clap", "irot", "imir"])
    #expect(grid.properties.map(\.isEssential) == [false, false, false, true, true, true])
  }

  @Test func `it tells what belongs to the picture`() throws {
    let alpha = ItemGraph(try Fixture.tree("alpha.heic"))
    let plane = try #require(alpha.item(2))
    #expect(plane.targets("auxl") == [1] && alpha.primaryID == 1)
    #expect(plane.property(AuxiliaryType.self)?.auxType == "urn:mpeg:hevc:2015:auxid:1")
    let thumbnail = ItemGraph(try Fixture.tree("thumbnail.heic"))
    #expect(thumbnail.referrers(to: 1, by: "thmb") == [3])
    #expect(thumbnail.item(3).flatMap(ItemGeometry.init)?.width == 64)
    let metadata = ItemGraph(try Fixture.tree("exif-xmp.heic"))
    #expect(metadata.item(3)?.contentType == "application/rdf+xml")
    #expect(metadata.referrers(to: 1, by: "cdsc") == [2, 3])
  }

  /// pillow-heif gives the Exif without the four bytes of its offset (43), and the XMP whole (293).
  @Test func `it finds the data`() throws {
    let source = try Fixture.source("exif-xmp.heic")
    let graph = ItemGraph(try Fixture.tree("exif-xmp.heic"))
    #expect(try graph.data(of: 2, in: source).map(\.count) == [47])
    let xmp = try graph.data(of: 3, in: source)
    #expect(xmp.map(\.count) == [293])
    #expect(String(decoding: try #require(xmp.first).bytes(), as: UTF8.self).contains("xmpmeta"))
  }

  @Test func `it refuses data that are not there`() throws {
    let tree = try Fixture.tree("still-64x48.heic")
    let graph = ItemGraph(tree)
    let cut = MemorySource([UInt8](repeating: 0, count: 100))
    let id = try #require(graph.items.first { $0.type == "hvc1" }).id
    let error = #expect(throws: SyntaxError.self) { try graph.data(of: id, in: cut) }
    #expect(error?.kind == .truncated && error?.path == "meta/iloc")
    let indirect = ItemGraph(try Fixture.tree("grid-item-offsets.heic"))
    #expect(throws: SyntaxError.self) { try indirect.data(of: 2, in: cut) }
    #expect(try graph.data(of: 4711, in: cut).isEmpty)
  }

  @Test(arguments: ["hvc1.mp4", "malformed/zeros.mp4"])
  func `it is empty without items`(_ file: String) throws {
    let graph = ItemGraph(try Fixture.tree(file))
    #expect(graph.items.isEmpty && graph.primaryItem == nil)
  }

  /// Turns and mirrors in the order of association, worked out by hand on the corners of a picture.
  @Test(arguments: [
    ([Turn.rotate(1)], 270, false), ([.mirror(1)], 0, true), ([.mirror(0)], 180, true),
    ([.rotate(1), .mirror(1)], 90, true), ([.mirror(1), .rotate(1)], 270, true),
    ([.rotate(1), .mirror(0)], 270, true), ([.mirror(1), .mirror(0)], 180, false),
    ([.rotate(3), .rotate(3)], 180, false),
  ])
  func `it composes turns and mirrors`(_ turns: [Turn], _ rotation: Int, _ isMirrored: Bool) throws
  {
    var extents = ImageSpatialExtents()
    (extents.width, extents.height) = (40, 30)
    var properties = ItemPropertyContainer([Node("ispe", extents)])
    for turn in turns { properties.nodes.append(turn.node) }
    let graph = ItemGraph(try properties.tree())
    let geometry = try #require(graph.primaryItem.flatMap(ItemGeometry.init))
    #expect(geometry.rotation == rotation && geometry.isMirrored == isMirrored)
    #expect(geometry.width == (rotation % 180 == 0 ? 40 : 30))
  }
}

enum Turn: Sendable {
  case rotate(UInt8)
  case mirror(UInt8)

  var node: Node {
    switch self {
    case .rotate(let angle):
      var box = ImageRotation()
      box.angle = angle
      return Node("irot", box)
    case .mirror(let axis):
      var box = ImageMirror()
      box.axis = axis
      return Node("imir", box)
    }
  }
}

/// A file with one item that has all properties.
private struct ItemPropertyContainer {
  var nodes: [Node]

  init(_ nodes: [Node]) { self.nodes = nodes }

  func tree() throws -> BoxTree {
    var primary = PrimaryItem()
    primary.itemID = 1
    var entry = ItemInformationEntry()
    (entry.itemID, entry.itemType) = (1, "hvc1")
    var information = ItemInformation()
    information.boxes = [Node("infe", entry)]
    var associations = ItemPropertyAssociations.Entry()
    associations.itemID = 1
    associations.associations = nodes.indices.map { index in
      var association = ItemPropertyAssociations.Association()
      association.propertyIndex = UInt16(index) + 1
      return association
    }
    var box = ItemPropertyAssociations()
    box.entries = [associations]
    var container = Container()
    container.boxes = nodes
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", box)]
    var meta = Metadata()
    meta.boxes = [Node("pitm", primary), Node("iinf", information), Node("iprp", properties)]
    return BoxTree(boxes: [Node("meta", meta)])
  }
}
