// SPDX-License-Identifier: MIT

/// The choices for the metadata of an output.
public struct MetadataChoices: Hashable, Sendable {
  public enum Target: Hashable, Sendable {
    /// Segments hold 64 KiB; what is larger is cut down and split.
    case jpeg
    /// Chunks of any size.
    case png
    /// Chunks of any size, none of which is a text.
    case webp
    /// Items of any size.
    case heif
  }

  public enum Strip: Hashable, Sendable {
    case nothing
    /// Coordinates, and the names of places.
    case gps
    /// Everything but the ICC profile, and the orientation where it must be said.
    case all
  }

  /// The size of the output as its samples are stored.
  public var width: Int
  public var height: Int
  /// The orientation of the stored samples: the value of the Orientation tag, 1 to 8.
  public var orientation = 1
  public var strip = Strip.nothing
  /// A small JPEG that becomes the thumbnail in Exif, oriented as the output is stored.
  public var thumbnail: [UInt8]?
  /// Takes out of XMP what announces a gain map of the source.
  public var removesGainMapPromise = true
  /// The gain map that follows the picture, a JPEG of its own; what announces it is written.
  public var gainMap: AppendedGainMap?
  /// Whether the output holds the gain map where XMP does not tell of it.
  public var holdsGainMap = false
  /// The video that follows the picture and its gain map; what announces it is written.
  public var video: AppendedVideo?
  /// Whether the video that XMP announces is in a file of its own beside the output.
  public var hasVideoBeside = false
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

/// A gain map as a JPEG after the one that it belongs to.
public struct AppendedGainMap: Hashable, Sendable {
  /// The size of the whole JPEG, in bytes.
  public var size: Int
  /// Whether XMP announces it too; it cannot where light is multiplied in other primaries than the base's.
  public var isInXMP: Bool

  public init(size: Int, isInXMP: Bool = true) {
    self.size = size
    self.isInXMP = isInXMP
  }
}
