// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import ApusRaster

/// The colour of a PNG's samples according to its chunks `gAMA` and `cHRM`, which apply if there is no better
/// description: ISO/IEC 15948, 11.3.3.
struct PNGColour {
  /// The exponent that converted light to samples, in 100000ths.
  private var gamma: UInt32?
  /// The chromaticities of white, red, green and blue, x and y each, in 100000ths.
  private var chromaticities: [UInt32] = []

  /// Reads the body of a chunk; an implausible one is ignored.
  mutating func read(_ type: FourCC, _ body: [UInt8]) {
    switch type {
    case "gAMA":
      guard body.count == 4, let chunk = PNGGamma(reading: body), Self.gammas.contains(chunk.gamma)
      else { return }
      gamma = chunk.gamma
    case "cHRM":
      guard let chunk = PNGChromaticities(reading: body) else { return }
      chromaticities = chunk.points
    default: break
    }
  }

  /// Returns an equivalent profile; `nil` if samples are, as far as can be determined, sRGB.
  func profile(isGrey: Bool) -> [UInt8]? {
    let curve = gamma.flatMap(Self.curve)
    let primaries = isGrey ? nil : self.primaries
    guard curve != nil || primaries != nil else { return nil }
    let exponent = gamma.map { (100 * Self.scale / Double($0)).rounded() / 100 }
    let name = curve == nil ? "curve of sRGB" : "gamma \(exponent ?? 1)"
    return ICCProfile.generated(
      primaries ?? .bt709, curve ?? .srgb, isGrey: isGrey,
      name: primaries == nil ? name : "Primaries of a PNG, \(name)")
  }

  private static let scale = 100_000.0
  /// The accepted gammas: from a tenth to ten.
  private static let gammas: ClosedRange<UInt32> = 10_000...1_000_000

  /// Returns the curve of a gamma; `nil` if it is taken for that of sRGB by the rule of libpng: 1/2.2 within a
  /// twentieth.
  private static func curve(_ gamma: UInt32) -> TransferCurve? {
    let exponent = scale / Double(gamma)
    return (exponent / 2.2 - 1).magnitude < 0.05 ? nil : .gamma(exponent)
  }

  /// The primaries; `nil` if they are those of sRGB, or if no colours can be computed from them.
  private var primaries: Primaries? {
    guard chromaticities.count == 8 else { return nil }
    let points = stride(from: 0, to: 8, by: 2).map { index in
      SIMD2(Double(chromaticities[index]), Double(chromaticities[index + 1])) / Self.scale
    }
    guard points.allSatisfy({ $0.x >= 0 && $0.y > 0 && $0.x + $0.y <= 1.01 }) else { return nil }
    // They have to form a triangle.
    let (one, other) = (points[2] - points[1], points[3] - points[1])
    guard (one.x * other.y - one.y * other.x).magnitude > 0.001 else { return nil }
    let found = Primaries(points[1], points[2], points[3], white: points[0])
    let matrix = found.rgbToD50
    let isUsable = matrix.rows.allSatisfy { row in
      [row.x, row.y, row.z].allSatisfy { $0.isFinite && $0.magnitude < 4 }
    }
    guard isUsable, matrix.inverse != nil else { return nil }
    let known = Primaries.bt709.rgbToD50
    let isSame = zip(matrix.rows, known.rows).allSatisfy { one, other in
      [one.x - other.x, one.y - other.y, one.z - other.z].allSatisfy { $0.magnitude < 0.003 }
    }
    return isSame ? nil : found
  }
}
