// SPDX-License-Identifier: MIT

/// The properties of coded pictures other than their samples: their colour and display.
public struct PictureTraits: Hashable, Sendable {
  /// The colour; `nil` if unspecified.
  public var colour: ColourDescription?
  /// The ICC profile; empty for none.
  public var profile: [UInt8] = []
  /// The aspect ratio of a sample; `nil` if unspecified.
  public var sampleAspect: SampleAspect?
  /// The display that the picture was graded on; `nil` if unspecified.
  public var masteringDisplay: MasteringDisplay?
  /// The brightness of the content; `nil` if unspecified.
  public var contentLight: ContentLight?
  /// The configuration of a Dolby Vision decoder; `nil` if the picture does not need one.
  public var dolbyVision: DolbyVision?
  /// The field order; `nil` if unspecified.
  public var fields: FieldOrder?
  /// The position of colour samples; `nil` if unspecified.
  public var chromaSite: ChromaSite?

  public init() {}
}

/// The ratio of a sample's width to its height.
public struct SampleAspect: Hashable, Sendable {
  /// The term of the ratio for the width.
  public var horizontal: Int
  /// The term of the ratio for the height.
  public var vertical: Int

  public init(_ horizontal: Int, _ vertical: Int) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
}

/// The scan of a picture: progressive, or interlaced with the field that is shown first.
public enum FieldOrder: String, Hashable, Sendable, CaseIterable {
  case progressive, topFirst, bottomFirst
}

/// The display that a picture was graded on, in the units of SMPTE ST 2086: chromaticities in 1/50000, luminances
/// in 1/10000 cd/m².
public struct MasteringDisplay: Hashable, Sendable {
  /// A point in the CIE 1931 chromaticity diagram, in units of 1/50000.
  public struct Chromaticity: Hashable, Sendable {
    /// The x coordinate, in units of 1/50000.
    public var x: UInt16
    /// The y coordinate, in units of 1/50000.
    public var y: UInt16

    public init(_ x: UInt16, _ y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// The chromaticity of the red primary.
  public var red: Chromaticity
  /// The chromaticity of the green primary.
  public var green: Chromaticity
  /// The chromaticity of the blue primary.
  public var blue: Chromaticity
  /// The chromaticity of the white point.
  public var white: Chromaticity
  /// The luminance of the display's white, in units of 1/10000 cd/m².
  public var maximumLuminance: UInt32
  /// The luminance of the display's black, in units of 1/10000 cd/m².
  public var minimumLuminance: UInt32

  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    maximumLuminance: UInt32, minimumLuminance: UInt32
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// The brightness of the content in cd/m²: CTA-861.3.
public struct ContentLight: Hashable, Sendable {
  /// The maximum light level of a pixel (MaxCLL).
  public var maximum: UInt16
  /// The maximum average light level of a picture (MaxFALL).
  public var maximumAverage: UInt16

  public init(maximum: UInt16, maximumAverage: UInt16) {
    self.maximum = maximum
    self.maximumAverage = maximumAverage
  }
}
