// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// A HEIF file with one item, for decoders that accept nothing else: its data, and its properties except
/// transformations, which are applied elsewhere.
struct StandaloneItem {
  let item: Item

  /// Returns everything before the data.
  func head(dataCount: Int) throws(SyntaxError) -> [UInt8] {
    let size = try boxes(dataOffset: 0, dataCount: dataCount).bytes().count
    let dataOffset = size + Self.dataHeaderSize
    var bytes = try boxes(dataOffset: dataOffset, dataCount: dataCount).bytes()
    bytes += [0, 0, 0, 1] + FourCC("mdat").bytes
    let dataSize = UInt64(dataCount + Self.dataHeaderSize)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: dataSize >> (56 - 8 * $0)) }
    return bytes
  }

  /// The size of the header of `mdat` in the 64-bit form, in bytes.
  private static let dataHeaderSize = 16

  private func boxes(dataOffset: Int, dataCount: Int) -> BoxTree {
    var type = FileType()
    type.majorBrand = "mif1"
    type.compatibleBrands = ["mif1", "miaf", "heic", "avif"]
    var handler = HandlerReference()
    handler.handlerType = "pict"
    var primary = PrimaryItem()
    primary.itemID = 1
    var meta = Metadata()
    meta.boxes = [
      Node("hdlr", handler), Node("pitm", primary), Node("iloc", location(dataOffset, dataCount)),
      Node("iinf", information), Node("iprp", properties),
    ]
    return BoxTree(boxes: [Node("ftyp", type), Node("meta", meta)])
  }

  private func location(_ offset: Int, _ count: Int) -> ItemLocation {
    var extent = ItemLocation.ItemExtent()
    (extent.offset, extent.length) = (UInt64(offset), UInt64(count))
    var entry = ItemLocation.Item()
    entry.id = 1
    entry.extents = [extent]
    var location = ItemLocation()
    (location.offsetSize, location.lengthSize) = (8, 8)
    location.items = [entry]
    return location
  }

  private var information: ItemInformation {
    var entry = ItemInformationEntry()
    (entry.itemID, entry.itemType) = (1, item.type)
    entry.contentType = Text(stringLiteral: item.contentType)
    var information = ItemInformation()
    information.boxes = [Node("infe", entry)]
    return information
  }

  private var properties: Container {
    let kept = item.properties.filter {
      !Planner.transformations.contains($0.type) && $0.type != "auxC"
    }
    var entry = ItemPropertyAssociations.Entry()
    entry.itemID = 1
    entry.associations = kept.indices.map { index in
      var association = ItemPropertyAssociations.Association()
      association.isEssential = kept[index].isEssential
      association.propertyIndex = UInt16(index) + 1
      return association
    }
    var associations = ItemPropertyAssociations()
    associations.entries = [entry]
    var container = Container()
    container.boxes = kept.map(\.located.node)
    var properties = Container()
    properties.boxes = [Node("ipco", container), Node("ipma", associations)]
    return properties
  }
}
