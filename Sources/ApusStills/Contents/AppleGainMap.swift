// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// The descriptions of a gain map with Apple's codes: Apple's, and that of ISO 21496-1.
struct AppleGainMap {
  /// The description of the codes in the source: Apple's if it has that one.
  let description: GainMapDescription
  /// The maximum linear factor by which the HDR picture is brighter.
  let headroom: Double
  /// The parameters of ISO 21496-1 in the source, if it also has Apple's description.
  private let stated: [UInt8]?

  /// - Parameter exif: the Exif of the picture.
  init(_ found: FoundGainMap, exif: [UInt8]?) throws {
    let stored = try found.description(exif: exif)
    let own = found.appleDescription(exif: exif)
    description = own ?? stored
    headroom =
      description.origin.hasAppleCodes
      ? description.headroom : AppleGainCurve.headroom(of: description.parameters)
    stated = own == nil || stored.origin.hasAppleCodes ? nil : stored.payload
  }

  /// Returns the parameters of ISO 21496-1 for Apple's codes: those of the source, or those that are nearest to Apple's
  /// curve.
  func payload() throws -> [UInt8] {
    if let stated { return stated }
    return try GainMapDescription(computed: AppleGainCurve.parameters(headroom: headroom)).payload
  }

  /// Returns warnings about properties of the map that Apple's form cannot express; throws if it cannot have the map.
  func check() throws -> [String] {
    let parameters = description.parameters
    guard parameters.channels.count == 1, parameters.usesBaseColour else {
      throw MediaError(.unsupported, "Apple's format cannot store its colours, but ISO 21496-1 can")
    }
    guard !parameters.hasHDRBase else {
      throw MediaError(
        .unsupported, "Apple's format needs an SDR base picture; ISO 21496-1 does not")
    }
    let isExact = parameters.channels.allSatisfy {
      $0.minimum > -0.01 && max($0.baseOffset.magnitude, $0.alternateOffset.magnitude) < 0.001
    }
    return isExact || description.origin.hasAppleCodes
      ? []
      : [
        "the gain map has offsets or darkens, which Apple's format cannot store; shadows will differ"
      ]
  }
}

extension NewToneMap {
  /// Sets the colour of the resulting picture to PQ with the primaries in which light is multiplied.
  ///
  /// - Parameters:
  ///   - primaries: those of a picture.
  ///   - profile: the profile of the picture, which has precedence.
  mutating func setColour(primaries: Int, profile: [UInt8]?) {
    var primaries = primaries
    if let profile, !profile.isEmpty, let parsed = try? ICCProfile(profile) {
      primaries = parsed.primariesCodePoint ?? 2
    }
    colour = ColourDescription(primaries: primaries, transfer: 16, matrix: 0, isFullRange: true)
  }
}
