// SPDX-License-Identifier: MIT

/// The gain map of a picture as stored in the file: ISO/IEC 23008-12, 6.6.2.4, and the earlier forms of Apple and
/// Samsung.
public struct GainMapItem: Sendable {
  /// The form in which a map is stored.
  public enum Kind: String, Hashable, Sendable {
    /// A map that a `tmap` item describes.
    case toneMap = "tmap"
    case apple, samsung
  }

  /// The item to decode.
  public var map: PhotoPicture
  /// The form in which the map is stored.
  public var kind: Kind
  /// Whether the map is also an auxiliary picture in Apple's form.
  public var isApple: Bool
  /// The payload of the `tmap` item, including the version byte.
  public var toneMap: [UInt8]?
  /// The XMP of the map, never that of the picture.
  public var xmp: [UInt8]?
  /// The colour of the HDR picture according to the `tmap` item.
  public var alternateColour: PlannedColour?

  /// The ID of the map's item; `nil` if the map is not an item.
  public var mapID: UInt32? {
    if case .item(let id) = map.place { id } else { nil }
  }
}
