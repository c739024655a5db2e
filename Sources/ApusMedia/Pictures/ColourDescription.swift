// SPDX-License-Identifier: MIT

/// The meaning of sample values, as code points of ITU-T H.273; 2 means unspecified.
public struct ColourDescription: Hashable, Sendable {
  public var primaries: Int
  public var transfer: Int
  public var matrix: Int
  public var isFullRange: Bool

  public init(primaries: Int = 2, transfer: Int = 2, matrix: Int = 2, isFullRange: Bool = true) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }
}
