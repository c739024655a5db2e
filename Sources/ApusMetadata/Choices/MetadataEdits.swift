// SPDX-License-Identifier: MIT

/// Changes to the metadata of a photo. Exif, XMP and IPTC say the same afterwards, as far as the photo has them: Metadata
/// Working Group, Guidelines for Handling Image Metadata 2.0, 5.
public struct MetadataEdits: Hashable, Sendable {
  /// A kind of metadata to remove.
  public enum Strip: String, Hashable, Sendable, CaseIterable {
    /// Coordinates, and names of places.
    case gps
    /// Everything except the ICC profile, and the orientation if it is needed.
    case all
    case exif, xmp, iptc
    /// The thumbnail in Exif.
    case thumbnail
  }

  /// A change of the time at which the photo was taken.
  public enum TimeChange: Hashable, Sendable {
    case set(PhotoTime)
    /// Seconds by which the camera's clock was slow; negative if it was fast.
    case shift(Int)
  }

  /// A text that Exif, XMP and IPTC have room for; empty to remove it.
  public struct Texts: Hashable, Sendable {
    public var title: String?
    public var caption: String?
    public var creator: String?
    public var copyright: String?
    public var keywords: [String]?

    public init() {}
  }

  /// The kinds of metadata to remove, before anything is set.
  public var strip: Set<Strip> = []
  public var time: TimeChange?
  /// The place where the photo was taken.
  public var position: ExifPosition?
  public var texts = Texts()
  /// The rating, -1 (rejected) to 5.
  public var rating: Int?
  /// The value of the Orientation tag, 1 to 8.
  public var orientation: Int?
  /// Whether the orientation is written where there is none: a JPEG has no other place for it.
  public var addsOrientation = false
  /// Exif that replaces the photo's, as a TIFF stream.
  public var exif: [UInt8]?
  /// A packet that replaces the photo's XMP.
  public var xmp: [UInt8]?

  public init() {}

  /// The part of the changes that applies to the metadata of every picture in a file, not only of the primary one.
  public var ofEveryPicture: MetadataEdits {
    var edits = MetadataEdits()
    edits.strip = strip
    return edits
  }
}

extension MetadataEdits.Texts {
  var isEmpty: Bool { self == Self() }
}
