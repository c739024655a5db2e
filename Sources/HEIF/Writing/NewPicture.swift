// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import HEVC

/// A coded picture to be written: one item, or a grid of tiles of equal size.
public struct NewPicture: Sendable {
  /// The stored width, before rotation.
  public var width: Int
  /// The stored height, before rotation.
  public var height: Int
  /// The width of each tile in samples.
  public var tileWidth: Int
  /// The height of each tile in samples.
  public var tileHeight: Int
  /// Whether tiles are joined by a grid item, even if there is only one.
  public var isGrid: Bool
  /// The colour subsampling of the tiles.
  public var chroma: Chroma
  /// The bit depth of the samples.
  public var bitDepth: Int
  /// The configuration shared by all tiles.
  public var record: DecoderConfigurationRecord
  /// The access units row by row, with NAL unit lengths as stated in the record.
  public var tiles: [Extent]
  /// The meaning of the samples; `nil` if unspecified.
  public var colour: ColourDescription?
  /// The ICC profile; empty for none.
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

  /// The number of tiles in a row.
  public var columns: Int { isGrid ? (width + tileWidth - 1) / tileWidth : 1 }
  /// The number of rows of tiles.
  public var rows: Int { isGrid ? (height + tileHeight - 1) / tileHeight : 1 }
}

/// A picture with everything that belongs to it.
public struct NewPhoto: Sendable {
  /// The coded picture, in stored orientation.
  public var picture: NewPicture
  /// The orientation that makes the stored picture upright.
  public var orientation = Orientation.upright
  /// The thumbnails, with the stored orientation of the picture.
  public var thumbnails: [NewPicture] = []
  /// The auxiliary pictures, with the stored orientation of the picture.
  public var auxiliaries: [NewAuxiliary] = []
  /// The Exif, as a TIFF stream.
  public var exif: [UInt8] = []
  /// The packet of XMP; empty for none.
  public var xmp: [UInt8] = []
  /// The records of IPTC-IIM.
  public var iptc: [UInt8] = []

  public init(_ picture: NewPicture) { self.picture = picture }
}
