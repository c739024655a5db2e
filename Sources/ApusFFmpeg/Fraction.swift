// SPDX-License-Identifier: MIT

/// An exact fraction: 30000/1001 pictures per second.
public struct Fraction: Hashable, Sendable {
  /// The number above the line; the fraction may be reducible.
  public var numerator: Int
  /// The number below the line.
  public var denominator: Int

  /// Creates a fraction without reducing it.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
}
