// SPDX-License-Identifier: MIT

/// How a gain map makes an HDR picture of its base: the fields of ISO 21496-1, 5.2. Headrooms, minima and maxima
/// are logarithms to base 2 of linear light in which 1 is SDR white.
public struct GainMapParameters: Hashable, Sendable {
  /// What one channel of the map means.
  public struct Channel: Hashable, Sendable {
    public var minimum: Double
    public var maximum: Double
    public var gamma: Double
    public var baseOffset: Double
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

  /// One for red, green and blue together, or one for each.
  public var channels: [Channel]
  /// The display headroom at which, and below which, the base is shown as it is.
  public var baseHeadroom: Double
  /// The display headroom from which on the map is applied in full.
  public var alternateHeadroom: Double
  /// Whether light is multiplied in the primaries of the base, rather than in those of the alternate picture.
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

  /// Whether the base is the HDR picture, and the map makes the SDR one of it.
  public var hasHDRBase: Bool { baseHeadroom > alternateHeadroom }

  /// How much of the map a display applies, from 0 to 1, or to -1 where the map makes an SDR picture of an HDR one:
  /// ISO 21496-1, 6.3.
  ///
  /// - Parameter headroom: of the display, as a logarithm.
  public func weight(atHeadroom headroom: Double) -> Double {
    let span = alternateHeadroom - baseHeadroom
    let share = span == 0 ? 0 : min(max((headroom - baseHeadroom) / span, 0), 1)
    return span < 0 ? -share : share
  }
}

/// Who says how a gain map is applied, the most trusted first.
public enum GainMapOrigin: String, Hashable, Sendable, CaseIterable {
  /// ISO 21496-1, in a `tmap` item.
  case toneMap = "tmap"
  /// ISO 21496-1, in a segment of a JPEG.
  case segment = "iso"
  /// `hdrgm` of the map's XMP, as Samsung and Adobe write it.
  case adobeXMP = "hdrgm"
  /// `HDRGainMapHeadroom` of the map's XMP, as Apple writes it.
  case appleXMP = "apple-xmp"
  /// Two numbers in the maker note of the picture's Exif.
  case appleMakerNote = "apple-makernote"
  /// Nobody: the map was made of an HDR picture.
  case computed

  /// Whether the map's codes are those of Apple's curve, not logarithms.
  public var hasAppleCodes: Bool { self == .appleXMP || self == .appleMakerNote }
}
