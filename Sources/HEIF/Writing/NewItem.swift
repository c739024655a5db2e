// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// An item to be written: ISO/IEC 14496-12, 8.11.
public struct NewItem: Sendable {
  /// The data of an item, by its place in the file.
  public enum Data: Sendable {
    /// The data is in `mdat`.
    case media(Extent)
    /// The data, of a few bytes, is in `idat`.
    case description([UInt8])
  }

  /// A property, and whether a reader that does not know it must ignore the item.
  public struct Property: Sendable {
    /// The box of the property.
    public var node: Node
    /// Whether a reader that does not know the property must ignore the item.
    public var isEssential: Bool

    public init(_ node: Node, isEssential: Bool = false) {
      self.node = node
      self.isEssential = isEssential
    }
  }

  /// A reference from one item to others (a child of `iref`).
  public struct Reference: Sendable {
    /// The type, such as `dimg`, `thmb`, `auxl` or `cdsc`.
    public var type: FourCC
    /// The IDs of the items referred to, in order.
    public var to: [UInt32]
  }

  /// The type, such as `hvc1`, `grid`, `Exif` or `mime`.
  public var type: FourCC
  /// The content type of an item of type `mime`.
  public var contentType = ""
  /// Whether the item is hidden, so that it is not shown separately.
  public var isHidden = false
  /// The data, by its place in the file.
  public var data: Data
  /// The properties, in the order in which they apply.
  public var properties: [Property] = []
  /// The references from this item to others.
  public var references: [Reference] = []

  public init(_ type: FourCC, _ data: Data) {
    self.type = type
    self.data = data
  }

  /// Returns an item with a packet of XMP.
  static func xmp(_ packet: [UInt8]) -> NewItem { mime("application/rdf+xml", packet) }

  /// Returns an item with data of a content type.
  static func mime(_ contentType: String, _ data: [UInt8]) -> NewItem {
    var item = NewItem("mime", .media(Extent(data)))
    item.contentType = contentType
    return item
  }

  /// Returns the entry in the list of items.
  func entry(_ id: UInt32) -> ItemInformationEntry {
    var entry = ItemInformationEntry()
    if UInt16(exactly: id) == nil { entry.header.version = 3 }
    entry.header.flags = isHidden ? 1 : 0
    entry.itemID = id
    entry.itemType = type
    entry.contentType = Text(bytes: Array(contentType.utf8))
    return entry
  }
}

extension NewItem.Data {
  /// The data, wherever it will be in the file.
  func bytes() throws(SyntaxError) -> [UInt8] {
    switch self {
    case .media(let extent): try extent.bytes()
    case .description(let bytes): bytes
    }
  }
}
