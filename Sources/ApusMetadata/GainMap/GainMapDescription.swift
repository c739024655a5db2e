// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import CApusMath

/// The description of a gain map, from the source in the file with the highest precedence: a `tmap` item, then the
/// `hdrgm` properties in the map's XMP, then Apple's headroom there, then the maker note.
public struct GainMapDescription: Hashable, Sendable {
  /// The numbers with which the map is applied.
  public var parameters: GainMapParameters
  /// The source of the description.
  public var origin: GainMapOrigin
  /// The parameters in the form stored in a JPEG; those of a `tmap` item byte for byte.
  public var payload: [UInt8]

  /// - Parameters:
  ///   - toneMap: the payload of the map's `tmap` item; `nil` if there is none.
  ///   - segment: the payload of a JPEG map's segment after its identifier.
  ///   - xmp: the XMP of the map, not of its picture.
  ///   - exif: the Exif of the picture; Apple's maker note counts only for a map of Apple's form.
  public init(
    toneMap: [UInt8]?, segment: [UInt8]? = nil, xmp: [UInt8]?, exif: [UInt8]?, isApple: Bool
  ) throws(MediaError) {
    if let stored = toneMap ?? segment {
      do throws(SyntaxError) {
        var payload = try GainMapPayload(reading: stored, isItem: toneMap != nil)
        let bytes = Array(stored.dropFirst(toneMap == nil ? 0 : 1))
        self.init(
          try payload.parameters(), toneMap == nil ? .segment : .toneMap,
          payload: toneMap == nil && payload.makeStandard() ? try payload.bytes() : bytes)
      } catch {
        throw MediaError(.corrupt, "\(toneMap == nil ? "ISO 21496-1" : "tmap"): \(error)")
      }
      return
    }
    let said = xmp.map(GainMapXMP.init)
    if let adobe = said?.adobe {
      try self.init(adobe, .adobeXMP)
      return
    }
    if let problem = said?.problem, !isApple { throw MediaError(.corrupt, problem) }
    guard isApple else {
      throw MediaError(.unsupported, "the file has no parameters for the gain map")
    }
    if let headroom = said?.appleHeadroom {
      try self.init(appleHeadroom: headroom, .appleXMP)
    } else if let headroom = exif.flatMap(AppleHeadroom.headroom(inExif:)) {
      try self.init(appleHeadroom: headroom, .appleMakerNote)
    } else {
      throw MediaError(
        .unsupported, "neither XMP nor the maker note has the headroom of the gain map")
    }
  }

  private init(_ parameters: GainMapParameters, _ origin: GainMapOrigin, payload: [UInt8]) {
    self.parameters = parameters
    self.origin = origin
    self.payload = payload
  }

  private init(_ parameters: GainMapParameters, _ origin: GainMapOrigin) throws(MediaError) {
    do throws(SyntaxError) {
      self.init(parameters, origin, payload: try GainMapPayload(parameters).bytes())
    } catch {
      throw MediaError(.corrupt, "\(error)")
    }
  }

  /// Creates the parameters of Apple's map after its codes were converted to logarithms.
  private init(appleHeadroom headroom: Double, _ origin: GainMapOrigin) throws(MediaError) {
    guard headroom.isFinite, headroom > 1, headroom <= 65536 else {
      throw MediaError(
        .corrupt, "the headroom of the gain map is \(headroom), which is not above 1")
    }
    let stops = log2(headroom)
    try self.init(
      GainMapParameters(channels: [.init(maximum: stops)], alternateHeadroom: stops), origin)
  }

  /// Creates the description of a map that was computed from an HDR picture.
  public init(computed parameters: GainMapParameters) throws(MediaError) {
    try self.init(parameters, .computed)
  }

  /// Returns the map from the opposite side, with the alternate picture as the base. Codes are unchanged.
  public func reversed() throws(MediaError) -> GainMapDescription {
    do throws(SyntaxError) {
      var stored = try GainMapPayload(reading: payload, isItem: false)
      stored.reverse()
      return GainMapDescription(
        try stored.parameters(), origin, payload: try stored.bytes())
    } catch {
      throw MediaError(.corrupt, "\(error)")
    }
  }

  /// The maximum linear factor by which the HDR picture is brighter than the SDR one.
  public var headroom: Double {
    exp2(max(parameters.baseHeadroom, parameters.alternateHeadroom))
  }
}
