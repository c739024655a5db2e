// SPDX-License-Identifier: MIT

/// What the numbers of samples mean, by the code points of ITU-T H.273; 2 stands for unspecified.
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
