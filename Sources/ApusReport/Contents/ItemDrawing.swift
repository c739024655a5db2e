// SPDX-License-Identifier: MIT

/// The items of a file of pictures: their relations and sizes.
public struct ItemDrawing: Sendable {
  public struct Node: Sendable {
    public var id: UInt32
    public var type: String
    /// The role: `primary`, `tile`, `thumbnail`, `depth`, `Exif`.
    public var role: String
    public var size: String?
    public var bytes: Int?
    public var isHidden: Bool
    public var anchor: String?
    /// The number of items drawn as this one, such as the tiles of a grid.
    public var count = 1
    /// Its properties in the order in which they apply, an essential one with an exclamation mark.
    public var properties: [String] = []
    /// The distance from the primary item in the drawing.
    public var column = 0
  }

  public struct Edge: Sendable {
    public var from: UInt32
    public var to: UInt32
    /// The type of the reference: `dimg`, `thmb`, `auxl`, `cdsc`.
    public var type: String
  }

  /// The decoder of an item when its picture is converted.
  public struct Decoder: Hashable, Sendable {
    public var name: String
    /// The reason why it is not our own decoder.
    public var reason: String?

    public init(_ name: String, reason: String? = nil) {
      self.name = name
      self.reason = reason
    }
  }

  /// The tiles of a grid.
  public struct TileMap: Sendable {
    public struct Tile: Sendable {
      public var id: UInt32
      public var bytes: Int?
      public var anchor: String?
      /// The decoder; `nil` if unknown.
      public var decoder: Decoder?
    }

    public var item: UInt32
    public var rows: Int
    public var columns: Int
    public var width: Int
    public var height: Int
    public var tiles: [Tile]
    /// The codec of the tiles.
    public var codec: String
  }

  /// The placement of a picture from its stored form to its displayed one.
  public struct Placement: Sendable {
    public var width: Int
    public var height: Int
    /// The crop, in stored samples.
    public var crop: (x: Double, y: Double, width: Double, height: Double)?
    /// The rotation in degrees clockwise, after mirroring.
    public var rotation: Int
    public var isMirrored: Bool
  }

  /// The brightening of a picture by samples of the gain map, for different degrees of its application.
  public struct Curve: Sendable {
    public var name: String
    /// The gain in stops for samples from 0 to 1.
    public var stops: [Double]
  }

  public var nodes: [Node] = []
  public var edges: [Edge] = []
  public var omitted = 0
  public var grids: [TileMap] = []
  public var placement: Placement?
  public var curves: [Curve] = []

  public init() {}
}
