// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// An item to be written: ISO/IEC 14496-12, 8.11.
public struct NewItem: Sendable {
  public enum Data: Sendable {
    /// The data is in `mdat`.
    case media(Extent)
    /// The data, of a few bytes, is in `idat`.
    case description([UInt8])
  }

  /// A property, and whether a reader that does not know it must ignore the item.
  public struct Property: Sendable {
    public var node: Node
    public var isEssential: Bool

    public init(_ node: Node, isEssential: Bool = false) {
      self.node = node
      self.isEssential = isEssential
    }
  }

  public struct Reference: Sendable {
    public var type: FourCC
    public var to: [UInt32]
  }

  public var type: FourCC
  /// The content type of an item of type `mime`.
  public var contentType = ""
  /// Whether the item is hidden, so that it is not shown separately.
  public var isHidden = false
  public var data: Data
  /// The properties, in the order in which they apply.
  public var properties: [Property] = []
  public var references: [Reference] = []

  public init(_ type: FourCC, _ data: Data) {
    self.type = type
    self.data = data
  }
}
