// SPDX-License-Identifier: MIT

/// An exact fraction: 30000/1001 pictures per second.
public struct Fraction: Hashable, Sendable {
  public var numerator: Int
  public var denominator: Int

  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
}
