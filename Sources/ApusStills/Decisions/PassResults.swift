// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The results of the passes over a picture; each kind of pass fills a slot.
struct PassResults: Sendable {
  /// The whole picture in another size.
  var scaled: ScaledPicture?
  /// The peak brightness of an HDR picture, in cd/m².
  var peak: Double?
  /// Its bands, if the pass for the peak brightness has kept them.
  var kept: KeptBands?
  /// A thumbnail of the picture as JPEG.
  var thumbnail: [UInt8]?
  /// The map that turns an HDR picture into its SDR version.
  var mapTowardsSDR: GainMapSamples?
  /// The map to be applied to the picture.
  var appliedMap: GainMapSamples?
  /// Whether a map that was assumed to be grey has colours, and so needs another pass.
  var mapIsColour = false
  /// The map that is written with the picture.
  var gainMap: WrittenGainMap?
  /// The warning about the gain map of the file, if it is left out.
  var gainMapLoss: String?
  /// The auxiliary pictures that accompany it, in order.
  var auxiliaries: [NewAuxiliary] = []
  /// The warnings about auxiliary pictures that are left out.
  var losses: [String] = []
}

/// A gain map to be written with its picture.
struct WrittenGainMap: Sendable {
  let report: PhotoReport.GainMap
  /// Whether the XMP of a JPEG announces it.
  let isInXMP: Bool
  /// The map as a separate JPEG, including segments; empty in a HEIC.
  var jpeg: [UInt8] = []
  /// The map as a HEIC item.
  var item: NewAuxiliary?
  /// Notes about the map.
  var notes: [String] = []

  init(_ description: GainMapDescription, width: Int, height: Int, bytes: Int) {
    report = PhotoReport.GainMap(
      width: width, height: height, bytes: bytes, headroom: description.headroom,
      origin: description.origin)
    isInXMP = description.parameters.usesBaseColour
  }
}
