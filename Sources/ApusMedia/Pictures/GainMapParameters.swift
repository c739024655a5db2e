// SPDX-License-Identifier: MIT

/// The parameters with which a gain map turns its base into an HDR picture: the fields of ISO 21496-1, 5.2. Headrooms,
/// minima and maxima are logarithms to base 2 of linear light, in which 1 is SDR white.
public struct GainMapParameters: Hashable, Sendable {
  /// The parameters of one channel of the map.
  public struct Channel: Hashable, Sendable {
    /// The gain at the lowest code of the map.
    public var minimum: Double
    /// The gain at the highest code of the map.
    public var maximum: Double
    /// The exponent with which the codes of the map were made; its inverse is applied to them before scaling.
    public var gamma: Double
    /// The offset that is added to the base before the gain is applied, in linear light.
    public var baseOffset: Double
    /// The offset that is subtracted after the gain is applied, in linear light.
    public var alternateOffset: Double

    public init(
      minimum: Double = 0, maximum: Double, gamma: Double = 1, baseOffset: Double = 0,
      alternateOffset: Double = 0
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// One channel for red, green and blue together, or one for each.
  public var channels: [Channel]
  /// The display headroom up to which the base is shown unchanged.
  public var baseHeadroom: Double
  /// The display headroom from which the map is applied completely.
  public var alternateHeadroom: Double
  /// Whether light is multiplied in the primaries of the base instead of those of the alternate picture.
  public var usesBaseColour: Bool

  public init(
    channels: [Channel], baseHeadroom: Double = 0, alternateHeadroom: Double,
    usesBaseColour: Bool = true
  ) {
    self.channels = channels
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.usesBaseColour = usesBaseColour
  }

  /// Whether the base is the HDR picture, which the map turns into the SDR one.
  public var hasHDRBase: Bool { baseHeadroom > alternateHeadroom }

  /// Returns the weight with which a display applies the map, from 0 to 1, or to -1 if the map turns an HDR picture
  /// into an SDR one: ISO 21496-1, 6.3.
  ///
  /// - Parameter headroom: the headroom of the display, as a logarithm.
  public func weight(atHeadroom headroom: Double) -> Double {
    let span = alternateHeadroom - baseHeadroom
    let share = span == 0 ? 0 : min(max((headroom - baseHeadroom) / span, 0), 1)
    return span < 0 ? -share : share
  }
}

/// The source of a gain map's description, in descending precedence.
public enum GainMapOrigin: String, Hashable, Sendable, CaseIterable, Codable {
  /// A `tmap` item according to ISO 21496-1.
  case toneMap = "tmap"
  /// A JPEG segment according to ISO 21496-1.
  case segment = "iso"
  /// The properties `hdrgm` in the map's XMP, as written by Samsung and Adobe.
  case adobeXMP = "hdrgm"
  /// The property `HDRGainMapHeadroom` in the map's XMP, as written by Apple.
  case appleXMP = "apple-xmp"
  /// Two numbers in the maker note of the picture's Exif.
  case appleMakerNote = "apple-makernote"
  /// No source: the map was computed from an HDR picture.
  case computed

  /// Whether the map's codes follow Apple's curve instead of being logarithms.
  public var hasAppleCodes: Bool { self == .appleXMP || self == .appleMakerNote }
}
