// SPDX-License-Identifier: MIT

public import Bytes
public import HEVC
public import Media

/// A picture that will be written, coded already: one item, or a grid of tiles of the same size.
public struct NewPicture: Sendable {
  /// Sides as they are stored, before it is turned upright.
  public var width: Int
  public var height: Int
  public var tileWidth: Int
  public var tileHeight: Int
  /// Whether tiles are joined by an item of their own, even if there is but one.
  public var isGrid: Bool
  public var chroma: Chroma
  public var bitDepth: Int
  /// The configuration that all tiles share.
  public var record: DecoderConfigurationRecord
  /// Access units, row by row, with their lengths before NAL units as the record says.
  public var tiles: [Extent]
  public var colour: ColourDescription?
  /// An ICC profile; empty without one.
  public var profile: [UInt8] = []

  public init(
    width: Int, height: Int, tileWidth: Int, tileHeight: Int, isGrid: Bool, chroma: Chroma,
    bitDepth: Int, record: DecoderConfigurationRecord, tiles: [Extent]
  ) {
    self.width = width
    self.height = height
    self.tileWidth = tileWidth
    self.tileHeight = tileHeight
    self.isGrid = isGrid
    self.chroma = chroma
    self.bitDepth = bitDepth
    self.record = record
    self.tiles = tiles
  }

  /// Tiles in a row.
  public var columns: Int { isGrid ? (width + tileWidth - 1) / tileWidth : 1 }
  public var rows: Int { isGrid ? (height + tileHeight - 1) / tileHeight : 1 }
}

/// A picture with all that goes with it.
public struct NewPhoto: Sendable {
  public var picture: NewPicture
  public var orientation = Orientation.upright
  /// Laid as the picture is, with its orientation still to be applied.
  public var thumbnail: NewPicture?
  /// Stored with the same turn to be applied.
  public var auxiliaries: [NewAuxiliary] = []
  /// A TIFF stream.
  public var exif: [UInt8] = []
  public var xmp: [UInt8] = []
  /// Records of IPTC-IIM.
  public var iptc: [UInt8] = []

  public init(_ picture: NewPicture) { self.picture = picture }
}
