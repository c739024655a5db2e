// SPDX-License-Identifier: MIT

/// Moves colours that a space cannot hold towards the grey of their luminance until it can: hue stays, which
/// clipping red, green and blue one by one would shift.
public struct GamutMapping: Hashable, Sendable {
  /// How much red, green and blue add to luminance.
  public let weights: SIMD3<Double>

  public init(to primaries: Primaries) { weights = primaries.luminance }

  public func map(_ colour: SIMD3<Double>) -> SIMD3<Double> {
    let luminance = (weights * colour).sum()
    let (low, high) = (colour.min(), colour.max())
    var part = 1.0
    if low < 0, luminance > low { part = min(part, luminance / (luminance - low)) }
    if high > 1, high > luminance { part = min(part, (1 - luminance) / (high - luminance)) }
    let grey = SIMD3(repeating: luminance)
    return (grey + max(part, 0) * (colour - grey)).clamped(
      lowerBound: .zero, upperBound: .one)
  }
}
