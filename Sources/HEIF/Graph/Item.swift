// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// An item: a coded or derived picture, or metadata (`infe`): ISO/IEC 14496-12, 8.11.6.
public struct Item: Sendable {
  /// The ID by which other boxes refer to the item.
  public var id: UInt32
  /// The type, such as `hvc1`, `grid`, `Exif` or `mime`; entries of version 0 or 1 have none and count as `mime`.
  public var type: FourCC
  /// The name for people (`item_name`), often empty.
  public var name: String
  /// The content type of a `mime` item.
  public var contentType: String
  /// The content encoding of a `mime` item, such as `deflate`; empty for unencoded bytes.
  public var contentEncoding: String
  /// The URI type of a `uri ` item.
  public var uriType: String
  /// Whether the item is not to be shown separately.
  public var isHidden: Bool
  /// The number of the scheme in `ipro` that protects it, from 1; 0 for none.
  public var protectionIndex: Int
  /// The place of the item's entry in the tree.
  private let place: BoxPlace?
  /// The offset of its entry in the file.
  public var offset: Int
  /// The properties, in the order in which they apply.
  public var properties: [ItemProperty] = []
  /// The index in `ipco` of an essential property that is missing.
  public var missingProperty: Int?
  /// The references from this item to others.
  public var references: [ItemGraph.Reference] = []

  /// - Parameter located: the box of the item's entry.
  init(_ entry: ItemInformationEntry, _ located: LocatedNode) {
    id = entry.itemID
    type = entry.itemType
    name = entry.itemName.description
    contentType = entry.contentType.description
    contentEncoding = entry.contentEncoding?.description ?? ""
    uriType = entry.itemURIType.description
    isHidden = entry.isHidden
    protectionIndex = Int(entry.itemProtectionIndex)
    place = located.place
    offset = located.node.start
  }

  /// The path of its entry in the tree, such as `meta/iinf/infe[1]`.
  public var path: String { place?.path ?? "" }

  /// Returns the first property with a declaration.
  public func property<B: Box>(_ type: B.Type = B.self) -> B? {
    for property in properties {
      if let box = property.located.box(B.self) { return box }
    }
    return nil
  }

  /// Returns the items to which it refers with a type of reference, in order.
  public func targets(_ type: FourCC) -> [UInt32] {
    references.filter { $0.type == type }.flatMap(\.to)
  }
}

/// A property of an item: ISO/IEC 14496-12, 8.11.14.
public struct ItemProperty: Sendable {
  /// The box of the property in the tree.
  public var located: LocatedNode
  /// The index in `ipco`, from 1.
  public var index: Int
  /// Whether a reader that does not know the property must ignore the item.
  public var isEssential: Bool

  /// The type of the property's box, such as `ispe` or `colr`.
  public var type: FourCC { located.node.type }
}

/// Items or tracks that belong together (a child of `grpl`): ISO/IEC 14496-12, 8.18.3.
public struct ItemGroup: Hashable, Sendable {
  /// The type, such as `altr`, `ster`, `brst` or `pymd`.
  public var type: FourCC
  /// The ID of the group.
  public var id: UInt32
  /// The IDs of the items or tracks, in the order of the box.
  public var entities: [UInt32]

  init?(_ node: LocatedNode) {
    type = node.node.type
    if let group = node.box(EntityGroup.self) {
      (id, entities) = (group.groupID, group.entityIDs)
    } else if let pyramid = node.box(ImagePyramid.self) {
      (id, entities) = (pyramid.groupID, pyramid.entityIDs)
    } else {
      return nil
    }
  }
}
