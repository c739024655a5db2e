// SPDX-License-Identifier: MIT

internal import CApusMath

/// Perceptual quantizer: SMPTE ST 2084. Luminance is in cd/m².
public enum PQ {
  private static let m1 = 2610.0 / 16384
  private static let m2 = 2523.0 / 32
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 128
  private static let c3 = 2392.0 / 128

  /// Returns the luminance for a value from 0 to 1.
  public static func luminance(_ value: Double) -> Double {
    let power = pow(min(max(value, 0), 1), 1 / m2)
    return 10000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
  }

  /// Returns the value from 0 to 1 for a luminance.
  public static func value(_ luminance: Double) -> Double {
    let power = pow(max(luminance, 0) / 10000, m1)
    return pow((c1 + c2 * power) / (1 + c3 * power), m2)
  }
}

/// Hybrid log-gamma: ITU-R BT.2100, table 5, on a display of 1000 cd/m².
public enum HLG {
  static let peak = 1000.0
  private static let a = 0.17883277
  private static let b = 0.28466892
  private static let c = 0.55991073

  /// Returns the scene light, from 0 to 1.
  public static func scene(_ value: Double) -> Double {
    let value = max(value, 0)
    return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
  }

  /// Returns the value for scene light from 0 to 1.
  public static func value(_ scene: Double) -> Double {
    let scene = max(scene, 0)
    return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
  }

  /// Returns the luminance that a display produces for one component of a scene in cd/m², given the luminance of all
  /// components.
  public static func luminance(_ scene: Double, ofSceneLuminance luminance: Double) -> Double {
    peak * pow(max(luminance, 0), 0.2) * scene
  }
}

/// Maps light brighter than SDR white to it, and keeps dark light unchanged: the EETF of ITU-R BT.2390, 5.4.1, with a
/// black of 0.
public struct ToneCurve: Hashable, Sendable {
  /// The luminance of SDR white in HDR, in cd/m²: ITU-R BT.2408.
  public static let white = 203.0

  /// The luminance that becomes SDR white, in cd/m².
  public let peak: Double

  /// Creates the curve for a peak in cd/m², which is limited to the range from `white` to 10,000.
  public init(peak: Double) { self.peak = min(max(peak, Self.white), 10000) }

  /// Returns the mapped luminance, in cd/m².
  public func luminance(_ luminance: Double) -> Double {
    let top = PQ.value(peak)
    let target = PQ.value(Self.white) / top
    let knee = 1.5 * target - 0.5
    let value = PQ.value(min(luminance, peak)) / top
    guard value > knee, knee < 1 else { return min(luminance, peak) }
    let t = (value - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let mapped =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * target
    return PQ.luminance(mapped * top)
  }

  /// Returns the factor for red, green and blue for the luminance of the brightest of them; a common factor preserves
  /// the hue.
  public func scale(atMaximum luminance: Double) -> Double {
    luminance <= 0 ? 1 : self.luminance(luminance) / luminance
  }
}
