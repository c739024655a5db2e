// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The gain map of a picture, wherever in the file it was found.
struct FoundGainMap: Sendable {
  /// The map's picture, and the source that describes it.
  var picture: PhotoPicture
  var source: any PictureSource
  /// The payload of a `tmap` item.
  var toneMap: [UInt8]?
  /// The payload of a JPEG segment after its identifier.
  var segment: [UInt8]?
  /// The XMP of the map, never that of its picture.
  var xmp: [UInt8]?
  /// Whether codes follow Apple's curve, because only Apple's metadata describes how to apply the map.
  var isApple: Bool
  /// Whether this is one of Apple's maps, whatever else describes it.
  var hasAppleForm: Bool
  /// The colour of the HDR picture, if stated.
  var alternateColour: PlannedColour?

  /// - Parameter exif: the Exif of the picture.
  func description(exif: [UInt8]?) throws -> GainMapDescription {
    try GainMapDescription(
      toneMap: toneMap, segment: segment, xmp: xmp, exif: exif, isApple: isApple)
  }

  /// Returns the description in Apple's metadata; `nil` if there is none.
  func appleDescription(exif: [UInt8]?) -> GainMapDescription? {
    guard hasAppleForm else { return nil }
    // Unusable metadata counts as absent.
    let said = try? GainMapDescription(toneMap: nil, xmp: xmp, exif: exif, isApple: true)
    return said?.origin.hasAppleCodes == true ? said : nil
  }
}

/// An auxiliary picture of numbers that accompanies another picture.
struct FoundAuxiliary: Sendable {
  var picture: PhotoPicture
  /// The source of the picture. It has the orientation of the picture that it accompanies.
  var source: any PictureSource
  /// The name for people, such as `depth` or `hair matte`.
  var name: String
  var urn: String
  var subtype: [UInt8] = []
  /// The XMP of the auxiliary picture.
  var xmp: [UInt8]?
}
