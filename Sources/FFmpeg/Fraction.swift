// SPDX-License-Identifier: MIT

/// A number that is exact: 30000/1001 pictures a second.
public struct Fraction: Hashable, Sendable {
  public var numerator: Int
  public var denominator: Int

  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }
}
