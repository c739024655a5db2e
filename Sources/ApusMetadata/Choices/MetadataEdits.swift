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
    /// Larger JPEGs in Exif.
    case preview
  }

  /// A change of the time at which the photo was taken.
  public enum TimeChange: Hashable, Sendable {
    case set(PhotoTime)
    /// Seconds by which the camera's clock was slow; negative if it was fast.
    case shift(Int)
  }

  /// Texts that Exif, XMP or IPTC have room for; an empty one is removed, and `nil` is not changed.
  public struct Texts: Hashable, Sendable {
    /// The title of the photo.
    public var title: String?
    /// The description of what is seen.
    public var caption: String?
    /// The person who took the photo.
    public var creator: String?
    /// The notice about rights.
    public var copyright: String?
    /// Words by which the photo is found.
    public var keywords: [String]?

    public init() {}
  }

  /// Facts that are set only where a photo lacks them.
  public struct Fallback: Hashable, Sendable {
    /// The time at which the photo was taken.
    public var time: PhotoTime?
    /// The place where it was taken.
    public var position: ExifPosition?
    /// The description of what is seen.
    public var caption: String?

    public init() {}
  }

  /// A JPEG with its size.
  public struct Thumbnail: Hashable, Sendable {
    /// The whole file.
    public var jpeg: [UInt8]
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    public init(_ jpeg: [UInt8], width: Int, height: Int) {
      (self.jpeg, self.width, self.height) = (jpeg, width, height)
    }
  }

  /// The kinds of metadata to remove, before anything is set.
  public var strip: Set<Strip> = []
  /// The change of the time; `nil` to keep it.
  public var time: TimeChange?
  /// The place where the photo was taken.
  public var position: ExifPosition?
  /// The time zone of the time, such as `+02:00`.
  public var zone: String?
  /// A track on which the photo's place is found by its time.
  public var track: RecordedTrack?
  /// Facts for a photo without its own.
  public var fallback = Fallback()
  /// The texts to set.
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
  /// Records that replace the photo's IPTC.
  public var iptc: [UInt8]?
  /// Whether metadata is removed that has no replacement.
  public var replacesAll = false
  /// Whether XMP no longer announces a video, because the file loses it.
  public var removesVideo = false
  /// The JPEG that replaces the thumbnail in Exif; `nil` to keep it.
  public var thumbnail: Thumbnail?
  /// The JPEG that becomes the thumbnail in Exif, in the stored orientation of the picture, whether there is one or not.
  public var newThumbnail: [UInt8]?
  /// The size of the picture as stored, if Exif is replaced or the size changes.
  public var size: (width: Int, height: Int)? {
    get { width.flatMap { width in height.map { (width, $0) } } }
    set { (width, height) = (newValue?.width, newValue?.height) }
  }
  private var width: Int?
  private var height: Int?

  public init() {}

  /// The change of the time, with the time zone if that was given apart from it.
  public var zonedTime: TimeChange? {
    guard let zone, case .set(var time)? = time, time.zone == nil else { return time }
    time.zone = zone
    return .set(time)
  }

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
