// SPDX-License-Identifier: MIT

/// The items of a file of pictures: their relations and sizes.
public struct ItemDrawing: Sendable {
  /// An item, or several that are drawn as one.
  public struct Node: Sendable {
    /// The ID of the item; for several, that of the first.
    public var id: UInt32
    /// The type of the item, such as `hvc1` or `grid`.
    public var type: String
    /// The role: `primary`, `tile`, `thumbnail`, `depth`, `Exif`.
    public var role: String
    /// The width and height as text; `nil` if it has none.
    public var size: String?
    /// The size of the data of all items drawn as this one, in bytes; `nil` if they are missing.
    public var bytes: Int?
    /// Whether the item is marked as hidden.
    public var isHidden: Bool
    /// The anchor of its box in the tree; `nil` if the page does not show it.
    public var anchor: String?
    /// The number of items drawn as this one, such as the tiles of a grid.
    public var count = 1
    /// Its properties in the order in which they apply, an essential one with an exclamation mark.
    public var properties: [String] = []
    /// The distance from the primary item in the drawing.
    public var column = 0
  }

  /// A reference from one item to another.
  public struct Edge: Sendable {
    /// The ID of the item with the reference.
    public var from: UInt32
    /// The ID of the item that it refers to.
    public var to: UInt32
    /// The type of the reference: `dimg`, `thmb`, `auxl`, `cdsc`.
    public var type: String
  }

  /// The decoder of an item when its picture is converted.
  public struct Decoder: Hashable, Sendable {
    /// The name of the decoder.
    public var name: String
    /// The reason why it is not our own decoder.
    public var reason: String?

    /// Creates the decoder of an item.
    ///
    /// - Parameter reason: the reason for the choice, as text.
    public init(_ name: String, reason: String? = nil) {
      self.name = name
      self.reason = reason
    }
  }

  /// The tiles of a grid.
  public struct TileMap: Sendable {
    /// A tile of a grid.
    public struct Tile: Sendable {
      /// The ID of the tile's item.
      public var id: UInt32
      /// The size of the data in bytes; `nil` if they are missing.
      public var bytes: Int?
      /// The anchor of its box in the tree; `nil` if the page does not show it.
      public var anchor: String?
      /// The decoder; `nil` if unknown.
      public var decoder: Decoder?
    }

    /// The ID of the grid.
    public var item: UInt32
    /// The number of rows.
    public var rows: Int
    /// The number of columns.
    public var columns: Int
    /// The width of the grid's picture in pixels.
    public var width: Int
    /// The height of the grid's picture in pixels.
    public var height: Int
    /// The tiles, row after row.
    public var tiles: [Tile]
    /// The codec of the tiles.
    public var codec: String
  }

  /// The placement of a picture from its stored form to its displayed one.
  public struct Placement: Sendable {
    /// The width as stored, in pixels.
    public var width: Int
    /// The height as stored, in pixels.
    public var height: Int
    /// The crop, in stored samples.
    public var crop: (x: Double, y: Double, width: Double, height: Double)?
    /// The rotation in degrees clockwise, after mirroring.
    public var rotation: Int
    /// Whether the picture is mirrored, before it is rotated.
    public var isMirrored: Bool
  }

  /// The brightening of a picture by samples of the gain map, for different degrees of its application.
  public struct Curve: Sendable {
    /// The color of the channel as text, or `all colours` if they share one.
    public var name: String
    /// The gain in stops for samples from 0 to 1.
    public var stops: [Double]
  }

  /// The items that are drawn.
  public var nodes: [Node] = []
  /// The references between drawn items.
  public var edges: [Edge] = []
  /// The number of items that are not drawn.
  public var omitted = 0
  /// The grids that are drawn with their tiles.
  public var grids: [TileMap] = []
  /// The placement of the primary picture; `nil` if it is shown as stored.
  public var placement: Placement?
  /// The curves of the gain map, one for each channel; empty if there is none.
  public var curves: [Curve] = []

  /// Creates an empty drawing.
  public init() {}
}
