// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// The gain map of a picture, wherever it was found.
struct FoundGainMap: Sendable {
  /// What is decoded for it, and who says how.
  var picture: PhotoPicture
  var source: any PictureSource
  /// What a `tmap` item holds.
  var toneMap: [UInt8]?
  /// What a segment of a JPEG holds after its identifier.
  var segment: [UInt8]?
  /// The XMP of the map, which is never that of its picture.
  var xmp: [UInt8]?
  /// Whether its codes are those of Apple's curve, where nothing but Apple's words says how it is applied.
  var isApple: Bool
  /// Whether it is one of Apple's, whatever else describes it.
  var hasAppleForm: Bool
  /// What is said of the colour of the HDR picture.
  var alternateColour: PlannedColour?

  /// - Parameter exif: of the picture.
  func description(exif: [UInt8]?) throws -> GainMapDescription {
    try GainMapDescription(
      toneMap: toneMap, segment: segment, xmp: xmp, exif: exif, isApple: isApple)
  }

  /// What Apple's words say of it; `nil` where they say nothing.
  func appleDescription(exif: [UInt8]?) -> GainMapDescription? {
    guard hasAppleForm else { return nil }
    // Words that cannot be used say nothing.
    let said = try? GainMapDescription(toneMap: nil, xmp: xmp, exif: exif, isApple: true)
    return said?.origin.hasAppleCodes == true ? said : nil
  }
}

/// A picture of numbers that accompanies another.
struct FoundAuxiliary: Sendable {
  var picture: PhotoPicture
  /// The source of the picture, which orients it as the other picture is oriented.
  var source: any PictureSource
  /// What a person calls it: `depth`, `hair matte`.
  var name: String
  var urn: String
  var subtype: [UInt8] = []
  /// The XMP of the auxiliary picture.
  var xmp: [UInt8]?
}
