// SPDX-License-Identifier: MIT

public import ApusMedia

/// An ICC profile, as far as it consists of three curves and a matrix, or of one curve: ICC.1:2022 and version 2.
public struct ICCProfile: Hashable, Sendable {
  /// The conversion of sample values to the connection space of profiles.
  public enum Model: Hashable, Sendable {
    /// Curves to linear light, and a matrix from that to XYZ under D50.
    case rgb(Matrix3, red: TransferCurve, green: TransferCurve, blue: TransferCurve)
    case grey(TransferCurve)
  }

  /// The displayed name.
  public var name: String
  /// The major version of the profile's format, such as 2 or 4.
  public var majorVersion: Int
  /// The conversion of sample values to the connection space of profiles.
  public var model: Model
  /// The code points in the tag `cicp`, which takes precedence over the model.
  public var codePoints: ColourDescription?

  /// Whether values have the same meaning as in sRGB, as far as visible.
  public var isSRGB: Bool { isClose(to: .bt709) }

  /// Whether values have the same meaning as in Display P3.
  public var isDisplayP3: Bool { isClose(to: .displayP3) }

  /// The `colour_primaries` of its colours: ITU-T H.273, 8.1; `nil` if there is no such number.
  public var primariesCodePoint: Int? {
    if let points = codePoints, points.primaries != 2 { return points.primaries }
    guard case .rgb(let matrix, _, _, _) = model else { return nil }
    return [1, 12, 9, 5, 6].first { code in
      Primaries(codePoint: code).map { Self.isClose(matrix, to: $0) } ?? false
    }
  }

  private static func isClose(_ matrix: Matrix3, to primaries: Primaries) -> Bool {
    let wanted = primaries.rgbToD50
    return (0..<3).allSatisfy { row in
      (0..<3).allSatisfy { (matrix[row, $0] - wanted[row, $0]).magnitude < 0.003 }
    }
  }

  /// Returns whether its primaries are the given ones, and its curve that of sRGB.
  private func isClose(to primaries: Primaries) -> Bool {
    guard codePoints.map({ !$0.isHDR }) ?? true else { return false }
    switch model {
    case .grey(let curve): return curve.isClose(to: .srgb, within: 0.004)
    case .rgb(let matrix, let red, let green, let blue):
      return [red, green, blue].allSatisfy { $0.isClose(to: .srgb, within: 0.004) }
        && Self.isClose(matrix, to: primaries)
    }
  }
}
