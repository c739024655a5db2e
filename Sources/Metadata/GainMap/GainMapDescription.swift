// SPDX-License-Identifier: MIT

internal import Bytes
internal import Glibc
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
  ///   - xmp: of the map, not of its picture.
  ///   - exif: of the picture; Apple's maker note counts only for a map of Apple's form.
  public init(toneMap: [UInt8]?, xmp: [UInt8]?, exif: [UInt8]?, isApple: Bool)
    throws(PictureError)
  {
    if let toneMap {
      do throws(SyntaxError) {
        let parameters = try GainMapPayload(reading: toneMap, isItem: true).parameters()
        self.init(parameters, .toneMap, payload: Array(toneMap.dropFirst()))
      } catch {
        throw PictureError(.corrupt, "tmap: \(error)")
      }
      return
    }
    let said = xmp.map(GainMapXMP.init)
    if let adobe = said?.adobe {
      try self.init(adobe, .adobeXMP)
      return
    }
    if let problem = said?.problem, !isApple { throw PictureError(.corrupt, problem) }
    guard isApple else {
      throw PictureError(.unsupported, "nothing in the file says how the gain map is applied")
    }
    if let headroom = said?.appleHeadroom {
      try self.init(appleHeadroom: headroom, .appleXMP)
    } else if let headroom = exif.flatMap(AppleHeadroom.headroom(inExif:)) {
      try self.init(appleHeadroom: headroom, .appleMakerNote)
    } else {
      throw PictureError(
        .unsupported, "neither XMP nor the maker note says how bright the HDR picture is")
    }
  }

  private init(_ parameters: GainMapParameters, _ origin: GainMapOrigin, payload: [UInt8]) {
    self.parameters = parameters
    self.origin = origin
    self.payload = payload
  }

  private init(_ parameters: GainMapParameters, _ origin: GainMapOrigin) throws(PictureError) {
    do throws(SyntaxError) {
      self.init(parameters, origin, payload: try GainMapPayload(parameters).bytes())
    } catch {
      throw PictureError(.corrupt, "\(error)")
    }
  }

  /// The parameters of Apple's map once its codes are logarithms.
  private init(appleHeadroom headroom: Double, _ origin: GainMapOrigin) throws(PictureError) {
    guard headroom.isFinite, headroom > 1, headroom <= 65536 else {
      throw PictureError(
        .corrupt, "the headroom of the gain map is \(headroom), which is not above 1")
    }
    let stops = log2(headroom)
    try self.init(
      GainMapParameters(channels: [.init(maximum: stops)], alternateHeadroom: stops), origin)
  }

  /// A map that was computed from an HDR picture.
  public init(computed parameters: GainMapParameters) throws(PictureError) {
    try self.init(parameters, .computed)
  }

  /// By how much the HDR picture is brighter than the SDR one at most, as a linear factor.
  public var headroom: Double {
    exp2(max(parameters.baseHeadroom, parameters.alternateHeadroom))
  }
}
