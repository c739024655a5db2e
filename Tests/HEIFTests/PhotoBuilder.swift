// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport

/// A photo put together for a test: items with properties, references and data, which lie in `idat`.
struct PhotoBuilder {
  struct Entry {
    var id: UInt32
    var type: FourCC
    var isHidden = false
    var isProtected = false
    var contentType = ""
    var properties: [(node: Node, isEssential: Bool)] = []
    /// Overrides where the data lie.
    var location: ItemLocation.Item?
    var data: [UInt8] = []
  }

  var entries: [Entry] = []
  var references: [(type: FourCC, from: UInt32, to: [UInt32])] = []
  var groups: [(type: FourCC, entities: [UInt32])] = []
  var primary: UInt32 = 1

  /// The coded picture of a fixture: 96 × 72, 8 bits, 4:2:0.
  static func coded() throws -> (configuration: Node, data: [UInt8]) {
    let tree = try Fixture.tree("still-96x72.heic")
    let graph = ItemGraph(tree)
    let item = try graph.items.first { $0.type == "hvc1" }.unwrapped()
    let property = try item.properties.first { $0.type == "hvcC" }.unwrapped()
    let data = try graph.data(of: item.id, in: tree.source).flatMap { try $0.bytes() }
    return (property.located.node, data)
  }

  mutating func addCoded(_ id: UInt32, _ properties: [Node] = []) throws {
    let coded = try Self.coded()
    add(id, "hvc1", [coded.configuration, Self.extents(96, 72)] + properties, data: coded.data)
  }

  mutating func add(
    _ id: UInt32, _ type: FourCC, _ properties: [Node] = [], data: [UInt8] = [],
    from inputs: [UInt32] = []
  ) {
    entries.append(
      Entry(id: id, type: type, properties: properties.map { ($0, false) }, data: data))
    if !inputs.isEmpty { references.append(("dimg", id, inputs)) }
  }

  mutating func addGrid(
    _ id: UInt32, columns: Int, rows: Int, _ width: Int, _ height: Int, of inputs: [UInt32],
    _ properties: [Node] = []
  ) {
    var data: [UInt8] = [0, 1, UInt8(rows - 1), UInt8(columns - 1)]
    data += [width, height].flatMap(Self.word)
    add(id, "grid", properties, data: data, from: inputs)
  }

  mutating func addOverlay(
    _ id: UInt32, _ width: Int, _ height: Int, fill: [UInt16] = [0, 0, 0, 0],
    of inputs: [(id: UInt32, x: Int, y: Int)], _ properties: [Node] = []
  ) {
    var data: [UInt8] = [0, 1]
    data += fill.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    data += [width, height].flatMap(Self.word)
    for input in inputs { data += [input.x, input.y].flatMap(Self.word) }
    add(id, "iovl", properties, data: data, from: inputs.map(\.id))
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  static func extents(_ width: Int, _ height: Int) -> Node {
    var box = ImageSpatialExtents()
    (box.width, box.height) = (UInt32(width), UInt32(height))
    return Node("ispe", box)
  }

  /// An aperture by its sides and the offset of its centre in halves.
  static func aperture(_ width: Int, _ height: Int, x: Int, y: Int) -> Node {
    var box = CleanAperture()
    (box.widthN, box.heightN) = (UInt32(width), UInt32(height))
    (box.horizontalOffsetN, box.horizontalOffsetD) = (Int32(x), 2)
    (box.verticalOffsetN, box.verticalOffsetD) = (Int32(y), 2)
    return Node("clap", box)
  }

  static func auxiliary(_ type: String) -> Node {
    var box = AuxiliaryType()
    box.auxType = Text(stringLiteral: type)
    return Node("auxC", box)
  }

  static func colour(
    _ primaries: Int, _ transfer: Int, _ matrix: Int, isFullRange: Bool
  ) -> Node {
    var box = ColourInformation()
    box.colourPrimaries = UInt16(primaries)
    box.transferCharacteristics = UInt16(transfer)
    box.matrixCoefficients = UInt16(matrix)
    box.fullRangeFlag = isFullRange
    return Node("colr", box)
  }

  static func profile(_ bytes: [UInt8]) -> Node {
    var box = ColourInformation()
    (box.colourType, box.profile) = ("prof", Extent(bytes))
    return Node("colr", box)
  }

  /// The file as it would be written.
  func bytes() throws -> [UInt8] { try tree().bytes() }

  func file(_ limits: PlanLimits = PlanLimits()) throws -> PhotoFile {
    PhotoFile(try BoxTree(reading: MemorySource(try bytes())), limits: limits)
  }

  private func tree() -> BoxTree {
    var pitm = PrimaryItem()
    pitm.itemID = primary
    var handler = HandlerReference()
    handler.handlerType = "pict"
    var information = ItemInformation()
    information.boxes = entries.map { entry in
      var box = ItemInformationEntry()
      (box.itemID, box.itemType) = (entry.id, entry.type)
      box.header.flags = entry.isHidden ? 1 : 0
      box.itemProtectionIndex = entry.isProtected ? 1 : 0
      box.contentType = Text(stringLiteral: entry.contentType)
      return Node("infe", box)
    }
    var data = ItemData()
    data.data = Extent(entries.flatMap(\.data))
    var list = ItemReferences()
    list.header.version = 1
    list.boxes = references.map { reference in
      var box = LargeItemReference()
      (box.fromItemID, box.toItemIDs) = (reference.from, reference.to)
      return Node(reference.type, box)
    }
    var meta = Metadata()
    meta.boxes = [
      Node("hdlr", handler), Node("pitm", pitm), Node("iloc", location), Node("iinf", information),
      Node("iref", list), Node("iprp", properties), Node("idat", data),
    ]
    if !groups.isEmpty { meta.boxes.append(Node("grpl", grouping)) }
    return BoxTree(boxes: [Node("meta", meta)])
  }

  private var grouping: EntityGroups {
    var box = EntityGroups()
    box.boxes = groups.enumerated().map { index, group in
      var entry = EntityGroup()
      (entry.groupID, entry.entityIDs) = (UInt32(900 + index), group.entities)
      return Node(group.type, entry)
    }
    return box
  }

  private var location: ItemLocation {
    var box = ItemLocation()
    box.header.version = 2
    box.indexSize = 4
    var offset = 0
    box.items = entries.map { entry in
      defer { offset += entry.data.count }
      if let location = entry.location { return location }
      var item = ItemLocation.Item()
      (item.id, item.constructionMethod) = (entry.id, 1)
      var extent = ItemLocation.ItemExtent()
      (extent.offset, extent.length) = (UInt64(offset), UInt64(entry.data.count))
      item.extents = entry.data.isEmpty ? [] : [extent]
      return item
    }
    return box
  }

  private var properties: Container {
    var nodes: [Node] = []
    var box = ItemPropertyAssociations()
    box.header = FullBoxHeader(version: 1, flags: 1)
    box.entries = entries.map { entry in
      var list = ItemPropertyAssociations.Entry()
      list.itemID = entry.id
      list.associations = entry.properties.map { property in
        nodes.append(property.node)
        var association = ItemPropertyAssociations.Association()
        association.isEssential = property.isEssential
        association.propertyIndex = UInt16(nodes.count)
        return association
      }
      return list
    }
    var container = Container()
    container.boxes = nodes
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", box)]
    return properties
  }
}

extension Optional {
  func unwrapped() throws -> Wrapped {
    guard let self else { throw NothingThere() }
    return self
  }
}

struct NothingThere: Error {}
