// SPDX-License-Identifier: MIT

internal import Bytes
internal import CMath
public import Media

/// What a file says about one of its gain maps, and which of it counts: a `tmap` item before the `hdrgm` properties of
/// the map's XMP, those before Apple's headroom there, and that before the maker note.
public struct GainMapDescription: Hashable, Sendable {
  public var parameters: GainMapParameters
  public var origin: GainMapOrigin
  /// The parameters as they are stored in a JPEG: those of a `tmap` item byte for byte.
  public var payload: [UInt8]

  /// - Parameters:
  ///   - toneMap: what the `tmap` item of the map holds; without one `nil`.
  ///   - segment: what the segment of a map in a JPEG holds after its identifier.
  ///   - xmp: of the map, not of its picture.
  ///   - exif: of the picture; Apple's maker note counts only for a map of Apple's form.
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

  /// The parameters of Apple's map once its codes are logarithms.
  private init(appleHeadroom headroom: Double, _ origin: GainMapOrigin) throws(MediaError) {
    guard headroom.isFinite, headroom > 1, headroom <= 65536 else {
      throw MediaError(
        .corrupt, "the headroom of the gain map is \(headroom), which is not above 1")
    }
    let stops = log2(headroom)
    try self.init(
      GainMapParameters(channels: [.init(maximum: stops)], alternateHeadroom: stops), origin)
  }

  /// A map that was computed from an HDR picture.
  public init(computed parameters: GainMapParameters) throws(MediaError) {
    try self.init(parameters, .computed)
  }

  /// The same map from the other side: what was the alternate picture becomes the base. Codes stay what they are.
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

  /// The linear factor by which the HDR picture is at most brighter than the SDR one.
  public var headroom: Double {
    exp2(max(parameters.baseHeadroom, parameters.alternateHeadroom))
  }
}
