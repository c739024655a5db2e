// SPDX-License-Identifier: MIT

/// What is beside the samples of coded pictures: what they mean and how they are to be shown.
public struct PictureTraits: Hashable, Sendable {
  /// This is `nil` where nothing says it.
  public var colour: ColourDescription?
  /// An ICC profile; empty without one.
  public var profile: [UInt8] = []
  /// Width and height of a sample to each other; `nil` where nothing says it.
  public var sampleAspect: SampleAspect?
  public var masteringDisplay: MasteringDisplay?
  public var contentLight: ContentLight?
  public var dolbyVision: DolbyVision?
  /// This is `nil` where nothing says it.
  public var fields: FieldOrder?
  /// This is `nil` where nothing says it.
  public var chromaSite: ChromaSite?

  public init() {}
}

/// How wide a sample is for its height.
public struct SampleAspect: Hashable, Sendable {
  public var horizontal: Int
  public var vertical: Int

  public init(_ horizontal: Int, _ vertical: Int) {
    self.horizontal = horizontal
    self.vertical = vertical
  }
}

/// Whether a picture is one moment or two, and which of its fields is shown first.
public enum FieldOrder: String, Hashable, Sendable, CaseIterable {
  case progressive, topFirst, bottomFirst
}

/// The display that a picture was graded on, in the units of SMPTE ST 2086: chromaticities in 1/50000, luminances
/// in 1/10000 cd/m².
public struct MasteringDisplay: Hashable, Sendable {
  public struct Chromaticity: Hashable, Sendable {
    public var x: UInt16
    public var y: UInt16

    public init(_ x: UInt16, _ y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  public var red: Chromaticity
  public var green: Chromaticity
  public var blue: Chromaticity
  public var white: Chromaticity
  public var maximumLuminance: UInt32
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

/// How bright content becomes, in cd/m²: CTA-861.3.
public struct ContentLight: Hashable, Sendable {
  public var maximum: UInt16
  public var maximumAverage: UInt16

  public init(maximum: UInt16, maximumAverage: UInt16) {
    self.maximum = maximum
    self.maximumAverage = maximumAverage
  }
}
