// SPDX-License-Identifier: MIT

internal import CApusMath

/// The relation of R′G′B′ values from 0 to 1 to light.
public enum TransferCurve: Hashable, Sendable {
  case parametric(ParametricCurve)
  /// Evenly spaced samples of the curve, with 65535 for 1 and linear interpolation.
  case table([UInt16])
  /// SMPTE ST 2084; a light of 1 is 10 000 cd/m².
  case pq
  /// ARIB STD-B67; scene light, from which a display derives its light: `HLG`.
  case hlg
  /// ITU-T H.273, values 9 and 10, with this number of powers of ten.
  case logarithmic(decades: Double)

  /// IEC 61966-2-1.
  public static let srgb = TransferCurve.parametric(
    ParametricCurve(
      g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0))
  /// The inverse of a camera's curve according to BT.709. A display shows its values as sRGB.
  public static let bt709 = TransferCurve.parametric(
    ParametricCurve(g: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0))
  /// The curve whose values are equal to light.
  public static let linear = gamma(1)

  /// Returns the curve that raises values to a power.
  public static func gamma(_ exponent: Double) -> TransferCurve {
    .parametric(ParametricCurve(gamma: exponent))
  }

  /// Creates the curve with which pictures of a `transfer_characteristics` are displayed. Displays do not invert the
  /// curves of cameras (BT.709, BT.601 and similar ones): viewers treat them as sRGB, and BT.2020 as gamma 2.4.
  /// Unspecified and unknown values are sRGB.
  public init(shownFor codePoint: Int) {
    switch codePoint {
    case 4: self = .gamma(2.2)
    case 5: self = .gamma(2.8)
    case 8: self = .linear
    case 9: self = .logarithmic(decades: 2)
    case 10: self = .logarithmic(decades: 2.5)
    case 14, 15: self = .gamma(2.4)
    case 16: self = .pq
    case 17: self = .gamma(2.6)
    case 18: self = .hlg
    default: self = .srgb
    }
  }

  /// Returns the light for a value from 0 to 1.
  public func light(_ value: Double) -> Double {
    switch self {
    case .parametric(let curve): return curve.light(value)
    case .table(let samples): return Self.interpolate(samples, at: value)
    case .pq: return PQ.luminance(value) / 10000
    case .hlg: return HLG.scene(value)
    case .logarithmic(let decades): return value <= 0 ? 0 : pow(10, decades * (value - 1))
    }
  }

  /// Returns the value for some light, the inverse of `light(_:)`.
  public func value(_ light: Double) -> Double {
    switch self {
    case .parametric(let curve): return curve.value(light)
    case .table(let samples): return Self.search(samples, for: light)
    case .pq: return PQ.value(light * 10000)
    case .hlg: return HLG.value(light)
    case .logarithmic(let decades):
      return light < pow(10, -decades) ? 0 : 1 + log10(light) / decades
    }
  }

  /// Returns whether two curves nowhere differ by more than a tolerance in light.
  public func isClose(to other: TransferCurve, within tolerance: Double) -> Bool {
    (0...64).allSatisfy {
      let value = Double($0) / 64
      return (light(value) - other.light(value)).magnitude <= tolerance
    }
  }

  private static func interpolate(_ samples: [UInt16], at value: Double) -> Double {
    guard samples.count > 1 else { return value }
    let place = min(max(value, 0), 1) * Double(samples.count - 1)
    let index = min(Int(place), samples.count - 2)
    let (low, high) = (Double(samples[index]), Double(samples[index + 1]))
    return (low + (high - low) * (place - Double(index))) / 65535
  }

  /// Returns the first position in 0…1 at which a non-decreasing curve reaches some light.
  private static func search(_ samples: [UInt16], for light: Double) -> Double {
    guard samples.count > 1 else { return light }
    let wanted = min(max(light, 0), 1) * 65535
    var (low, high) = (0, samples.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Double(samples[middle]) < wanted { low = middle } else { high = middle }
    }
    let (below, above) = (Double(samples[low]), Double(samples[high]))
    let part = above > below ? min(max((wanted - below) / (above - below), 0), 1) : 0
    return (Double(low) + part) / Double(samples.count - 1)
  }
}

/// A curve `(aX + b)^g + e` from d, and `cX + f` below: ICC.1:2022, 10.18, function type 4, of which the others are
/// special cases.
public struct ParametricCurve: Hashable, Sendable {
  /// The parameters of the formula, by their names in it.
  public var g, a, b, c, d, e, f: Double

  public init(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    (self.g, self.a, self.b, self.c, self.d, self.e, self.f) = (g, a, b, c, d, e, f)
  }

  /// Creates the curve that raises values to a power.
  public init(gamma: Double) { self.init(g: gamma, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0) }

  /// Returns the light for a value from 0 to 1.
  public func light(_ value: Double) -> Double {
    value >= d ? pow(max(a * value + b, 0), g) + e : c * value + f
  }

  /// Returns the value for some light, the inverse of `light(_:)`; 0 for a curve that is constant there.
  public func value(_ light: Double) -> Double {
    guard light < self.light(d), d > 0 else {
      return a == 0 || g == 0 ? 0 : (pow(max(light - e, 0), 1 / g) - b) / a
    }
    return c == 0 ? 0 : (light - f) / c
  }
}
