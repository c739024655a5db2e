// SPDX-License-Identifier: MIT

/// The primaries and white of an RGB space, as CIE 1931 x and y: ITU-T H.273, 8.1.
public struct Primaries: Hashable, Sendable {
  /// The chromaticity of the red primary, as x and y.
  public var red: SIMD2<Double>
  /// The chromaticity of the green primary, as x and y.
  public var green: SIMD2<Double>
  /// The chromaticity of the blue primary, as x and y.
  public var blue: SIMD2<Double>
  /// The chromaticity of white, as x and y.
  public var white: SIMD2<Double>

  /// The primaries of BT.709 and sRGB.
  public static let bt709 = Primaries([0.64, 0.33], [0.30, 0.60], [0.15, 0.06])
  /// The primaries of Display P3.
  public static let displayP3 = Primaries([0.68, 0.32], [0.265, 0.69], [0.15, 0.06])
  /// The primaries of BT.2020 and BT.2100.
  public static let bt2020 = Primaries([0.708, 0.292], [0.170, 0.797], [0.131, 0.046])

  /// The white CIE D65 as rounded in video standards.
  public static let d65: SIMD2<Double> = [0.3127, 0.3290]

  /// The white of the ICC profile connection space, as XYZ.
  static let d50: SIMD3<Double> = [0.9642, 1, 0.8249]

  public init(
    _ red: SIMD2<Double>, _ green: SIMD2<Double>, _ blue: SIMD2<Double>,
    white: SIMD2<Double> = Primaries.d65
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
  }

  /// Creates the primaries of a file's `colour_primaries`; `nil` for unspecified (2) and reserved ones.
  public init?(codePoint: Int) {
    let illuminantC: SIMD2<Double> = [0.310, 0.316]
    switch codePoint {
    case 1: self = .bt709
    case 4: self.init([0.67, 0.33], [0.21, 0.71], [0.14, 0.08], white: illuminantC)
    case 5: self.init([0.64, 0.33], [0.29, 0.60], [0.15, 0.06])
    case 6, 7: self.init([0.630, 0.340], [0.310, 0.595], [0.155, 0.070])
    case 8: self.init([0.681, 0.319], [0.243, 0.692], [0.145, 0.049], white: illuminantC)
    case 9: self = .bt2020
    case 10: self.init([1, 0], [0, 1], [0, 0], white: [1.0 / 3, 1.0 / 3])
    case 11: self.init([0.680, 0.320], [0.265, 0.690], [0.150, 0.060], white: [0.314, 0.351])
    case 12: self = .displayP3
    case 22: self.init([0.630, 0.340], [0.295, 0.605], [0.155, 0.077])
    default: return nil
    }
  }

  /// The matrix from linear RGB to XYZ, in which white has a Y of 1.
  public var rgbToXYZ: Matrix3 {
    let columns = Matrix3(Self.xyz(red), Self.xyz(green), Self.xyz(blue)).transposed
    guard let inverse = columns.inverse else { return .identity }
    return columns * Matrix3(diagonal: inverse * Self.xyz(white))
  }

  /// The matrix from linear RGB to XYZ adapted to D50 (Bradford), as in ICC profiles.
  public var rgbToD50: Matrix3 { adaptationToD50 * rgbToXYZ }

  /// The matrix from XYZ under this white to XYZ under D50.
  var adaptationToD50: Matrix3 {
    let cones = Matrix3(
      [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    guard let back = cones.inverse else { return .identity }
    return back * Matrix3(diagonal: (cones * Self.d50) / (cones * Self.xyz(white))) * cones
  }

  /// The weights of red, green and blue light in luminance.
  public var luminance: SIMD3<Double> { rgbToXYZ.rows[1] }

  /// Returns the matrix from linear RGB with these primaries to that with others, mapping white to white.
  public func matrix(to target: Primaries) -> Matrix3 {
    guard let inverse = target.rgbToD50.inverse else { return .identity }
    return inverse * rgbToD50
  }

  /// Returns XYZ with a Y of 1 or, for a colour without luminance, its chromaticity.
  private static func xyz(_ xy: SIMD2<Double>) -> SIMD3<Double> {
    guard xy.y != 0 else { return [xy.x, 0, 1 - xy.x] }
    return [xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y]
  }
}
