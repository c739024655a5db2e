// SPDX-License-Identifier: MIT

internal import ApusBytes
public import HEVC

/// The colour information of a video (`colorInfo`): Enhanced RTMP v2, "Metadata Frame".
public struct ColorInfo: Hashable, Sendable {
  /// The number of bits of a sample; `nil` where unknown.
  public var bitDepth: Int?
  /// Code points of ITU-T H.273.
  public var primaries: Int?
  /// The code point of the transfer characteristics (ITU-T H.273); `nil` where unknown.
  public var transfer: Int?
  /// The code point of the matrix coefficients (ITU-T H.273); `nil` where unknown.
  public var matrix: Int?
  /// The highest light level of any sample, and of a whole frame on average, in candela per square metre.
  public var maxContentLight: Double?
  /// The highest average light level of a whole frame, in candela per square metre; `nil` where unknown.
  public var maxFrameAverageLight: Double?
  /// The mastering display, if known.
  public var display: Display?

  /// The display on which the video was mastered.
  public struct Display: Hashable, Sendable {
    /// The primaries and the white as x and y of CIE 1931.
    public var red: Point
    /// The green primary as x and y of CIE 1931.
    public var green: Point
    /// The blue primary as x and y of CIE 1931.
    public var blue: Point
    /// The white point as x and y of CIE 1931.
    public var white: Point
    /// The range of luminance, in candela per square metre.
    public var maxLuminance: Double
    /// The lowest luminance, in candela per square metre.
    public var minLuminance: Double

    /// A chromaticity of CIE 1931.
    public struct Point: Hashable, Sendable {
      /// The x coordinate, from 0 to 1.
      public var x: Double
      /// The y coordinate, from 0 to 1.
      public var y: Double
    }
  }

  public init() {}

  /// Reads the parameter sets and messages of a stream; `nil` if they contain nothing beyond what every receiver
  /// assumes.
  public init?(_ headers: StreamHeaders) {
    guard let sequence = headers.baseSequences.first else { return nil }
    bitDepth = sequence.bitDepthLuma
    let vui = sequence.vui
    if sequence.vuiParametersPresentFlag, vui.colourDescriptionPresentFlag {
      primaries = Int(vui.colourPrimaries)
      transfer = Int(vui.transferCharacteristics)
      matrix = Int(vui.matrixCoeffs)
    }
    if let light = headers.first(ContentLightLevel.self) {
      maxContentLight = Double(light.maxContentLightLevel)
      maxFrameAverageLight = Double(light.maxPicAverageLightLevel)
    }
    display = headers.first(MasteringDisplayColourVolume.self).flatMap(Display.init)
    let codes = [primaries, transfer, matrix]
    let isOrdinary = codes.allSatisfy { $0 == nil || $0 == 1 || $0 == 2 }
    if isOrdinary, maxContentLight == nil, display == nil { return nil }
  }

  /// The known members in the specification's order.
  public var members: AMFObject {
    func object(_ members: [(String, Double?)]) -> AMFValue? {
      let known = members.compactMap { name, value in value.map { (name, AMFValue.number($0)) } }
      return known.isEmpty ? nil : .object(known)
    }
    var result = AMFObject()
    result["colorConfig"] = object([
      ("bitDepth", bitDepth.map(Double.init)), ("colorPrimaries", primaries.map(Double.init)),
      ("transferCharacteristics", transfer.map(Double.init)),
      ("matrixCoefficients", matrix.map(Double.init)),
    ])
    result["hdrCll"] = object([("maxFall", maxFrameAverageLight), ("maxCLL", maxContentLight)])
    if let display {
      result["hdrMdcv"] = object([
        ("redX", display.red.x), ("redY", display.red.y), ("greenX", display.green.x),
        ("greenY", display.green.y), ("blueX", display.blue.x), ("blueY", display.blue.y),
        ("whitePointX", display.white.x), ("whitePointY", display.white.y),
        ("maxLuminance", display.maxLuminance), ("minLuminance", display.minLuminance),
      ])
    }
    return result
  }

  /// The message that announces the colors: `colorInfo` and its members.
  public var message: AMFMessage { AMFMessage(["colorInfo", .object(members)]) }
}

extension ColorInfo.Display {
  /// Creates the display from primaries whose order the standard leaves open, suggesting green, blue, red: the one
  /// farthest to the right is red, of the others the higher one is green.
  init?(_ volume: MasteringDisplayColourVolume) {
    let points = volume.displayPrimaries.map {
      Point(x: Double($0.x) / 50_000, y: Double($0.y) / 50_000)
    }
    guard points.count == 3 else { return nil }
    let byX = points.sorted { $0.x > $1.x }
    let others = byX.dropFirst().sorted { $0.y > $1.y }
    red = byX[0]
    green = others[0]
    blue = others[1]
    white = Point(x: Double(volume.whitePointX) / 50_000, y: Double(volume.whitePointY) / 50_000)
    maxLuminance = Double(volume.maxDisplayMasteringLuminance) / 10_000
    minLuminance = Double(volume.minDisplayMasteringLuminance) / 10_000
  }
}
