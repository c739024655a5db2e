// SPDX-License-Identifier: MIT

/// The options for the metadata of an output.
public struct MetadataChoices: Hashable, Sendable {
  /// The format of the output, by its room for metadata.
  public enum Target: Hashable, Sendable {
    /// Segments of up to 64 KiB; larger metadata is reduced and split.
    case jpeg
    /// Chunks of any size.
    case png
    /// Chunks of any size, none of which is text.
    case webp
    /// Items of any size.
    case heif
  }

  /// The metadata to remove.
  public enum Strip: Hashable, Sendable {
    case nothing
    /// Coordinates, and names of places.
    case gps
    /// Everything except the ICC profile, and the orientation if it is needed.
    case all
  }

  /// The stored width of the output.
  public var width: Int
  /// The stored height of the output.
  public var height: Int
  /// The orientation of the stored samples: the value of the Orientation tag, 1 to 8.
  public var orientation = 1
  /// The metadata to remove; none by default.
  public var strip = Strip.nothing
  /// A small JPEG that becomes the thumbnail in Exif, with the stored orientation of the output.
  public var thumbnail: [UInt8]?
  /// Whether the announcement of the source's gain map is removed from XMP.
  public var removesGainMapPromise = true
  /// The gain map that follows the picture as a separate JPEG, and is announced.
  public var gainMap: AppendedGainMap?
  /// Whether the output contains the gain map although XMP does not announce it.
  public var holdsGainMap = false
  /// The video that follows the picture and its gain map, and is announced.
  public var video: AppendedVideo?
  /// Whether the video that XMP announces is in a separate file next to the output.
  public var hasVideoBeside = false
  /// The format of the output, which limits the metadata it can contain.
  public var target = Target.jpeg

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

extension MetadataChoices {
  /// The files after the picture.
  var appended: AppendedFiles { AppendedFiles(gainMap: gainMap, video: video) }
}

/// A gain map as a JPEG after the one it belongs to.
public struct AppendedGainMap: Hashable, Sendable {
  /// The size of the whole JPEG, in bytes.
  public var size: Int
  /// Whether XMP announces it as well, which is not possible if light is multiplied in primaries other than the base's.
  public var isInXMP: Bool

  public init(size: Int, isInXMP: Bool = true) {
    self.size = size
    self.isInXMP = isInXMP
  }
}
